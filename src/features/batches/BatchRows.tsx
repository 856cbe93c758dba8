import { ActionIcon } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { Virtualizer } from 'virtua'
import type { Batch, BatchRow, RowState } from '#contract/batches.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { count, priceOf, seconds } from '../../run/figures.ts'
import { uiWords } from '../../ui/messages.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import { refresh, useRead, useWrite } from '../../wire/query.ts'
import classes from './BatchRows.module.css'
import { batchesWords } from './messages.ts'
import { useMay } from '../../wire/useMay.ts'

export interface BatchRowsProps {
  batch: Batch
  state: RowState | undefined
  /** Rows are under way: what is in sight is read again and again. */
  goesOn: boolean
}

const PAGE = 100
const POLL = 1_500
const HEIGHT = 34
const COLUMNS = ['number', 'state', 'input', 'result', 'duration', 'tokens', 'price'] as const

/** The rows of a batch; only those in sight are in the page, and only their pages are read. */
export function BatchRows({ batch, state, goesOn }: BatchRowsProps) {
  const t = useWords(batchesWords)
  const view = useRef<HTMLDivElement>(null)
  const client = useQueryClient()
  useEffect(() => {
    // What was read while it went may be older than its end.
    if (!goesOn) void refresh(client, contract.console.listBatchRows.shows)
  }, [client, goesOn])
  const first = usePage({ batch, state, goesOn }, 1)
  const total = first.data?.total ?? (state ? batch.counts[state] : batch.total)
  if (first.error && !first.data)
    return <ProblemNote problem={first.error.problem} what={t('rowsWhat')} onRetry={() => void first.refetch()} />
  if (first.data?.total === 0 && state)
    return <p className={classes.none}>{t('noRowsOf', { state: t(`states.${state}`) })}</p>
  return (
    <div ref={view} className={classes.view} role="region" aria-label={t('rows')} tabIndex={0}>
      <div className={classes.table} role="table" aria-label={t('rows')} aria-rowcount={total + 1}>
        <div className={classes.head} role="row" aria-rowindex={1}>
          {COLUMNS.map((name) => (
            <span key={name} role="columnheader">
              {t(name)}
            </span>
          ))}
        </div>
        <Virtualizer scrollRef={view} startMargin={28} itemSize={HEIGHT} data={[...Array(total).keys()]}>
          {(index) => <Row key={index} batch={batch} state={state} goesOn={goesOn} index={index} />}
        </Virtualizer>
      </div>
    </div>
  )
}

function usePage({ batch, state, goesOn }: BatchRowsProps, page: number) {
  return useRead(
    contract.console.listBatchRows,
    { params: { batch_id: batch.id }, query: { state, page, limit: PAGE } },
    { poll: goesOn ? POLL : false },
  )
}

/** One row, which reads the page that it stands on; equal reads are one request. */
function Row({ index, ...props }: BatchRowsProps & { index: number }) {
  const page = Math.floor(index / PAGE) + 1
  const { data } = usePage(props, page)
  const row = data?.page === page ? data.data[index % PAGE] : undefined
  if (!row) return <div className={classes.ghost} role="row" aria-rowindex={index + 2} />
  return <RowCells row={row} batch={props.batch} index={index} />
}

function RowCells({ row, batch, index }: { row: BatchRow; batch: Batch; index: number }) {
  const t = useWords(batchesWords)
  const ui = useWords(uiWords)
  const retry = useWrite(contract.console.retryBatch)
  const may = useMay()(contract.console.retryBatch)
  const isOver = row.state !== 'waiting' && row.state !== 'running'
  const missing = isOver ? <em>{ui('notGiven')}</em> : null
  const { number, state } = row
  const again = t(state === 'unknown' ? 'sendUnknownAgain' : 'sendAgain', { number: count(number) })
  const canRetry = may && (state === 'failed' || state === 'stopped' || state === 'unknown')
  return (
    <div className={classes.row} role="row" aria-rowindex={index + 2}>
      <span role="cell" className={classes.number}>
        {row.run && (batch.kind === 'run' || row.result) ? (
          <Link
            to={
              batch.kind === 'run'
                ? paths.run(row.run, { workspace: batch.workspace })
                : paths.annotations({ workspace: batch.workspace, app: batch.key, annotation: row.result })
            }
            aria-label={t(batch.kind === 'run' ? 'openRun' : 'openAnnotation', { number: count(number) })}
          >
            {count(number)}
          </Link>
        ) : (
          count(number)
        )}
      </span>
      <span role="cell">
        <StateBadge word={state} bare={state === 'succeeded'} plain={state === 'waiting'} />
      </span>
      <span role="cell" dir="auto" title={row.title}>
        {row.title}
      </span>
      <span
        role="cell"
        dir="auto"
        className={classes.result}
        data-problem={(row.problem !== null && isOver) || undefined}
      >
        {row.problem?.message ?? row.result ?? missing}
      </span>
      <span role="cell" className={classes.figure}>
        {row.duration_ms === null ? missing : t('seconds', { seconds: seconds(row.duration_ms) })}
      </span>
      <span role="cell" className={classes.figure}>
        {row.tokens === null ? missing : count(row.tokens)}
      </span>
      <span role="cell" className={classes.figure}>
        {priceOf(row.price, row.currency) ?? missing}
        {canRetry ? (
          <ActionIcon
            size={24}
            aria-label={again}
            title={again}
            loading={retry.isPending}
            onClick={() => retry.mutate({ params: { batch_id: batch.id }, body: { states: [state], number } })}
          >
            <IconRepeat size={14} />
          </ActionIcon>
        ) : null}
      </span>
    </div>
  )
}
