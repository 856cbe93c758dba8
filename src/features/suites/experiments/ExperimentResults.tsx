import { Box, Button, Flex, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { VERDICTS } from '#contract/console/checks.ts'
import { type Experiment, type ExperimentResult, type Suite, suiteEndpoints } from '#contract/console/suites.ts'
import { getBatchStatus } from '#domain/batchStatus.ts'
import { formatCount } from '#domain/metricFormat.ts'
import { paths } from '#domain/paths.ts'
import type { ExperimentFingerprints } from '#contract/console/experiments/experimentFingerprints.ts'
import { Can } from '../../../client/Can.tsx'
import { useRead, useWrite } from '../../../client/query.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import type { TableColumn } from '../../../components/data/Table.tsx'
import { FilterChip } from '../../../components/forms/FilterChip.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { ResourceList } from '../../../components/layout/ResourceList.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { BatchActions } from '../../batches/BatchActions.tsx'
import { BatchPauseNote } from '../../batches/BatchPauseNote.tsx'
import { countEndedRows } from '../../batches/batchFigures.ts'
import { suiteMessages } from '../messages.ts'
import { Expectation } from '../cases/SuiteCases.tsx'
import { formatMeasure, summarizeSettings } from './suiteFigures.ts'
import classes from '../Suites.module.css'

const PAGE_SIZE_ROWS = 50
const POLL_INTERVAL_MS = 1_000

/** One experiment: its state and figures, what may be done with it, and its results. */
export function ExperimentResults({ suite, experiment_id }: { suite: Suite; experiment_id: string }) {
  const t = useMessages(suiteMessages)
  const { get } = useSearchParamState()
  const outcome = VERDICTS.find((one) => one === get('outcome'))
  const read = useRead(
    suiteEndpoints.readExperiment,
    { params: { experiment_id } },
    { pollIntervalMs: (reply) => (reply && (isRunning(reply) || awaitsFingerprint(reply)) ? POLL_INTERVAL_MS : false) },
  )
  const results = useRead(
    suiteEndpoints.listExperimentResults,
    { params: { experiment_id }, query: { outcome, page: get('page') ?? 1, limit: PAGE_SIZE_ROWS } },
    // The rows may have been read before the end that the experiment shows.
    {
      pollIntervalMs: (reply) =>
        (read.data && isRunning(read.data)) || reply?.data.some(({ state }) => state === 'running')
          ? POLL_INTERVAL_MS
          : false,
    },
  )
  return (
    <ReadBoundary
      read={read}
      action={t('resultsWhat')}
      isInset
      loading={
        <Box p="lg">
          <SkeletonRows rows={6} height={34} />
        </Box>
      }
    >
      {(experiment) => <ExperimentDetails suite={suite} experiment={experiment} results={results} />}
    </ReadBoundary>
  )
}

interface ExperimentDetailsProps {
  suite: Suite
  experiment: Experiment
  results: ReturnType<typeof useRead<typeof suiteEndpoints.listExperimentResults>>
}

function ExperimentDetails({ suite, experiment, results }: ExperimentDetailsProps) {
  const t = useMessages(suiteMessages)
  const { get, set } = useSearchParamState()
  const outcome = VERDICTS.find((one) => one === get('outcome'))
  const columns = useResultColumns(suite, experiment.repetitions > 1)
  const chip = (name: (typeof VERDICTS)[number] | null, n: number) => (
    <FilterChip
      key={name ?? 'all'}
      isPressed={(outcome ?? null) === name}
      onClick={() => set({ outcome: name }, { replace: true })}
    >
      {t(name ?? 'all')} {formatCount(n)}
    </FilterChip>
  )
  const { outcomes, batch } = experiment
  return (
    <Flex component="section" direction="column" gap="md" px="lg" py="md" aria-label={t('experiment')}>
      <ExperimentHeader suite={suite} experiment={experiment} />
      {experiment.fingerprint ? <FingerprintNote fingerprint={experiment.fingerprint} /> : null}
      <BatchPauseNote batch={batch} />
      <Group gap="sm" fz="sm" role="group" aria-label={t('outcomes')}>
        {chip(null, batch.total)}
        {VERDICTS.filter((name) => outcomes[name] > 0 || name === outcome).map((name) => chip(name, outcomes[name]))}
        {batch.counts.unknown > 0 ? <span>{t('unknownRows', { n: batch.counts.unknown })}</span> : null}
      </Group>
      <ResourceList<ExperimentResult>
        label={t('results')}
        read={results}
        rows={results.data?.data}
        page={results.data}
        action={t('resultsWhat')}
        columns={columns}
        getKey={({ number }) => String(number)}
        empty={
          <Text fz="sm" c="dimmed">
            {t('noResults')}
          </Text>
        }
      />
    </Flex>
  )
}

const isRunning = ({ batch }: Experiment): boolean => batch.state === 'running' || batch.counts.running > 0

/** What it ran on is listed after its end. */
const FINGERPRINT_WAIT_MS = 60_000
const awaitsFingerprint = ({ fingerprint, batch }: Experiment): boolean =>
  fingerprint?.end === null && batch.ended_at !== null && Date.now() - Date.parse(batch.ended_at) < FINGERPRINT_WAIT_MS

function ExperimentHeader({ suite, experiment }: { suite: Suite; experiment: Experiment }) {
  const t = useMessages(suiteMessages)
  const approve = useWrite(suiteEndpoints.approveExperiment)
  const { batch, metrics, is_baseline, approved_by, approved_at } = experiment
  const { source, workflow_id } = experiment.target
  const figures = [
    [t('hit'), metrics.hit],
    [t('mrr'), metrics.mrr],
    [t('ndcg'), metrics.ndcg],
  ] as const
  return (
    <Flex component="header" wrap="wrap" align="center" justify="space-between" gap="sm" fz="sm">
      <Group gap="md" c="dimmed">
        <StatusBadge {...getBatchStatus(batch)} /> <RelativeTime at={batch.created_at} />
        <span>{t('rowsDone', { done: countEndedRows(batch), total: batch.total })}</span>
        {(source === 'app' ? [] : figures).map(([label, value]) => (
          <span key={label}>
            {label} <b>{formatMeasure(value) ?? t('notGiven')}</b>
          </span>
        ))}
        <span>
          {source === 'app'
            ? workflow_id
              ? t('pinnedVersion', { id: workflow_id })
              : t('publishedVersion')
            : source === 'chat'
              ? t('throughApp')
              : source === null
                ? t('beforeSuites')
                : (summarizeSettings(experiment) ?? t('datasetSettings'))}
        </span>
        {experiment.scores?.map(({ metric, average }) => (
          <span key={metric}>
            {metric} <b>{formatMeasure(average)}</b>
          </span>
        ))}
        <span>{t('revision', { n: experiment.suite_revision })}</span>
        {Object.entries(experiment.tags).map(([name, value]) => (
          <code key={name}>{`${name}=${value}`}</code>
        ))}
        {is_baseline ? (
          <span>
            <b>{t('approvedBy', { person: approved_by ?? t('theConsole') })}</b> <RelativeTime at={approved_at} />
          </span>
        ) : null}
      </Group>
      <Group gap="xs">
        <Button
          variant="default"
          component={Link}
          to={paths.suite(suite.id, { workspace: suite.workspace, view: 'compare', experiment: experiment.id })}
        >
          {t('compare')}
        </Button>
        {batch.state === 'ended' ? (
          <Can entry={suiteEndpoints.approveExperiment}>
            <Button
              variant="default"
              loading={approve.isPending}
              onClick={() =>
                approve.mutate({ params: { experiment_id: experiment.id }, body: { is_baseline: !is_baseline } })
              }
            >
              {t(is_baseline ? 'withdraw' : 'approve')}
            </Button>
          </Can>
        ) : null}
        <BatchActions batch={batch} />
      </Group>
      {approve.error ? <ProblemAlert problem={approve.error.problem} action={t('approveWhat')} /> : null}
    </Flex>
  )
}

function useResultColumns(suite: Suite, hasRepetitions: boolean): TableColumn<ExperimentResult>[] {
  const t = useMessages(suiteMessages)
  const isRetrieval = suite.target === 'retrieval'
  const whyColumn: TableColumn<ExperimentResult> = {
    header: t('why'),
    grows: true,
    cell: (result) => <Reasons suite={suite} result={result} />,
  }
  const expectedColumn: TableColumn<ExperimentResult> = {
    header: t('expected'),
    grows: true,
    cell: ({ expected }) => <Expectation suite={suite} expected={expected} />,
  }
  return [
    {
      header: t('outcome'),
      cell: ({ outcome, state }) => (
        <StatusBadge status={outcome ? t(outcome) : state === 'waiting' ? 'queued' : state} isPlain />
      ),
    },
    {
      header: t('caseHead'),
      grows: true,
      cell: ({ case_name, input }) =>
        isRetrieval && input.query ? (
          <Link
            to={paths.retrieval(suite.about, { workspace: suite.workspace, q: input.query })}
            dir="auto"
            title={case_name}
          >
            {case_name}
          </Link>
        ) : (
          <span title={case_name}>{case_name}</span>
        ),
    },
    ...(hasRepetitions
      ? [{ header: t('repetition'), isNumeric: true, cell: ({ repetition }: ExperimentResult) => repetition }]
      : []),
    ...(isRetrieval ? [expectedColumn] : []),
    ...(isRetrieval
      ? [
          {
            header: t('rank'),
            isNumeric: true,
            cell: ({ rank }: ExperimentResult) => (rank === null ? t('dash') : rank === 0 ? t('missTitle') : rank),
          },
        ]
      : []),
    whyColumn,
    ...(isRetrieval ? [] : [expectedColumn]),
    {
      header: isRetrieval ? t('call') : t('run'),
      cell: ({ run, number }) =>
        run && !isRetrieval ? (
          <Link
            to={paths.run(run, { workspace: suite.workspace })}
            aria-label={t('openRunOf', { run: run.slice(0, 8), number })}
          >
            {run.slice(0, 8)}
          </Link>
        ) : run ? (
          <Link
            to={paths.ledger({ workspace: suite.workspace, call: run })}
            aria-label={t('openCall', { call: run.slice(0, 8), number })}
          >
            {run.slice(0, 8)}
          </Link>
        ) : (
          t('dash')
        ),
    },
  ]
}

/** What each check says and why, those that did not pass first. */
function Reasons({ suite, result }: { suite: Suite; result: ExperimentResult }) {
  const t = useMessages(suiteMessages)
  const { problem, outcome, earlier_status } = result
  const verdicts = VERDICT_ORDER.flatMap((name) => result.verdicts.filter(({ verdict }) => verdict === name))
  if (!problem && !earlier_status && verdicts.length === 0)
    return <span>{outcome === null ? t('dash') : t('noChecks')}</span>
  return (
    <ul className={classes.reasons}>
      {earlier_status ? <li>{t('readAgain', { status: earlier_status })}</li> : null}
      {problem ? <li data-verdict="error">{problem.message}</li> : null}
      {verdicts.map(({ type, verdict, reason, judge_run }, index) => (
        <li key={`${type} ${index}`} data-verdict={verdict} title={reason}>
          {t(verdict)} · <code>{type}</code> {reason}
          {judge_run ? (
            <span data-above-row>
              <Link
                to={paths.run(judge_run, { workspace: suite.workspace })}
                aria-label={t('openJudgeRunOf', { type, number: result.number })}
              >
                {t('judgeRun')}
              </Link>
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

const VERDICT_ORDER = ['fail', 'error', 'pass'] as const

/** Characters of a hash that are shown. */
const HASH_CHARS = 8

/** What an experiment ran on: parameters, versions and datasets, and whether these changed while it ran. */
export function FingerprintNote({ fingerprint: { start, end } }: { fingerprint: ExperimentFingerprints }) {
  const t = useMessages(suiteMessages)
  const moment = end ?? start
  if (!moment) return null
  const { parameters, versions, datasets } = moment
  if (parameters === null && versions.length === 0 && datasets.length === 0) return null
  return (
    <ul className={classes.fingerprint} aria-label={t('fingerprint')}>
      {versions.length > 0 ? <li>{t('fingerprintVersions', { versions: versions.join(', ') })}</li> : null}
      {parameters === null ? null : (
        <li title={parameters}>{t('fingerprintParameters', { hash: parameters.slice(0, HASH_CHARS) })}</li>
      )}
      {datasets.map(({ dataset_id, hash, documents, unknown }) => {
        const before = start?.datasets.find((one) => one.dataset_id === dataset_id)?.hash ?? null
        const parts = [
          hash === null
            ? t('fingerprintUnlisted', { dataset: dataset_id.slice(0, HASH_CHARS) })
            : t('fingerprintDataset', {
                dataset: dataset_id.slice(0, HASH_CHARS),
                n: documents ?? 0,
                hash: hash.slice(0, HASH_CHARS),
              }),
          ...(end && before !== null && hash !== null && before !== hash ? [t('fingerprintChanged')] : []),
          ...(hash !== null && unknown.length > 0 ? [t('fingerprintUnknown', { parts: unknown.join(', ') })] : []),
        ]
        return (
          <li key={dataset_id} title={dataset_id}>
            {parts.join(' ')}
          </li>
        )
      })}
    </ul>
  )
}
