import { ActionIcon } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { Virtualizer } from 'virtua'
import { type Batch, type BatchRow, type BatchRowState, batchEndpoints } from '#contract/console/batches.ts'
import { paths } from '#domain/paths.ts'
import { Price } from '../../components/data/Price.tsx'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { componentMessages } from '../../components/i18n/messages.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { invalidateTags, useRead, useWrite } from '../../client/query.ts'
import classes from './BatchRows.module.css'
import { batchMessages } from './messages.ts'
import { usePermission } from '../../client/usePermission.ts'

export interface BatchRowsProps {
  batch: Batch
  state: BatchRowState | undefined
  /** Rows are running: poll the visible pages. */
  isRunning: boolean
}

const ROWS_PER_PAGE = 100
const ROWS_POLL_INTERVAL_MS = 1_500
const ROW_HEIGHT_PX = 34
const BATCH_ROW_COLUMNS = ['number', 'state', 'inputs', 'result', 'duration', 'tokens', 'price'] as const

/** The rows of a batch, virtualized; only visible pages are loaded. */
export function BatchRows({ batch, state, isRunning }: BatchRowsProps) {
  const t = useMessages(batchMessages)
  const viewport = useRef<HTMLDivElement>(null)
  const client = useQueryClient()
  useEffect(() => {
    // Pages loaded during the run may be older than its end.
    if (!isRunning) void invalidateTags(client, batchEndpoints.listBatchRows.tags)
  }, [client, isRunning])
  const retry = useWrite(batchEndpoints.retryBatch)
  const first = useBatchRowPage({ batch, state, isRunning }, 1)
  const total = first.data?.total ?? (state ? batch.counts[state] : batch.total)
  if (first.error && !first.data)
    return <ProblemAlert problem={first.error.problem} action={t('rowsWhat')} onRetry={() => void first.refetch()} />
  if (first.data?.total === 0 && state)
    return <p className={classes.none}>{t('noRowsOf', { state: t(`states.${state}`) })}</p>
  const retryRow: RowRetry = {
    number: retry.isPending ? (retry.variables.body.number ?? null) : null,
    start: (number, rowState) => retry.mutate({ params: { batch_id: batch.id }, body: { states: [rowState], number } }),
  }
  return (
    <>
      {retry.error ? <ProblemAlert problem={retry.error.problem} action={t('retryRowWhat')} /> : null}
      <div ref={viewport} className={classes.view} role="region" aria-label={t('rows')} tabIndex={0}>
        <div className={classes.table} role="table" aria-label={t('rows')} aria-rowcount={total + 1}>
          <div className={classes.head} role="row" aria-rowindex={1}>
            {BATCH_ROW_COLUMNS.map((name) => (
              <span key={name} role="columnheader">
                {t(name)}
              </span>
            ))}
          </div>
          <Virtualizer scrollRef={viewport} startMargin={28} itemSize={ROW_HEIGHT_PX} data={[...Array(total).keys()]}>
            {(index) => <BatchRowView key={index} {...{ batch, state, isRunning, index }} retry={retryRow} />}
          </Virtualizer>
        </div>
      </div>
    </>
  )
}

type RetriedState = Extract<BatchRowState, 'failed' | 'stopped' | 'unknown'>

/** Sends one row again. */
interface RowRetry {
  /** The row that is being sent. */
  number: number | null
  start: (number: number, state: RetriedState) => void
}

function useBatchRowPage({ batch, state, isRunning }: BatchRowsProps, page: number) {
  return useRead(
    batchEndpoints.listBatchRows,
    { params: { batch_id: batch.id }, query: { state, page, limit: ROWS_PER_PAGE } },
    { pollIntervalMs: isRunning ? ROWS_POLL_INTERVAL_MS : false },
  )
}

/** One row, which reads its own page; equal reads share one request. */
function BatchRowView({ index, retry, ...props }: BatchRowsProps & { index: number; retry: RowRetry }) {
  const page = Math.floor(index / ROWS_PER_PAGE) + 1
  const { data } = useBatchRowPage(props, page)
  const row = data?.page === page ? data.data[index % ROWS_PER_PAGE] : undefined
  if (!row) return <div className={classes.ghost} role="row" aria-rowindex={index + 2} />
  return <BatchRowCells row={row} batch={props.batch} index={index} retry={retry} />
}

