import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import type { EndpointBody } from '#contract/endpoint.ts'
import { type Suite, suiteEndpoints, type CaseExpectation } from '#contract/console/suites.ts'
import { paths } from '#domain/paths.ts'
import { Can } from '../../../client/Can.tsx'
import { useRead, useWrite } from '../../../client/query.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useExperimentStart } from './useExperimentStart.ts'
import { retrievalMessages } from './messages.ts'
import classes from './Retrieval.module.css'

/** A part of the request for an experiment. */
export type ExperimentRun = Pick<
  EndpointBody<typeof suiteEndpoints.createExperiment>,
  'key' | 'user' | 'inputs' | 'retrieval_model'
>

interface DatasetSuitesProps {
  dataset_id: string
  workspace: string
  /** How an experiment runs: with the settings of the test, or through the app of the test; null without permission. */
  runWith: ExperimentRun | null
  pendingCase: PendingCase | null
  onAdded: () => void
}

const MAX_SUITES = 50
const POLL_INTERVAL_MS = 1_500

/** The suites of a dataset: their last figures, a new experiment, and the question that is to be added to one. */
export function DatasetSuites(props: DatasetSuitesProps) {
  const { dataset_id, workspace, runWith, pendingCase, onAdded } = props
  const t = useMessages(retrievalMessages)
  const { data, error, refetch } = useRead(
    suiteEndpoints.listSuites,
    { query: { workspace, target: 'retrieval', about: dataset_id, limit: MAX_SUITES } },
    {
      pollIntervalMs: (reply) =>
        reply?.data.some(({ last }) => last?.batch.state === 'running') ? POLL_INTERVAL_MS : false,
    },
  )
  const suites = data?.data ?? []
  return (
    <section className={classes.suites} aria-label={t('suites')}>
      <h2>{t('suites')}</h2>
      {error ? <ProblemAlert problem={error.problem} action={t('suitesWhat')} onRetry={() => void refetch()} /> : null}
      {pendingCase ? (
        <AddToSuite key={JSON.stringify(pendingCase)} {...{ dataset_id, workspace, suites, pendingCase, onAdded }} />
      ) : null}
      {data && suites.length === 0 && !pendingCase ? <p className={classes.none}>{t('noSuites')}</p> : null}
      <ul>
        {suites.map((suite) => (
          <SuiteItem key={suite.id} suite={suite} runWith={runWith} />
        ))}
      </ul>
    </section>
  )
}

function SuiteItem({ suite, runWith }: { suite: Suite } & Pick<DatasetSuitesProps, 'runWith'>) {
  const t = useMessages(retrievalMessages)
  const create = useExperimentStart(suite)
  const { last } = suite
  const isRunning = last?.batch.state === 'running'
  return (
    <li>
      <Link to={paths.suite(suite.id, { workspace: suite.workspace })}>{suite.name}</Link>
      <span>{t('caseCount', { n: suite.cases })}</span>
      {last ? (
        <span role="status">
          {isRunning
            ? t('running', {
                done: last.batch.total - last.batch.counts.waiting - last.batch.counts.running,
                all: last.batch.total,
              })
            : t('lastFigures', {
                pass: last.outcomes.pass,
                all: last.batch.total,
                mrr: last.metrics.mrr?.toFixed(2) ?? t('notGiven'),
              })}
        </span>
      ) : (
        <span>{t('notRun')}</span>
      )}
      {runWith ? (
        <Can entry={suiteEndpoints.createExperiment}>
          <Button
            variant="default"
            loading={create.isPending}
            disabled={isRunning || suite.cases === 0}
            onClick={() => create.start(runWith)}
          >
            {t('run')}
          </Button>
        </Can>
      ) : null}
      {create.error ? <ProblemAlert problem={create.error.problem} action={t('runWhat')} /> : null}
    </li>
  )
}

interface AddToSuiteProps extends Pick<DatasetSuitesProps, 'dataset_id' | 'workspace' | 'onAdded'> {
  suites: readonly Suite[]
  pendingCase: PendingCase
}

/** Adds a question with what it should find to a suite, or makes a suite of it. */
function AddToSuite({ dataset_id, workspace, suites, pendingCase, onAdded }: AddToSuiteProps) {
  const t = useMessages(retrievalMessages)
  const [suiteId, setSuiteId] = useState(suites[0]?.id ?? NEW_SUITE)
  const [name, setName] = useState('')
  const create = useWrite(suiteEndpoints.createSuite, { onDone: onAdded })
  const add = useWrite(suiteEndpoints.addSuiteCases)
  const expected = findExpectedLabel(pendingCase.expected)
  const cases = [{ input: { query: pendingCase.query }, expected: pendingCase.expected }]
  const isNew = suiteId === NEW_SUITE
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isNew)
      add.mutate(
        { params: { suite_id: suiteId }, body: { cases } },
        { onSuccess: ({ added }) => added > 0 && onAdded() },
      )
    else if (name.trim() !== '')
      create.mutate({ body: { workspace, name: name.trim(), target: 'retrieval', about: dataset_id, cases } })
  }
  const problem = create.error?.problem ?? add.error?.problem
  return (
    <form onSubmit={submit} className={classes.wanted}>
      <p>
        {t.rich('expectedCount', {
          query: pendingCase.query,
          label: expected?.isDocument ? t('anyOf', { document: expected.label }) : (expected?.label ?? ''),
          b: (words) => <b>{words}</b>,
        })}
      </p>
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
      {isNew ? (
        <TextInput
          label={t('newSuiteName')}
          value={name}
          maxLength={120}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
      ) : null}
      <Button type="submit" loading={create.isPending || add.isPending} disabled={isNew && name.trim() === ''}>
        {isNew ? t('createSuite') : t('addCase')}
      </Button>
      {add.data?.added === 0 ? <p role="status">{t('isKept')}</p> : null}
      {problem ? <ProblemAlert problem={problem} action={t('addWhat')} isInForm /> : null}
    </form>
  )
}

const NEW_SUITE = 'new'

/** A question with what it should find, to be added to a suite. */
export interface PendingCase {
  query: string
  expected: CaseExpectation
}

/** What a case expects, in one line; null where it names nothing. */
function findExpectedLabel({
  segments = [],
  documents = [],
}: CaseExpectation): { label: string; isDocument: boolean } | null {
  const [segment] = segments
  const [document] = documents
  if (segment) return { label: segment.label ?? segment.id.slice(0, 8), isDocument: false }
  return document ? { label: document.label ?? document.id.slice(0, 8), isDocument: true } : null
}
