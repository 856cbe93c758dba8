import type { Statistics } from './statistics.ts'

/** A term of a question: about how many passages have it, and how much it tells (its inverse document frequency). */
export interface WeighedTerm {
  term: number
  rows: number
  weight: number
}

/** Terms beyond these add little to a score and much to its cost. */
const MOST_TERMS = 8
/** About so many passages are looked at for one question. */
const BUDGET = 300
const MOST_ARMS = 5
/** A term too rare for the sample is taken to be in this share of the passages. */
const RARE_SHARE = 0.001

/**
 * The terms that tell most, rarest first, and `most`, what all of them weigh together. Terms that are known to stand
 * nowhere weigh as much as the rarest, and are not looked for.
 */
export function weigh(
  terms: readonly number[],
  { passages, shares, exact }: Statistics,
): { terms: WeighedTerm[]; most: number } {
  const weighed = terms.map((term) => {
    const rows = (shares.get(term) ?? (exact ? 0 : RARE_SHARE)) * passages
    return { term, rows, weight: Math.log(1 + (passages - rows + 0.5) / (rows + 0.5)) }
  })
  const there = weighed
    .filter(({ rows }) => !exact || rows > 0)
    .sort((one, other) => one.rows - other.rows)
    .slice(0, MOST_TERMS)
  const absent = weighed.filter(({ rows }) => exact && rows === 0)
  return { terms: there, most: [...there, ...absent].reduce((sum, { weight }) => sum + weight, 0) }
}

/**
 * Which passages are looked at: those that have all terms of any arm. Rare terms are arms of their own; of terms that
 * stand in too many passages, two together are, or all of them. So the best passages are among the few that are scored,
 * however many have some word of the question.
 */
export function armsOf(terms: readonly WeighedTerm[], passages: number): number[][] {
  const arms: number[][] = []
  let rows = 0
  for (const { term, rows: own } of terms) {
    if (rows + own > BUDGET) break
    arms.push([term])
    rows += own
  }
  const frequent = terms.slice(arms.length)
  for (const pair of pairsOf(frequent, passages)) {
    if (rows + pair.rows > BUDGET || arms.length >= MOST_ARMS) break
    arms.push(pair.terms)
    rows += pair.rows
  }
  return arms.length > 0 ? arms : [together(terms, passages)]
}

/** When too few passages have the words together: those with any of the rarest, as many as may be looked at. */
export const relaxedArms = (terms: readonly WeighedTerm[]): number[][] => terms.slice(0, 3).map(({ term }) => [term])

function pairsOf(terms: readonly WeighedTerm[], passages: number) {
  return terms
    .flatMap((one, index) =>
      terms.slice(index + 1).map((other) => ({
        terms: [one.term, other.term],
        rows: (one.rows * other.rows) / Math.max(1, passages),
      })),
    )
    .sort((one, other) => one.rows - other.rows)
}

function together(terms: readonly WeighedTerm[], passages: number): number[] {
  const arm: number[] = []
  let rows = passages
  for (const { term, rows: own } of terms) {
    if (arm.length > 0 && rows <= BUDGET) break
    arm.push(term)
    rows *= own / Math.max(1, passages)
  }
  return arm
}
