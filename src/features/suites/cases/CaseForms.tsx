import { TextInput, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Suite, type SuiteCase, suiteEndpoints } from '#contract/console/suites.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { useWrite } from '../../../client/query.ts'
import fields from '../../../components/forms/Fields.module.css'
import { useIsChanged } from '../../../components/hooks/useIsChanged.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SideDrawer } from '../../../components/overlays/SideDrawer.tsx'
import { EMPTY_CASE_DRAFT, toCaseInput, toFilesText, toInputsText } from '../../runs/testCase/caseDraft.ts'
import { CaseFields } from '../../runs/testCase/CaseFields.tsx'
import { areComplete, ChecksField } from '../../runs/testCase/ChecksField.tsx'
import { suiteMessages, caseMessages } from '../messages.ts'
import { SaveButtons } from '../SaveButtons.tsx'

interface AppCaseDialogProps {
  suite: Suite
  /** Without it a new case. */
  of: SuiteCase | null
  onClose: () => void
}

/** Adds or changes a case of an app; the text before stays with the experiments that ran it. */
export function AppCaseDialog({ suite, of, onClose }: AppCaseDialogProps) {
  const t = useMessages(suiteMessages)
  const [name, setName] = useState(of?.name ?? '')
  const [draft, setDraft] = useState(() => (of ? toDraft(of) : EMPTY_CASE_DRAFT))
  const [labels, setLabels] = useState(() => toLabelDraft(of))
  const [wasSubmitted, setSubmitted] = useState(false)
  const add = useWrite(suiteEndpoints.addSuiteCases)
  const update = useWrite(suiteEndpoints.updateSuiteCase, { onDone: onClose })
  const isDirty = useIsChanged([name, draft, labels])
  const typed = toCaseInput(suite.target, draft)
  // A turn of several lines stays one if nobody has changed it.
  const earlierTurns = of?.input.earlier_turns
  const input =
    typed && earlierTurns && draft.earlierTurns === toEarlierTurnsText(earlierTurns)
      ? { ...typed, earlier_turns: earlierTurns }
      : typed
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (!input || !areComplete(draft.checks)) return
    const { answer: _, ...expected } = of?.expected ?? {}
    const answer = draft.answer.trim()
    const body = {
      // A case that was named by its question keeps doing so.
      ...(name.trim() === '' || name === of?.input.query ? {} : { name: name.trim() }),
      input,
      expected: answer === '' ? expected : { ...expected, answer },
      checks: draft.checks,
      ...toLabels(labels),
    }
    if (!of)
      add.mutate(
        { params: { suite_id: suite.id }, body: { cases: [body] } },
        { onSuccess: ({ added }) => added > 0 && onClose() },
      )
    else {
      const isNamedByQuestion = name.trim() === '' || name === of.input.query
      const renamed = isNamedByQuestion && input.query ? { name: truncateText(input.query, MAX_NAME_CHARS) } : {}
      update.mutate({ params: { suite_id: suite.id, case_id: of.id }, body: { ...body, ...renamed } })
    }
  }
  const problem = add.error?.problem ?? update.error?.problem
  return (
    <SideDrawer title={t(of ? 'editCase' : 'addCase')} onClose={onClose} isDirty={isDirty}>
      <form onSubmit={submit} className={fields.form} noValidate>
        <TextInput
          label={t('name')}
          description={t('caseNameHelp')}
          value={name}
          maxLength={MAX_NAME_CHARS}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <CaseFields
          workspace={suite.workspace}
          target={suite.target}
          draft={draft}
          onChange={setDraft}
          showsErrors={wasSubmitted}
        />
        <CaseLabelFields labels={labels} onChange={setLabels} />
        {add.data?.added === 0 ? <p role="status">{t('isKept')}</p> : null}
        {problem ? <ProblemAlert problem={problem} action={t('saveCaseWhat')} isInForm /> : null}
        <SaveButtons
          entry={suiteEndpoints.updateSuiteCase}
          isPending={add.isPending || update.isPending}
          isDisabled={!input}
          onClose={onClose}
        />
      </form>
    </SideDrawer>
  )
}

