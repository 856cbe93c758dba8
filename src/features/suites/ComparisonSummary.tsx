import type { ExperimentComparison, PassRate } from '#contract/console/suites.ts'
import { MIN_CHANGED_CASES } from '#domain/experiments/pairedStatistics.ts'
import { Metric } from '../../components/data/Metric.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import classes from './Comparison.module.css'
import { experimentComparisonMessages } from './experimentComparisonMessages.ts'

/** Whether the later experiment is better, and how many cases passed in both, with intervals. */
export function ComparisonSummary({ comparison }: { comparison: ExperimentComparison }) {
  const t = useMessages(experimentComparisonMessages)
  const { pass_rates, test, edited } = comparison
  const { fixed, regressed, p_value, conclusion } = test
  return (
    <div className={classes.summary}>
      <p className={classes.conclusion} data-conclusion={conclusion} title={t('testTitle')}>
        {p_value === null
          ? t('conclusions.too_few', { n: fixed + regressed, min: MIN_CHANGED_CASES })
          : t(`conclusions.${conclusion}`, {
              n: fixed + regressed,
              min: MIN_CHANGED_CASES,
              fixed,
              regressed,
              p: p_value < SMALLEST_P_VALUE ? t('belowSmallest') : t('exactly', { p: p_value.toFixed(3) }),
            })}
      </p>
      {pass_rates.before.total === 0 ? (
        <p className={classes.note}>{t('noRate')}</p>
      ) : (
        <div className={classes.rates}>
          <Metric label={t('before')} value={<Rate of={pass_rates.before} />} />
          <Metric label={t('after')} value={<Rate of={pass_rates.after} />} />
        </div>
      )}
      {edited > 0 ? <p className={classes.note}>{t('editedCount', { n: edited })}</p> : null}
    </div>
  )
}

const SMALLEST_P_VALUE = 0.001

const toPercent = (share: number): number => Math.round(share * 100)

function Rate({ of: { passed, total, low, high } }: { of: PassRate }) {
  const t = useMessages(experimentComparisonMessages)
  return (
    <>
      {t('rate', { passed, total, share: toPercent(passed / total) })}{' '}
      {low === null || high === null ? null : (
        <small>{t('interval', { low: toPercent(low), high: toPercent(high) })}</small>
      )}
    </>
  )
}
