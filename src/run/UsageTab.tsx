import type { ReactNode } from 'react'
import { IdChip } from '../ui/IdChip.tsx'
import { RawJson } from '../ui/RawJson.tsx'
import { StateBadge } from '../ui/StateBadge.tsx'
import { useWords } from '../ui/words.ts'
import { count, priceOf, seconds, speedOf } from './figures.ts'
import classes from './Inspector.module.css'
import { runWords } from './messages.ts'
import { isOver, type Turn } from './turn.ts'

/** What an answer cost, in the platform's figures and the console's. Whatever was not given says so. */
export function UsageTab({ turn }: { turn: Turn }) {
  const t = useWords(runWords)
  const { answer, first_token_ms, duration_ms, frames, state, run_id } = turn
  const usage = answer.usage
  const missing = isOver(turn) ? t('notGiven') : t('withEnd')
  const number = (value: number | null | undefined) => (value === null || value === undefined ? null : count(value))
  const time = (ms: number | null) => (ms === null ? null : t('seconds', { seconds: seconds(ms) }))
  const unit = (
    price: string | null | undefined,
    unitPrice: string | null | undefined,
    per: string | null | undefined,
  ) => {
    const shown = priceOf(price, usage?.currency)
    return shown && unitPrice && per ? t('unitPrice', { price: shown, unit: unitPrice, per }) : shown
  }
  const rows: [string, ReactNode][] = [
    [t('state'), <StateBadge key="state" word={state} />],
    [t('mode'), answer.mode ?? (answer.run.workflow_run_id ? 'advanced-chat' : null)],
    [t('firstFrame'), time(first_token_ms)],
    [t('tokensPerSecond'), speedOf(usage, first_token_ms, duration_ms)],
    [t('total'), time(duration_ms)],
    [
      t('latency'),
      usage?.latency === null || usage?.latency === undefined ? null : t('seconds', { seconds: usage.latency }),
    ],
    [t('promptTokens'), number(usage?.prompt_tokens)],
    [t('completionTokens'), number(usage?.completion_tokens)],
    [t('totalTokens'), number(usage?.total_tokens)],
    [t('promptPrice'), unit(usage?.prompt_price, usage?.prompt_unit_price, usage?.prompt_price_unit)],
    [t('completionPrice'), unit(usage?.completion_price, usage?.completion_unit_price, usage?.completion_price_unit)],
    [t('totalPrice'), priceOf(usage?.total_price, usage?.currency)],
    [t('frames'), count(frames)],
    [t('run'), <IdChip key="run" id={run_id} />],
    [t('message'), answer.message_id ? <IdChip key="message" id={answer.message_id} /> : null],
    [t('task'), answer.task_id ? <IdChip key="task" id={answer.task_id} /> : null],
  ]
  return (
    <>
      <dl className={classes.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? <span className={classes.missing}>{missing}</span>}</dd>
          </div>
        ))}
      </dl>
      {answer.metadata ? <RawJson value={answer.metadata} label={t('metadata')} /> : null}
    </>
  )
}
