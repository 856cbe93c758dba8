import type { ReactNode } from 'react'
import { Metric } from '../../../components/data/Metric.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { Price } from '../../../components/data/Price.tsx'
import { formatCount, formatSeconds, formatTokensPerSecond } from '#domain/metricFormat.ts'
import classes from './AnswerView.module.css'
import { runMessages } from '../detail/messages.ts'
import { isTurnOver, type Turn } from '../turn.ts'

/** The metrics of an answer: time to first token, speed, tokens, price. A missing value is shown as missing. */
export function AnswerMetrics({ turn }: { turn: Turn }) {
  const t = useMessages(runMessages)
  const { answer, first_token_ms, duration_ms } = turn
  const { usage } = answer
  const isRunning = !isTurnOver(turn)
  return (
    <>
      {isRunning && first_token_ms === null ? null : (
        <Metric
          label={t('firstToken')}
          value={first_token_ms === null ? null : formatSeconds(first_token_ms)}
          unit="s"
          title={t('measuredWhy')}
        />
      )}
      {isRunning ? null : (
        <Metric
          label={t('speed')}
          value={formatTokensPerSecond(usage, first_token_ms, duration_ms)}
          unit={t('perSecond')}
          title={t('measuredWhy')}
        />
      )}
      {usage ? (
        <span className={classes.metric} title={t('reportedWhy')}>
          <span>{t('tokens')}</span>{' '}
          {t.rich('tokensInOut', {
            b: bold,
            input: formatTokens(usage.prompt_tokens),
            output: formatTokens(usage.completion_tokens),
          })}
        </span>
      ) : (
        <span className={classes.metric}>
          <span>{t('text')}</span>{' '}
          {t(isRunning ? 'charactersSoFar' : 'charactersCounted', { count: formatCount(answer.text.length) })}
        </span>
      )}
      {isRunning ? (
        <span className={classes.metric}>
          <span>{t('price')}</span> {t('withEnd')}
        </span>
      ) : (
        <Metric
          label={t('price')}
          value={usage?.total_price ? <Price price={usage.total_price} currency={usage.currency} /> : null}
        />
      )}
    </>
  )

  function formatTokens(tokens: number | null | undefined): string {
    return tokens === null || tokens === undefined ? t('notGiven') : formatCount(tokens)
  }
}

const bold = (words: ReactNode) => <b>{words}</b>
