import { Progress } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { BATCH_ROW_STATES, type BatchRowState, batchEndpoints } from '#contract/console/batches.ts'
import { getBatchStatus } from '#domain/batchStatus.ts'
import { paths } from '#domain/paths.ts'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { Metric } from '../../components/data/Metric.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../components/layout/SkeletonRows.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { FilterChip } from '../../components/forms/FilterChip.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import classes from './Batch.module.css'
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
  const { get, set } = useSearchParamState()
  const duration = useApproximateDuration()
  const {
    data: batch,
    error,
    refetch,
  } = useRead(
    batchEndpoints.readBatch,
    { params: { batch_id } },
    {
      pollIntervalMs: (reply) =>
        reply && (reply.state === 'running' || reply.counts.running > 0)
          ? RUNNING_BATCH_POLL_INTERVAL_MS
          : IDLE_BATCH_POLL_INTERVAL_MS,
    },
  )
  const filter = BATCH_ROW_STATES.find((one) => one === get('state'))
  const breadcrumbs = (
    <>
      <Link to={paths.batches({ workspace: batch?.workspace })}>{t('title')}</Link>
      <span>/</span>
    </>
  )
  if (!batch)
    return (
      <Page title={t('title')} breadcrumbs={error ? breadcrumbs : undefined}>
        <div className={classes.alone}>
          {error?.problem.status === 404 || error?.problem.status === 400 ? (
            <EmptyState title={t('notFound')}>
              <Link to={paths.batches()}>{t('toBatches')}</Link>
            </EmptyState>
          ) : error ? (
            <ProblemAlert problem={error.problem} action={t('readWhat')} onRetry={() => void refetch()} />
          ) : (
            <SkeletonRows rows={8} height={34} />
          )}
        </div>
      </Page>
    )
  const endedRows = countEndedRows(batch)
  const key = workspaces.flatMap(({ keys }) => keys).find(({ id }) => id === batch.key)
  const isRunning = batch.state === 'running' || batch.counts.running > 0
  const left = isRunning && !batch.waits_until ? estimateBatch(batch) : null
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
    <Page
      title={batch.name}
      breadcrumbs={breadcrumbs}
      titleSuffix={
        <>
          <StatusBadge {...getBatchStatus(batch)} />
          <span className={classes.count}>{key?.label ?? t('deletedKey', { id: batch.key.slice(0, 8) })}</span>
        </>
      }
      actions={<BatchActions batch={batch} />}
      totals={
        <div className={classes.totals} role="group" aria-label={t('totals')} tabIndex={0}>
          <div className={classes.progress}>
            <span>{formatProgress(t, batch)}</span>
            <Progress value={(endedRows / batch.total) * 100} aria-label={t('progress')} />
          </div>
          {left && left.rows > 0 ? (
            <Metric label={t('left')} value={left.ms === null ? null : duration(left.ms)} />
          ) : null}
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
        </div>
      }
      toolbar={
        <div className={classes.chips} role="group" aria-label={t('showState')}>
          {chip(null, batch.total)}
          {BATCH_ROW_STATES.filter((state) => batch.counts[state] > 0 || state === filter).map((state) =>
            chip(state, batch.counts[state]),
          )}
        </div>
      }
    >
      <title>{`${batch.name} · Loupe`}</title>
      <div className={classes.body}>
        <BatchPauseNote batch={batch} />
        {error ? <ProblemAlert problem={error.problem} action={t('readWhat')} onRetry={() => void refetch()} /> : null}
        <BatchRows key={filter ?? 'all'} batch={batch} state={filter} isRunning={isRunning} />
      </div>
    </Page>
  )
}
