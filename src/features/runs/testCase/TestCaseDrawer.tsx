import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import {
  type CaseExpectation,
  CaseInput,
  type Suite,
  type SuiteTarget,
  suiteEndpoints,
} from '#contract/console/suites.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { paths } from '#domain/paths.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import fields from '../../../components/forms/Fields.module.css'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { SideDrawer } from '../../../components/overlays/SideDrawer.tsx'
import type { Turn } from '../turn.ts'
import { type CaseDraft, toCaseInput, toFilesText, toInputsText } from './caseDraft.ts'
import { CaseFields } from './CaseFields.tsx'
import { areComplete } from './ChecksField.tsx'
import { testCaseMessages } from './messages.ts'

interface TestCaseDrawerProps {
  turn: Turn
  app: Key
  target: SuiteTarget
  workspace: string
  onClose: () => void
}

const MAX_SUITES = 50
const MAX_LABEL_CHARS = 300
const MAX_SOURCES = 100

/** The form of a case over the answer that it is made from. */
export function TestCaseDrawer(props: TestCaseDrawerProps) {
  const { app, target, workspace, onClose } = props
  const t = useMessages(testCaseMessages)
  const { data, error, refetch } = useRead(suiteEndpoints.listSuites, {
    query: { workspace, target, about: app.id, limit: MAX_SUITES },
  })
  const [savedIn, setSavedIn] = useState<string | null>(null)
  const [isDirty, setDirty] = useState(false)
  return (
    <SideDrawer title={t('makeCase')} onClose={onClose} isDirty={isDirty && savedIn === null}>
      {savedIn !== null ? (
        <Stack gap="md">
          <Text role="status">{t('added')}</Text>
          <Button component={Link} to={paths.suite(savedIn, { workspace })}>
            {t('openSuite')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
        </Stack>
      ) : data ? (
        <TestCaseForm {...props} suites={data.data} onInput={() => setDirty(true)} onSaved={setSavedIn} />
      ) : error ? (
        <ProblemAlert problem={error.problem} action={t('listSuitesWhat')} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={6} height={34} />
      )}
    </SideDrawer>
  )
}

interface TestCaseFormProps extends TestCaseDrawerProps {
  suites: readonly Suite[]
  /** Something was typed. */
  onInput: () => void
  onSaved: (suite_id: string) => void
}

const NEW_SUITE = 'new'

function TestCaseForm({ turn, app, target, workspace, suites, onInput, onSaved, onClose }: TestCaseFormProps) {
  const t = useMessages(testCaseMessages)
  const [suiteId, setSuiteId] = useState(suites[0]?.id ?? NEW_SUITE)
  const [name, setName] = useState(app.label)
  const [draft, setDraft] = useState(() => toCaseDraft(target, turn))
  const [sources] = useState(() => toExpectedSources(turn))
  const [expectsSources, setExpectsSources] = useState(false)
  const [wasSubmitted, setSubmitted] = useState(false)
  const create = useWrite(suiteEndpoints.createSuite)
  const add = useWrite(suiteEndpoints.addSuiteCases)
  const suite = suites.find(({ id }) => id === suiteId)
  const input = toCaseInput(target, draft)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (!input || !areComplete(draft.checks)) return
    const one = {
      input,
      expected: {
        ...(draft.answer.trim() === '' ? {} : { answer: draft.answer.trim() }),
        ...(expectsSources ? { segments: sources } : {}),
      },
      checks: expectsSources ? [...draft.checks, { type: 'cites' as const }] : draft.checks,
      source_run: turn.run_id,
    }
    if (suite)
      add.mutate(
        { params: { suite_id: suite.id }, body: { cases: [one] } },
        { onSuccess: ({ added }) => added > 0 && onSaved(suite.id) },
      )
    else
      create.mutate(
        { body: { workspace, name: name.trim(), target, about: app.id, cases: [one] } },
        { onSuccess: ({ id }) => onSaved(id) },
      )
  }
  const problem = create.error?.problem ?? add.error?.problem
  return (
    <form onSubmit={submit} onChange={onInput} className={fields.form} noValidate>
      <p className={fields.note}>{t('makeCaseWhy')}</p>
      {suites.length > 0 ? (
        <NativeSelect
          label={t('suite')}
          value={suiteId}
          data={[
            ...suites.map(({ id, name: label }) => ({ value: id, label })),
            { value: NEW_SUITE, label: t('newSuite') },
          ]}
          onChange={(event) => setSuiteId(event.currentTarget.value)}
        />
      ) : null}
      {suite ? null : (
        <TextInput
          label={t('newSuiteName')}
          value={name}
          maxLength={120}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      {turn.question.conversation_id ? <p className={fields.note}>{t('earlierTurnsOfRun')}</p> : null}
      <CaseFields workspace={workspace} target={target} draft={draft} onChange={setDraft} showsErrors={wasSubmitted} />
      {suite && suite.checks.length > 0 ? (
        <p className={fields.note}>{t('checksOfSuite', { checks: suite.checks.map(({ type }) => type).join(', ') })}</p>
      ) : null}
      {sources.length > 0 ? (
        <Checkbox
          label={t('expectSources', { n: sources.length })}
          checked={expectsSources}
          onChange={(event) => setExpectsSources(event.currentTarget.checked)}
        />
      ) : null}
      {add.data?.added === 0 ? <p role="status">{t('isKept')}</p> : null}
      {problem ? <ProblemAlert problem={problem} action={t('addWhat')} isInForm /> : null}
      <div className={fields.buttons}>
        <Button
          type="submit"
          loading={create.isPending || add.isPending}
          disabled={!input || (!suite && name.trim() === '')}
        >
          {t('addCase')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

/** The draft of a case that asks what a run was asked, and expects its answer. */
function toCaseDraft(target: SuiteTarget, { question, answer }: Turn): CaseDraft {
  const [output] = Object.entries((answer.run.outputs ?? {}) as Record<string, unknown>)
  return {
    query: question.query,
    earlierTurns: '',
    inputs: toInputsText(question.inputs),
    files: toFilesText(CaseInput.shape.files.safeParse(question.body.files).data),
    answer: answer.text,
    checks:
      target === 'workflow' && answer.text === ''
        ? output
          ? [{ type: 'json-path', path: `$.outputs['${output[0]}']`, value: output[1] }]
          : []
        : [{ type: 'similar' }],
  }
}

/** The sources of an answer, each once, as a case expects them. */
function toExpectedSources({ answer }: Turn): NonNullable<CaseExpectation['segments']> {
  const sources = answer.sources.flatMap(({ segment_id, document_id, document_name }) =>
    segment_id
      ? [
          {
            id: segment_id,
            ...(document_id ? { document_id } : {}),
            ...(document_name ? { label: truncateText(document_name, MAX_LABEL_CHARS) } : {}),
          },
        ]
      : [],
  )
  return [...new Map(sources.map((source) => [source.id, source])).values()].slice(0, MAX_SOURCES)
}
