import { RUN_FIGURES } from '#contract/console/runs.ts'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import type { Turn } from './turn.ts'

/** The figures of a turn in the order in which screens have them, with their units. */
export const TURN_FIGURES = {
  firstToken: 'ms',
  duration: 'ms',
  promptTokens: 'count',
  completionTokens: 'count',
  tokens: 'count',
  price: 'price',
  frames: 'count',
  characters: 'count',
} as const
export type TurnFigure = keyof typeof TURN_FIGURES

/** The figures of a turn as numbers; null where one is missing. */
export function readTurnFigures(turn: Turn): Record<TurnFigure, number | null> {
  const { usage, run, text } = turn.answer
  const price = usage?.total_price ? Number(usage.total_price) : NaN
  return {
    firstToken: turn[RUN_FIGURES.firstToken.field],
    duration: turn.duration_ms,
    promptTokens: usage?.prompt_tokens ?? null,
    completionTokens: usage?.completion_tokens ?? null,
    tokens: usage?.total_tokens ?? run.total_tokens,
    price: Number.isFinite(price) ? price : null,
    frames: turn.frames,
    characters: text.length,
  }
}

/** The figure with its unit. A price is written with its currency, by `formatPrice`. */
export const formatTurnFigure = (
  name: Exclude<TurnFigure, 'price'>,
  value: number,
  t: (key: 'secondsShort', values: { seconds: string }) => string,
): string => (TURN_FIGURES[name] === 'ms' ? t('secondsShort', { seconds: formatSeconds(value) }) : formatCount(value))
