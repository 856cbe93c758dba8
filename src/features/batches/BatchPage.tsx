import { Progress } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { ROW_STATES, type RowState } from '#contract/batches.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { count, seconds } from '../../run/figures.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Metric } from '../../ui/Metric.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import classes from './Batch.module.css'
import { BatchDeeds } from './BatchDeeds.tsx'
import { BatchRows } from './BatchRows.tsx'
import { BatchStands } from './BatchStands.tsx'
import { estimateOf } from './estimate.ts'
import { endedIn, pricesOf, wordOf } from './figures.ts'
import { batchesWords } from './messages.ts'
import { useDuration } from './useDuration.ts'

const POLL = 5_000
const POLL_RUNNING = 1_000

/** `/batches/:batch_id`: how it stands, and its rows, while the server works on it and afterwards. */
export function BatchPage() {
  const t = useWords(batchesWords)
  const { batch_id = '' } = useParams()
  const { workspaces } = useWorkspace()
  const { get, set } = useListState()
  const duration = useDuration()
  const {
    data: batch,
    error,
    refetch,
  } = useRead(
    contract.console.readBatch,
    { params: { batch_id } },
    { poll: (reply) => (reply && (reply.state === 'running' || reply.counts.running > 0) ? POLL_RUNNING : POLL) },
  )
  const filter = ROW_STATES.find((one) => one === get('state'))
  const crumbs = (
    <>
      <Link to={paths.batches({ workspace: batch?.workspace })}>{t('title')}</Link>
      <span>/</span>
    </>
  )
  if (!batch)
    return (
      <Page title={t('title')} crumbs={error ? crumbs : undefined}>
        <div className={classes.alone}>
          {error?.problem.status === 404 || error?.problem.status === 400 ? (
            <Empty title={t('notFound')}>
              <Link to={paths.batches()}>{t('toBatches')}</Link>
            </Empty>
          ) : error ? (
            <ProblemNote problem={error.problem} what={t('readWhat')} onRetry={() => void refetch()} />
          ) : (
            <SkeletonRows rows={8} height={34} />
          )}
        </div>
      </Page>
    )
  const ended = endedIn(batch)
  const key = workspaces.flatMap(({ keys }) => keys).find(({ id }) => id === batch.key)
  const goesOn = batch.state === 'running' || batch.counts.running > 0
  const left = goesOn && !batch.waits_until ? estimateOf(batch) : null
  const chip = (state: RowState | null, n: number) => (
    <button
      key={state ?? 'all'}
      type="button"
      className={classes.chip}
      aria-pressed={(filter ?? null) === state}
      onClick={() => set({ state }, { replace: true })}
    >
      {state && state !== 'succeeded' ? <StateBadge word={state} plain /> : t(`states.${state ?? 'all'}`)} {count(n)}
    </button>
  )
  return (
    <Page
      title={batch.name}
      crumbs={crumbs}
      beside={
        <>
          <StateBadge word={wordOf(batch)} />
          <span className={classes.count}>{key?.label ?? t('deletedKey', { id: batch.key.slice(0, 8) })}</span>
        </>
      }
      actions={<BatchDeeds batch={batch} />}
      totals={
        <div className={classes.totals}>
          <div className={classes.progress}>
            <span>{t('rowsDone', { done: ended, total: batch.total })}</span>
            <Progress value={(ended / batch.total) * 100} aria-label={t('progress')} />
          </div>
          {left && left.rows > 0 ? (
            <Metric label={t('left')} value={left.ms === null ? null : duration(left.ms)} />
          ) : null}
          <Metric
            label={t('aRow')}
            value={batch.row_ms === null ? null : t('seconds', { seconds: seconds(batch.row_ms) })}
          />
          <Metric label={t('tokensSoFar')} value={batch.tokens === null ? null : count(batch.tokens)} />
          <Metric label={t('priceSoFar')} value={pricesOf(batch.prices)} />
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
          {ROW_STATES.filter((state) => batch.counts[state] > 0 || state === filter).map((state) =>
            chip(state, batch.counts[state]),
          )}
        </div>
      }
    >
      <title>{`${batch.name} · Loupe`}</title>
      <div className={classes.body}>
        <BatchStands batch={batch} />
        {error ? <ProblemNote problem={error.problem} what={t('readWhat')} onRetry={() => void refetch()} /> : null}
        <BatchRows key={filter ?? 'all'} batch={batch} state={filter} goesOn={goesOn} />
      </div>
    </Page>
  )
}
