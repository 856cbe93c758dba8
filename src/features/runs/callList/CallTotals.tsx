import { formatDateTime } from '#domain/dateFormat.ts'
import type { CallAggregate, CallStats } from '#contract/console/calls.ts'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { Metric } from '../../../components/data/Metric.tsx'
import { Price } from '../../../components/data/Price.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './CallList.module.css'
import { callListMessages } from './messages.ts'

/** Totals and percentiles of what the filters leave; says so if they are those of the newest calls alone. */
export function CallTotals({ stats }: { stats: CallStats }) {
  const t = useMessages(callListMessages)
  const { total, is_complete: isComplete, since } = stats
  const seconds = (ms: number | null) => (ms === null ? null : t('secondsShort', { seconds: formatSeconds(ms) }))
  const figures: [label: string, value: React.ReactNode][] = [
    [t('calls'), formatCount(total.calls)],
    [t('failedCalls'), formatCount(total.failed)],
    ...(total.unclear > 0 ? ([[t('unclear'), formatCount(total.unclear)]] as const) : []).map(
      ([label, value]): [string, React.ReactNode] => [label, value],
    ),
    [t('median'), seconds(total.p50)],
    [t('slowest'), seconds(total.p95)],
    [t('firstTokenMedian'), seconds(total.first_token_p50)],
    [t('firstTokenSlowest'), seconds(total.first_token_p95)],
    [t('tokensInText'), total.tokens === null ? null : formatCount(total.tokens)],
    [t('priceInText'), total.prices.length === 0 ? null : <Prices prices={total.prices} />],
  ]
  return (
    <section className={classes.totals} aria-label={t('totals')}>
      {figures.map(([label, value]) => (
        <Metric key={label} label={label} value={value} />
      ))}
      {total.without_usage > 0 && total.tokens !== null ? (
        <small>{t('withoutUsage', { count: total.without_usage })}</small>
      ) : null}
      {!isComplete && since ? (
        <small>
          {t.rich('boundedSince', {
            time: () => <time dateTime={since}>{formatDateTime(since)}</time>,
          })}
        </small>
      ) : null}
    </section>
  )
}

/** One price per currency. */
export function Prices({ prices }: { prices: CallAggregate['prices'] }) {
  return prices.map(({ currency, total }, index) => (
    <span key={currency}>
      {index > 0 ? ', ' : null}
      <Price price={total} currency={currency} />
    </span>
  ))
}
