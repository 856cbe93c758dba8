import { TextInput, Textarea } from '@mantine/core'
import { type Suite, type SuiteCase, suiteEndpoints } from '#contract/console/suites.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { useWrite } from '../../../client/query.ts'
import fields from '../../../components/forms/Fields.module.css'
import { FormDrawer } from '../../../components/forms/FormDrawer.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import {
  type CaseDraft,
  EMPTY_CASE_DRAFT,
  toCaseInput,
  toFilesText,
  toInputsText,
} from '../../runs/testCase/caseDraft.ts'
import { CaseFields } from '../../runs/testCase/CaseFields.tsx'
import { ChecksField } from '../../runs/testCase/ChecksField.tsx'
import { suiteMessages, caseMessages } from '../messages.ts'

interface CaseFormProps {
  suite: Suite
  /** Without it a new case. */
  of: SuiteCase | null
  onClose: () => void
}

const MAX_NAME_CHARS = 300
const MAX_SPLIT_CHARS = 60

/** Adds or edits a case; past experiments keep the old text. Expected sources are set in the retrieval test. */
export function CaseForm({ suite, of, onClose }: CaseFormProps) {
  const t = useMessages(suiteMessages)
  const tCase = useMessages(caseMessages)
  const add = useWrite(suiteEndpoints.addSuiteCases)
  const update = useWrite(suiteEndpoints.updateSuiteCase)
  const form = useContractForm({
    schema: suiteEndpoints.updateSuiteCase.body,
    initialValues: toCaseValues(of),
    toBody: (values) => toCaseBody(suite, of, values),
    send: async (body) => {
      if (of) return update.mutateAsync({ params: { suite_id: suite.id, case_id: of.id }, body })
      const cases = [{ ...body, input: body.input ?? {} }]
      const { added } = await add.mutateAsync({ params: { suite_id: suite.id }, body: { cases } })
      return added > 0
    },
    onDone: (isSaved) => {
      if (isSaved) onClose()
    },
  })
  const draft = form.controlled('draft')
  const showsErrors = form.form.formState.isSubmitted
  return (
    <FormDrawer
      form={form}
      title={t(of ? 'editCase' : 'addCase')}
      submitLabel={t('save')}
      isSubmitDisabled={!toInput(suite, of, draft.value)}
      action={t('saveCaseWhat')}
      onClose={onClose}
    >
      {suite.target === 'retrieval' ? (
        <>
          <Textarea
            label={t('question')}
            value={draft.value.query}
            autosize
            minRows={2}
            onChange={(event) => draft.onChange({ ...draft.value, query: event.currentTarget.value })}
            data-autofocus
          />
          <ChecksField
            workspace={suite.workspace}
            target={suite.target}
            checks={draft.value.checks}
            onChange={(checks) => draft.onChange({ ...draft.value, checks })}
            showsErrors={showsErrors}
          />
        </>
      ) : (
        <>
          <TextInput
            {...form.field('name')}
            label={t('name')}
            description={t('caseNameHelp')}
            maxLength={MAX_NAME_CHARS}
            autoComplete="off"
          />
          <CaseFields
            workspace={suite.workspace}
            target={suite.target}
            draft={draft.value}
            onChange={draft.onChange}
            showsErrors={showsErrors}
          />
        </>
      )}
      <div className={fields.row}>
        <TextInput
          {...form.field('tags')}
          label={tCase('caseFields.tags')}
          description={t('tagsHelp')}
          autoComplete="off"
        />
        <TextInput
          {...form.field('split')}
          label={tCase('caseFields.split')}
          description={tCase('splitHelp')}
          maxLength={MAX_SPLIT_CHARS}
          autoComplete="off"
        />
      </div>
      {add.data?.added === 0 ? <p role="status">{t('isKept')}</p> : null}
    </FormDrawer>
  )
}

interface CaseValues {
  name: string
  draft: CaseDraft
  /** Separated by commas. */
  tags: string
  split: string
}

const toCaseValues = (of: SuiteCase | null): CaseValues =>
  of
    ? {
        name: of.name,
        draft: {
          query: of.input.query ?? '',
          earlierTurns: toEarlierTurnsText(of.input.earlier_turns ?? []),
          inputs: toInputsText(of.input.inputs),
          files: toFilesText(of.input.files),
          answer: of.expected.answer ?? '',
          checks: of.checks,
        },
        tags: of.tags.join(', '),
        split: of.split ?? '',
      }
    : { name: '', draft: EMPTY_CASE_DRAFT, tags: '', split: '' }

const toEarlierTurnsText = (turns: readonly string[]): string => turns.join('\n')

function toCaseBody(suite: Suite, of: SuiteCase | null, { name, draft, tags, split }: CaseValues) {
  const input = toInput(suite, of, draft)
  const { answer: _, ...expected } = of?.expected ?? {}
  const answer = draft.answer.trim()
  // A case that was named by its question keeps doing so.
  const isNamedByQuestion = name.trim() === '' || name === of?.input.query
  const question = of && input?.query ? truncateText(input.query, MAX_NAME_CHARS) : undefined
  return {
    name: isNamedByQuestion ? question : name.trim(),
    input,
    ...(suite.target === 'retrieval' ? {} : { expected: answer === '' ? expected : { ...expected, answer } }),
    checks: draft.checks,
    tags: [...new Set(tags.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== ''),
    split: split.trim() || null,
  }
}

/** What the case asks; null while a field is missing or invalid. */
function toInput({ target }: Suite, of: SuiteCase | null, draft: CaseDraft): SuiteCase['input'] | null {
  if (target === 'retrieval') return draft.query.trim() === '' ? null : { ...of?.input, query: draft.query.trim() }
  const input = toCaseInput(target, draft)
  // A turn of several lines stays one unless it is edited.
  const earlierTurns = of?.input.earlier_turns
  return input && earlierTurns && draft.earlierTurns === toEarlierTurnsText(earlierTurns)
    ? { ...input, earlier_turns: earlierTurns }
    : input
}
