import { Button } from '@mantine/core'
import type { Batch } from '#contract/batches.ts'
import { contract } from '#contract/index.ts'
import { count } from '../../run/figures.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import classes from './Batch.module.css'
import { estimateOf } from './estimate.ts'
import { endedIn, pricesOf } from './figures.ts'
import { batchesWords } from './messages.ts'
import { useDuration } from './useDuration.ts'
import { May } from '../../wire/May.tsx'

/** Why a batch stands still or waits, and the way on; nothing while it goes. */
export function BatchStands({ batch }: { batch: Batch }) {
  const t = useWords(batchesWords)
  const duration = useDuration()
  const start = useWrite(contract.console.startBatch)
  const { state, pause, problem, bounds, counts, total } = batch
  const params = { batch_id: batch.id }
  if (state === 'filling') {
    const there = Object.values(counts).reduce((all, rows) => all + rows, 0)
    return <p className={classes.stands}>{t('filling', { missing: total - there })}</p>
  }
  if (state === 'running' && batch.waits_until)
    return (
      <div className={classes.stands}>
        <span>{t('waitsUntil', { time: new Date(batch.waits_until).toLocaleTimeString() })}</span>
        {problem ? <q>{problem.message}</q> : null}
      </div>
    )
  if (state !== 'paused' || pause === null) return null
  const refusal = start.error ? <ProblemNote problem={start.error.problem} what={t('changeWhat')} /> : null
  if (pause === 'refused' && problem)
    return (
      <div className={classes.refused}>
        <ProblemNote problem={problem} title={t('refusedTitle')}>
          <May entry={contract.console.startBatch}>
            <Button loading={start.isPending} onClick={() => start.mutate({ params, body: {} })}>
              {t('resume')}
            </Button>
          </May>
        </ProblemNote>
        {refusal}
      </div>
    )
  const { rows, ms, tokens, prices } = estimateOf(batch)
  const isBound = pause === 'row_cap' || pause === 'token_cap' || pause === 'no_tokens'
  return (
    <div className={classes.stands}>
      <span>
        {t(`stands.${pause}`, { done: endedIn(batch), max: bounds.max_tokens ?? 0, reason: problem?.message ?? '' })}
      </span>
      {rows > 0 && endedIn(batch) > 0 ? (
        <span>
          {t('estimate', {
            rows,
            time: ms === null ? t('notGiven') : duration(ms),
            tokens: tokens === null ? t('notGiven') : count(tokens),
            price: pricesOf(prices) ?? t('notGiven'),
          })}
        </span>
      ) : null}
      <May entry={contract.console.startBatch}>
        {pause === 'dry_run' ? (
          <Button loading={start.isPending} onClick={() => start.mutate({ params, body: {} })}>
            {t('runRest')}
          </Button>
        ) : null}
        {isBound ? (
          <Button
            variant="default"
            loading={start.isPending}
            onClick={() =>
              start.mutate({ params, body: pause === 'row_cap' ? { max_rows: null } : { max_tokens: null } })
            }
          >
            {t('liftBound')}
          </Button>
        ) : null}
      </May>
      {refusal}
    </div>
  )
}
