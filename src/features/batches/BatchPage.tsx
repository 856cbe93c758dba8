import { Box, Flex, Group, Progress, Stack, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { type Batch, BATCH_ROW_STATES, type BatchRowState, batchEndpoints } from '#contract/console/batches.ts'
import { getBatchStatus } from '#domain/batchStatus.ts'
import { paths } from '#domain/paths.ts'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { Metric } from '../../components/data/Metric.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { ReadBoundary } from '../../components/layout/ReadBoundary.tsx'
import { SkeletonRows } from '../../components/layout/SkeletonRows.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { FilterChip } from '../../components/forms/FilterChip.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { BatchActions } from './BatchActions.tsx'
import { BatchRows } from './BatchRows.tsx'
import { BatchPauseNote } from './BatchPauseNote.tsx'
import { estimateBatch, countEndedRows, formatPrices, formatProgress, useApproximateDuration } from './batchFigures.ts'
import { batchMessages } from './messages.ts'

const IDLE_BATCH_POLL_INTERVAL_MS = 5_000
const RUNNING_BATCH_POLL_INTERVAL_MS = 1_000

/** `/batches/:batch_id`: the state and the rows of a batch. */
export function BatchPage() {
  const t = useMessages(batchMessages)
  const { batch_id = '' } = useParams()
  const { workspaces } = useWorkspace()
  const filter = useStateFilter()
  const read = useRead(
    batchEndpoints.readBatch,
    { params: { batch_id } },
    {
      pollIntervalMs: (reply) =>
        reply && isActive(reply) ? RUNNING_BATCH_POLL_INTERVAL_MS : IDLE_BATCH_POLL_INTERVAL_MS,
    },
  )
  const batch = read.data
  const key = workspaces.flatMap(({ keys }) => keys).find(({ id }) => id === batch?.key)
  return (
    <Page
      title={batch?.name ?? t('title')}
      breadcrumbs={
        batch || read.error ? (
          <>
            <Link to={paths.batches({ workspace: batch?.workspace })}>{t('title')}</Link>
            <span>/</span>
          </>
        ) : undefined
      }
      titleSuffix={
        batch ? (
          <>
            <StatusBadge {...getBatchStatus(batch)} />
            <Text span fz="sm" c="dimmed">
              {key?.label ?? (batch.key && t('deletedKey', { id: batch.key.slice(0, 8) }))}
            </Text>
          </>
        ) : undefined
      }
      actions={batch ? <BatchActions batch={batch} /> : undefined}
      totals={batch ? <BatchTotals batch={batch} /> : undefined}
      toolbar={batch ? <StateChips batch={batch} /> : undefined}
    >
      <Flex direction="column" h="100%">
        <ReadBoundary
          read={read}
          action={t('readWhat')}
          loading={
            <Box p="lg">
              <SkeletonRows height={34} />
            </Box>
          }
          isInset
          notFound={
            <EmptyState title={t('notFound')}>
              <Link to={paths.batches()}>{t('toBatches')}</Link>
            </EmptyState>
          }
        >
          {(shown) => (
            <>
              <title>{`${shown.name} · Loupe`}</title>
              <BatchPauseNote batch={shown} />
              <BatchRows key={filter ?? 'all'} batch={shown} state={filter} isRunning={isActive(shown)} />
            </>
          )}
        </ReadBoundary>
      </Flex>
    </Page>
  )
}

const isActive = ({ state, counts }: Batch): boolean => state === 'running' || counts.running > 0

function useStateFilter(): BatchRowState | undefined {
  const { get } = useSearchParamState()
  return BATCH_ROW_STATES.find((state) => state === get('state'))
}

function BatchTotals({ batch }: { batch: Batch }) {
  const t = useMessages(batchMessages)
  const duration = useApproximateDuration()
  const left = isActive(batch) && !batch.waits_until ? estimateBatch(batch) : null
  return (
    <Flex
      flex={1}
      wrap="wrap"
      align="center"
      rowGap="xs"
      columnGap="lg"
      mih={52}
      px="lg"
      py="sm"
      role="group"
      aria-label={t('totals')}
      tabIndex={0}
    >
      <Stack gap="xs" w={220} fz="sm" c="dimmed">
        <span>{formatProgress(t, batch)}</span>
        <Progress value={(countEndedRows(batch) / batch.total) * 100} aria-label={t('progress')} />
      </Stack>
      {left && left.rows > 0 ? <Metric label={t('left')} value={left.ms === null ? null : duration(left.ms)} /> : null}
      <Metric
        label={t('aRow')}
        value={batch.row_ms === null ? null : t('secondsShort', { seconds: formatSeconds(batch.row_ms) })}
      />
      <Metric label={t('tokensSoFar')} value={batch.tokens === null ? null : formatCount(batch.tokens)} />
      <Metric label={t('priceSoFar')} value={formatPrices(batch.prices)} />
      <Metric
        label={t('speed')}
        value={batch.bounds.at_once}
        {...(batch.bounds.per_minute ? { unit: t('paceOf', { n: batch.bounds.per_minute }) } : {})}
      />
    </Flex>
  )
}

/** Filters the rows by their state. */
function StateChips({ batch }: { batch: Batch }) {
  const t = useMessages(batchMessages)
  const { set } = useSearchParamState()
  const filter = useStateFilter()
  const chip = (state: BatchRowState | null, n: number) => (
    <FilterChip
      key={state ?? 'all'}
      isPressed={(filter ?? null) === state}
      onClick={() => set({ state }, { replace: true })}
    >
      {state && state !== 'succeeded' ? <StatusBadge status={state} isPlain /> : t(`states.${state ?? 'all'}`)}{' '}
      {formatCount(n)}
    </FilterChip>
  )
  return (
    <Group gap="xs" role="group" aria-label={t('showState')}>
      {chip(null, batch.total)}
      {BATCH_ROW_STATES.filter((state) => batch.counts[state] > 0 || state === filter).map((state) =>
        chip(state, batch.counts[state]),
      )}
    </Group>
  )
}
