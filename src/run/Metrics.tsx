import type { ReactNode } from 'react'
import { Metric } from '../ui/Metric.tsx'
import { useWords } from '../ui/words.ts'
import { count, priceOf, seconds, speedOf } from './figures.ts'
import classes from './Answer.module.css'
import { runWords } from './messages.ts'
import { isOver, type Turn } from './turn.ts'

/** What an answer cost: time to the first token, speed, tokens, price. What was not given says so. */
export function Metrics({ turn }: { turn: Turn }) {
  const t = useWords(runWords)
  const { answer, first_token_ms, duration_ms } = turn
  const { usage } = answer
  const coming = !isOver(turn)
  const price = priceOf(usage?.total_price, usage?.currency)
  return (
    <>
      {coming && first_token_ms === null ? null : (
        <Metric label={t('firstToken')} value={first_token_ms === null ? null : seconds(first_token_ms)} unit="s" />
      )}
      {coming ? null : (
        <Metric label={t('speed')} value={speedOf(usage, first_token_ms, duration_ms)} unit={t('perSecond')} />
      )}
      {usage ? (
        <span className={classes.metric}>
          <span>{t('tokens')}</span>{' '}
          {t.rich('tokensInOut', {
            b: bold,
            input: given(usage.prompt_tokens),
            output: given(usage.completion_tokens),
          })}
        </span>
      ) : (
        <span className={classes.metric}>
          <span>{t('text')}</span>{' '}
          {t(coming ? 'charactersSoFar' : 'charactersCounted', { count: count(answer.text.length) })}
        </span>
      )}
      {coming ? (
        <span className={classes.metric}>
          <span>{t('price')}</span> {t('withEnd')}
        </span>
      ) : (
        <Metric label={t('price')} value={price} />
      )}
    </>
  )

  function given(tokens: number | null | undefined): string {
    return tokens === null || tokens === undefined ? t('notGiven') : count(tokens)
  }
}

const bold = (words: ReactNode) => <b>{words}</b>
