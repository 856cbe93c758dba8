import type { TermStatistics } from './termStatistics.ts'

/** A term of a question: estimated number of passages with it, and its inverse document frequency. */
export interface WeightedTerm {
  term: number
  rows: number
  weight: number
}

/** More terms would add little to a score and much to its cost. */
const MAX_TERMS = 8
/** Target number of examined passages per question. */
const MAX_PASSAGES_SCANNED = 300
const MAX_CLAUSES = 5
/** Assumed share of the passages for a term that is too rare for the sample. */
const RARE_TERM_SHARE = 0.001

/**
 * The most informative terms, rarest first, and `most`, their total weight. Terms that occur nowhere weigh as much as
 * the rarest, and are not searched.
 */
export function idfWeights(
  terms: readonly number[],
  { passages, shares, exact }: TermStatistics,
): { terms: WeightedTerm[]; totalWeight: number } {
  const weightedTerms = terms.map((term) => {
    const rows = (shares.get(term) ?? (exact ? 0 : RARE_TERM_SHARE)) * passages
    return { term, rows, weight: Math.log(1 + (passages - rows + 0.5) / (rows + 0.5)) }
  })
  const presentTerms = weightedTerms
    .filter(({ rows }) => !exact || rows > 0)
    .sort((one, other) => one.rows - other.rows)
    .slice(0, MAX_TERMS)
  const absentTerms = weightedTerms.filter(({ rows }) => exact && rows === 0)
  return {
    terms: presentTerms,
    totalWeight: [...presentTerms, ...absentTerms].reduce((sum, { weight }) => sum + weight, 0),
  }
}

/**
 * Selects the passages to examine: those that have all terms of any arm. Rare terms are arms of their own; terms that
 * are too frequent are combined in pairs, or all together. So the best passages are among the few that are scored,
 * however many passages contain some term of the question.
 */
export function toQueryClauses(terms: readonly WeightedTerm[], passages: number): number[][] {
  const clauses: number[][] = []
  let rows = 0
  for (const { term, rows: termRows } of terms) {
    if (rows + termRows > MAX_PASSAGES_SCANNED) break
    clauses.push([term])
    rows += termRows
  }
  const frequent = terms.slice(clauses.length)
  for (const pair of toTermPairs(frequent, passages)) {
    if (rows + pair.rows > MAX_PASSAGES_SCANNED || clauses.length >= MAX_CLAUSES) break
    clauses.push(pair.terms)
    rows += pair.rows
  }
  return clauses.length > 0 ? clauses : [toConjunction(terms, passages)]
}

/** Fallback if too few passages have the combined terms: passages with any of the rarest terms, up to the limit. */
export const toRelaxedClauses = (terms: readonly WeightedTerm[]): number[][] =>
  terms.slice(0, 3).map(({ term }) => [term])

function toTermPairs(terms: readonly WeightedTerm[], passages: number) {
  return terms
    .flatMap((one, index) =>
      terms.slice(index + 1).map((other) => ({
        terms: [one.term, other.term],
        rows: (one.rows * other.rows) / Math.max(1, passages),
      })),
    )
    .sort((one, other) => one.rows - other.rows)
}

function toConjunction(terms: readonly WeightedTerm[], passages: number): number[] {
  const clause: number[] = []
  let rows = passages
  for (const { term, rows: termRows } of terms) {
    if (clause.length > 0 && rows <= MAX_PASSAGES_SCANNED) break
    clause.push(term)
    rows *= termRows / Math.max(1, passages)
  }
  return clause
}
