import { sharedTexts } from '../../../components/i18n/sharedTexts.ts'
import { suiteMessages } from '../messages.ts'

/** Texts of the charts over the last experiments. */
export const trendMessages = {
  trend: 'Last experiments',
  trendWhat: 'load the figures of the last experiments',
  passRate: 'Pass rate of cases',
  latency: 'Time of a call',
  experimentHead: suiteMessages.experiment,
  passRateLine: 'Pass rate',
  low: 'Low end of the 95 % interval, dashed',
  high: 'High end of the 95 % interval, dashed',
  p50: sharedTexts.p50,
  p95: sharedTexts.p95Dashed,
  percent: sharedTexts.percentOf,
  passedOf: '{passed, number} of {total, number} cases passed, 95 % interval {low} to {high} %',
  p95Of: 'p95 {p95}, newest experiment',
  newestExperiment: 'newest experiment',
  baselinePoint: '{at}, baseline',
}