const MAX_NAME_CHARS = 300

const toEarlierTurnsText = (turns: readonly string[]): string => turns.join('\n')

const toDraft = ({ input, expected, checks }: SuiteCase) => ({
  query: input.query ?? '',
  earlierTurns: toEarlierTurnsText(input.earlier_turns ?? []),
  inputs: toInputsText(input.inputs),
  files: toFilesText(input.files),
  answer: expected.answer ?? '',
  checks,
})

interface CaseDialogProps {
  suite: Suite
  of: SuiteCase
  onClose: () => void
}

/** Changes a case of a retrieval; what it expects is chosen in the retrieval test; the text before stays with the experiments that ran it. */
export function EditCase({ suite, of, onClose }: CaseDialogProps) {
  const t = useMessages(suiteMessages)
  const [query, setQuery] = useState(of.input.query ?? '')
  const [checks, setChecks] = useState(of.checks)
  const [labels, setLabels] = useState(() => toLabelDraft(of))
  const [wasSubmitted, setSubmitted] = useState(false)
  const isDirty = useIsChanged([query, checks, labels])
  const update = useWrite(suiteEndpoints.updateSuiteCase, { onDone: onClose })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (!areComplete(checks)) return
    const name = of.name === of.input.query ? { name: truncateText(query.trim(), 300) } : {}
    update.mutate({
      params: { suite_id: suite.id, case_id: of.id },
      body: { ...name, input: { ...of.input, query: query.trim() }, checks, ...toLabels(labels) },
    })
  }
  return (
    <SideDrawer title={t('editCase')} onClose={onClose} isDirty={isDirty}>
      <form onSubmit={submit} className={fields.form} noValidate>
        <Textarea
          label={t('question')}
          value={query}
          autosize
          minRows={2}
          onChange={(event) => setQuery(event.currentTarget.value)}
          data-autofocus
        />
        <ChecksField
          workspace={suite.workspace}
          target={suite.target}
          checks={checks}
          onChange={setChecks}
          showsErrors={wasSubmitted}
        />
        <CaseLabelFields labels={labels} onChange={setLabels} />
        {update.error ? <ProblemAlert problem={update.error.problem} action={t('saveCaseWhat')} isInForm /> : null}
        <SaveButtons
          entry={suiteEndpoints.updateSuiteCase}
          isPending={update.isPending}
          isDisabled={query.trim() === ''}
          onClose={onClose}
        />
      </form>
    </SideDrawer>
  )
}

/** The tags, separated by commas, and the split of a case. */
interface LabelDraft {
  tags: string
  split: string
}

interface CaseLabelFieldsProps {
  labels: LabelDraft
  onChange: (labels: LabelDraft) => void
}

const MAX_SPLIT_CHARS = 60

function CaseLabelFields({ labels, onChange }: CaseLabelFieldsProps) {
  const t = useMessages(caseMessages)
  const tSuite = useMessages(suiteMessages)
  return (
    <div className={fields.row}>
      <TextInput
        label={t('caseFields.tags')}
        description={tSuite('tagsHelp')}
        value={labels.tags}
        autoComplete="off"
        onChange={(event) => onChange({ ...labels, tags: event.currentTarget.value })}
      />
      <TextInput
        label={t('caseFields.split')}
        description={t('splitHelp')}
        value={labels.split}
        maxLength={MAX_SPLIT_CHARS}
        autoComplete="off"
        onChange={(event) => onChange({ ...labels, split: event.currentTarget.value })}
      />
    </div>
  )
}

const toLabelDraft = (of: SuiteCase | null): LabelDraft => ({
  tags: of?.tags.join(', ') ?? '',
  split: of?.split ?? '',
})

const toLabels = ({ tags, split }: LabelDraft): Pick<SuiteCase, 'tags' | 'split'> => ({
  tags: [...new Set(tags.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== ''),
  split: split.trim() || null,
})
