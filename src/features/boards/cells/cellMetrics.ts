import { isSuccessStatus } from '#contract/console/runs.ts'
import { type ComparedMetric, readMetrics } from '../../runs/compare/compareRuns.ts'
import { isTurnOver, type Turn } from '../../runs/turn.ts'

/** One metric over those rounds of a cell that have it. */
export interface MetricRange {
  min: number
  median: number
  max: number
  count: number
}

/** The metrics of a cell's rounds, and how far their answers agree. */
export interface CellMetrics {
  /** Rounds that have ended, and those of them that succeeded. */
  finished: number
  succeeded: number
  metrics: Record<ComparedMetric['name'], MetricRange | null>
  /** The currency of the prices: undefined where none was given, null where they are in more than one. */
  currency: string | null | undefined
  /** A price as it was given, null where none was. */
  price: string | null
  /** How many of the answers were one and the same, and how many different ones there were; null without an answer. */
  agreement: { same: number; kinds: number } | null
}

export function summarizeTurns(turns: readonly Turn[]): CellMetrics {
  const finishedTurns = turns.filter(isTurnOver)
  const metrics = finishedTurns.map(readMetrics)
  const succeeded = finishedTurns.filter(({ state }) => isSuccessStatus(state))
  const currencies = new Set(
    finishedTurns.flatMap(({ answer: { usage } }) => (usage?.total_price ? [usage.currency ?? ''] : [])),
  )
  const currency = currencies.size > 1 ? null : [...currencies][0]
  const spreads = Object.fromEntries(
    COMPARED_METRIC_NAMES.map((name) => [
      name,
      // Prices of two currencies have no median.
      name === 'price' && currency === null ? null : toMetricRange(metrics.map((one) => one[name])),
    ]),
  ) as CellMetrics['metrics']
  return {
    finished: finishedTurns.length,
    succeeded: succeeded.length,
    metrics: spreads,
    currency,
    price: finishedTurns.find(({ answer }) => answer.usage?.total_price)?.answer.usage?.total_price ?? null,
    agreement: getAgreement(succeeded),
  }
}

/** Minimum, median and maximum of the given numbers; null without any. */
export function toMetricRange(values: readonly (number | null)[]): MetricRange | null {
  const numbers = values.filter((value) => value !== null).sort((one, two) => one - two)
  const middle = numbers.length / 2
  const [low, high] = [numbers[Math.ceil(middle) - 1], numbers[Math.floor(middle)]]
  const [min, max] = [numbers[0], numbers.at(-1)]
  if (low === undefined || high === undefined || min === undefined || max === undefined) return null
  return { min, median: low + (high - low) / 2, max, count: numbers.length }
}

/** The change of a median from the baseline's; null if they are not comparable. */
export function getMedianChange(
  name: ComparedMetric['name'],
  baseline: CellMetrics,
  other: CellMetrics,
): number | null {
  const [before, after] = [baseline.metrics[name], other.metrics[name]]
  if (!before || !after || (name === 'price' && baseline.currency !== other.currency)) return null
  return after.median - before.median
}

function getAgreement(turns: readonly Turn[]): CellMetrics['agreement'] {
  const counts = new Map<string, number>()
  for (const turn of turns) counts.set(toAnswerText(turn), (counts.get(toAnswerText(turn)) ?? 0) + 1)
  return counts.size === 0 ? null : { same: Math.max(...counts.values()), kinds: counts.size }
}

/** What counts as the answer: the outputs of a workflow, else the words. */
const toAnswerText = ({ answer }: Turn): string => JSON.stringify(answer.run.outputs ?? answer.text)

const COMPARED_METRIC_NAMES = [
  'firstToken',
  'duration',
  'promptTokens',
  'completionTokens',
  'tokens',
  'price',
  'frames',
  'characters',
] as const satisfies ComparedMetric['name'][]