interface BatchRowCellsProps {
  row: BatchRow
  batch: Batch
  index: number
  retry: RowRetry
}

function BatchRowCells({ row, batch, index, retry }: BatchRowCellsProps) {
  const t = useMessages(batchMessages)
  const ui = useMessages(componentMessages)
  const can = usePermission()(batchEndpoints.retryBatch)
  const isOver = row.state !== 'waiting' && row.state !== 'running'
  const missing = isOver ? <em>{ui('notGiven')}</em> : null
  const { number, file_row, state, stop } = row
  const shownNumber = formatCount(file_row)
  const linksToRun = batch.kind === 'run' || batch.kind === 'runs'
  const retryRow = t(state === 'unknown' ? 'sendUnknownAgain' : 'sendAgain', { number: shownNumber })
  const canRetry = can && (state === 'failed' || state === 'stopped' || state === 'unknown')
  return (
    <div className={classes.row} role="row" aria-rowindex={index + 2}>
      <span role="cell" className={classes.number}>
        {row.run && (linksToRun || row.result) ? (
          <Link
            to={
              linksToRun
                ? paths.run(row.run, { workspace: batch.workspace })
                : paths.annotations({ workspace: batch.workspace, app: batch.key, annotation: row.result })
            }
            aria-label={t(linksToRun ? 'openRun' : 'openAnnotation', { number: shownNumber })}
          >
            {shownNumber}
          </Link>
        ) : (
          shownNumber
        )}
      </span>
      <span role="cell" className={classes.state}>
        <StatusBadge status={state} isPlain={state === 'waiting' || state === 'succeeded'} title={getStopText()} />
      </span>
      <span role="cell" dir="auto" className={classes.title} title={row.title}>
        {row.turns > 1 ? <BatchRowTurns row={row} batch={batch} /> : null}
        {row.title}
      </span>
      <span
        role="cell"
        dir="auto"
        className={classes.result}
        data-problem={(row.problem !== null && isOver) || undefined}
      >
        {row.earlier_status ? `${t('readAgain', { status: row.earlier_status })} ` : null}
        {row.problem?.message ?? row.result ?? missing} {row.problem && state === 'succeeded' ? row.result : null}
      </span>
      <span role="cell" className={`${classes.figure} ${classes.duration}`}>
        {row.duration_ms === null ? missing : t('secondsShort', { seconds: formatSeconds(row.duration_ms) })}
      </span>
      <span role="cell" className={`${classes.figure} ${classes.tokens}`}>
        {row.tokens === null ? missing : formatCount(row.tokens)}
      </span>
      <span role="cell" className={`${classes.figure} ${classes.price}`}>
        {row.price ? <Price price={row.price} currency={row.currency} /> : missing}
        {canRetry ? (
          <ActionIcon
            size={24}
            aria-label={retryRow}
            title={retryRow}
            loading={retry.number === number}
            onClick={() => retry.start(number, state)}
          >
            <IconRepeat size={14} />
          </ActionIcon>
        ) : null}
      </span>
    </div>
  )

  function getStopText(): string | undefined {
    if (!stop?.had_effect) return undefined
    const { person, after_frame: frame } = stop
    return person === null ? t('stoppedAfterFrame', { frame }) : t('stoppedByAfterFrame', { person, frame })
  }
}

/** The turns of a conversation, each a link to its run; an active one shows its progress. */
function BatchRowTurns({ row, batch }: { row: BatchRow; batch: Batch }) {
  const t = useMessages(batchMessages)
  const runs = row.run ? [...row.turn_runs, row.run] : row.turn_runs
  return (
    <span className={classes.turns}>
      {runs.length < row.turns
        ? t('turnProgress', { turn: runs.length, turns: row.turns })
        : t('turnsDone', { n: row.turns })}
      {runs.map((run, index) => (
        <Link
          key={run}
          to={paths.run(run, { workspace: batch.workspace })}
          aria-label={t('openTurn', { turn: index + 1, number: formatCount(row.file_row) })}
        >
          {index + 1}
        </Link>
      ))}
    </span>
  )
}
