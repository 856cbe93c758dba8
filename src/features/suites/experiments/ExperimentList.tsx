import { Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { type Experiment, type Suite, suiteEndpoints } from '#contract/console/suites.ts'
import { getBatchStatus } from '#domain/batchStatus.ts'
import { paths } from '#domain/paths.ts'
import { useRead } from '../../../client/query.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import type { TableColumn } from '../../../components/data/Table.tsx'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { ResourceList } from '../../../components/layout/ResourceList.tsx'
import { ExperimentTrend } from './ExperimentTrend.tsx'
import { suiteMessages } from '../messages.ts'
import { formatMeasure, isAnyRunning, summarizeSettings } from './suiteFigures.ts'

const PAGE_SIZE_ROWS = 20
const POLL_INTERVAL_MS = 2_000

/** The experiments of a suite, newest first. */
export function ExperimentList({ suite }: { suite: Suite }) {
  const t = useMessages(suiteMessages)
  const { get } = useSearchParamState()
  const read = useRead(
    suiteEndpoints.listExperiments,
    { params: { suite_id: suite.id }, query: { page: get('page') ?? 1, limit: PAGE_SIZE_ROWS } },
    { pollIntervalMs: (reply) => (isAnyRunning(suite, reply?.data) ? POLL_INTERVAL_MS : false) },
  )
  const columns: TableColumn<Experiment>[] = [
    {
      header: t('started'),
      cell: ({ id, batch, is_baseline, approved_by }) => (
        <Group component="span" display="inline-flex" gap="xs">
          <Link to={paths.suite(suite.id, { workspace: suite.workspace, experiment: id })}>
            <RelativeTime at={batch.created_at} />
          </Link>
          {is_baseline ? (
            <b title={t('approvedBy', { person: approved_by ?? t('theConsole') })}>{t('baseline')}</b>
          ) : null}
        </Group>
      ),
    },
    { header: t('state'), cell: ({ batch }) => <StatusBadge {...getBatchStatus(batch)} isPlain /> },
    {
      header: t('passed'),
      isNumeric: true,
      cell: ({ outcomes, batch }) => t('passedOf', { pass: outcomes.pass, all: batch.total }),
    },
    ...(suite.target === 'retrieval'
      ? [
          { header: t('hit'), isNumeric: true, cell: ({ metrics }: Experiment) => formatMeasure(metrics.hit) },
          { header: t('mrr'), isNumeric: true, cell: ({ metrics }: Experiment) => formatMeasure(metrics.mrr) },
          { header: t('ndcg'), isNumeric: true, cell: ({ metrics }: Experiment) => formatMeasure(metrics.ndcg) },
          {
            header: t('settings'),
            grows: true,
            cell: (one: Experiment) => summarizeSettings(one) ?? t('datasetSettings'),
          },
        ]
      : [
          { header: t('failedCount'), isNumeric: true, cell: ({ outcomes }: Experiment) => outcomes.fail },
          { header: t('errorCount'), isNumeric: true, cell: ({ outcomes }: Experiment) => outcomes.error },
          {
            header: t('version'),
            grows: true,
            cell: ({ target }: Experiment) =>
              target.workflow_id ? t('pinnedVersion', { id: target.workflow_id }) : t('publishedVersion'),
          },
        ]),
    { header: t('startedBy'), cell: ({ batch }) => batch.person },
  ]
  return (
    <ResourceList<Experiment>
      label={t('experimentsView')}
      read={read}
      rows={read.data?.data}
      page={read.data}
      action={t('experimentsWhat')}
      columns={columns}
      getKey={({ id }) => id}
      aboveTable={
        <>
          <ExperimentTrend suite={suite} />
          {suite.baseline === null ? (
            <Text px="lg" fz="sm" c="dimmed">
              {t('noBaseline')}
            </Text>
          ) : null}
        </>
      }
      empty={<EmptyState title={t('noExperiments')}>{t('noExperimentsText')}</EmptyState>}
    />
  )
}
