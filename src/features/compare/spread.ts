import { type Figure, figuresOf } from '../../run/compare/figures.ts'
import { isOver, type Turn } from '../../run/turn.ts'

/** One figure over the rounds of a cell: of those rounds that gave it. */
export interface Spread {
  min: number
  median: number
  max: number
  given: number
}

/** What the rounds of a cell took, and how far their answers agree. */
export interface Summary {
  /** Rounds that have ended, and those of them that succeeded. */
  over: number
  succeeded: number
  figures: Record<Figure['name'], Spread | null>
  /** The currency of the prices: undefined where none was given, null where they are in more than one. */
  currency: string | null | undefined
  /** A price as it was given, null where none was. */
  price: string | null
  /** How many of the answers were one and the same, and how many different ones there were; null without an answer. */
  agreement: { same: number; kinds: number } | null
}

export function summaryOf(turns: readonly Turn[]): Summary {
  const over = turns.filter(isOver)
  const figures = over.map(figuresOf)
  const succeeded = over.filter(({ state }) => state === 'succeeded')
  const currencies = new Set(
    over.flatMap(({ answer: { usage } }) => (usage?.total_price ? [usage.currency ?? ''] : [])),
  )
  const currency = currencies.size > 1 ? null : [...currencies][0]
  const spreads = Object.fromEntries(
    NAMES.map((name) => [
      name,
      // Prices of two currencies have no median.
      name === 'price' && currency === null ? null : spreadOf(figures.map((one) => one[name])),
    ]),
  ) as Summary['figures']
  return {
    over: over.length,
    succeeded: succeeded.length,
    figures: spreads,
    currency,
    price: over.find(({ answer }) => answer.usage?.total_price)?.answer.usage?.total_price ?? null,
    agreement: agreementOf(succeeded),
  }
}

/** The least, the middle and the most of the numbers that are given; null where none is. */
export function spreadOf(values: readonly (number | null)[]): Spread | null {
  const given = values.filter((value) => value !== null).sort((one, two) => one - two)
  const middle = given.length / 2
  const [low, high] = [given[Math.ceil(middle) - 1], given[Math.floor(middle)]]
  const [min, max] = [given[0], given.at(-1)]
  if (low === undefined || high === undefined || min === undefined || max === undefined) return null
  return { min, median: low + (high - low) / 2, max, given: given.length }
}

/** How much more the middle of a figure is than the baseline's; null where the two say nothing of each other. */
export function changeOf(name: Figure['name'], baseline: Summary, other: Summary): number | null {
  const [before, after] = [baseline.figures[name], other.figures[name]]
  if (!before || !after || (name === 'price' && baseline.currency !== other.currency)) return null
  return after.median - before.median
}

function agreementOf(turns: readonly Turn[]): Summary['agreement'] {
  const counts = new Map<string, number>()
  for (const turn of turns) counts.set(wordsOf(turn), (counts.get(wordsOf(turn)) ?? 0) + 1)
  return counts.size === 0 ? null : { same: Math.max(...counts.values()), kinds: counts.size }
}

/** What counts as the answer: the outputs of a workflow, else the words. */
const wordsOf = ({ answer }: Turn): string => JSON.stringify(answer.run.outputs ?? answer.text)

const NAMES = [
  'firstToken',
  'duration',
  'promptTokens',
  'completionTokens',
  'tokens',
  'price',
  'frames',
  'characters',
] as const satisfies Figure['name'][]
