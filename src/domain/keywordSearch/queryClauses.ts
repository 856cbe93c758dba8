import type { QueryTerm } from './termVector.ts'

export interface TermStatistics {
  passages: number
  /** Average number of words of a passage. */
  words: number
  /** Number of passages with a term; a term without an entry occurs nowhere. */
  counts: Map<number, number>
  /** False while passages of an earlier version are upgraded: the counts are then estimates. */
  exact: boolean
}

/** A term of a question: number of passages with it, and its weight by inverse document frequency. */
export interface WeightedTerm extends QueryTerm {
  rows: number
}

/** Maximum scored terms of a question: those of 32 words, as stem and prefix, without those of titles. */
const MAX_TERMS = 64
/** Target number of examined passages per question. */
const MAX_PASSAGES_SCANNED = 300
const MAX_CLAUSES = 5
/** Frequent terms that are combined in pairs. */
const MAX_PAIRED_TERMS = 8
/** Assumed share of the passages for a term whose frequency is not known yet. */
const ASSUMED_SHARE = 0.001

/**
 * The terms that occur, rarest first, and the total weight of the question's text terms, the maximum for a passage. A
 * term that occurs nowhere weighs as much as the rarest, and is not searched.
 */
export function weighTerms(
  queryTerms: readonly QueryTerm[],
  { passages, counts, exact }: TermStatistics,
): { terms: WeightedTerm[]; totalWeight: number } {
  const weighted = queryTerms.map((term): WeightedTerm => {
    const rows = counts.get(term.hash) ?? (exact ? 0 : term.field === 'text' ? ASSUMED_SHARE * passages : 0)
    const idf = Math.log(1 + (passages - rows + 0.5) / (rows + 0.5))
    return { ...term, rows, weight: term.weight * idf, isCovering: term.isCovering || !exact }
  })
  const textTerms = weighted
    .filter(({ field }) => field === 'text')
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_TERMS)
  const titleTerms = weighted.filter(({ field }) => field === 'title')
  const isPresent = ({ rows, field }: WeightedTerm) => rows > 0 || (!exact && field === 'text')
  return {
    terms: [...textTerms, ...titleTerms].filter(isPresent).sort((one, other) => one.rows - other.rows),
    totalWeight: textTerms.reduce((sum, { weight }) => sum + weight, 0),
  }
}

/**
 * Selects the passages to examine: those with all terms of any clause. Rare terms are clauses of their own; terms
 * that are too frequent are combined in pairs, or all together. So the best passages are among the few that are
 * scored, however many contain some term of the question.
 */
export function toQueryClauses(terms: readonly WeightedTerm[], passages: number): number[][] {
  const covering = terms.filter(({ isCovering }) => isCovering)
  const clauses: number[][] = []
  let rows = 0
  for (const { hash, rows: termRows } of covering) {
    if (rows + termRows > MAX_PASSAGES_SCANNED) break
    clauses.push([hash])
    rows += termRows
  }
  const frequent = covering.slice(clauses.length).filter(({ field }) => field === 'text')
  const maxClauses = clauses.length + MAX_CLAUSES
  for (const pair of toTermPairs(frequent.slice(0, MAX_PAIRED_TERMS), passages)) {
    if (rows + pair.rows > MAX_PASSAGES_SCANNED || clauses.length >= maxClauses) break
    clauses.push(pair.terms)
    rows += pair.rows
  }
  return clauses.length > 0 ? clauses : [toConjunction(covering, passages)]
}

/** Fallback if too few passages have the combined terms: passages with any of the rarest terms, up to the limit. */
export const toRelaxedClauses = (terms: readonly WeightedTerm[]): number[][] =>
  terms
    .filter(({ isCovering }) => isCovering)
    .slice(0, MAX_PAIRED_TERMS)
    .map(({ hash }) => [hash])

function toTermPairs(terms: readonly WeightedTerm[], passages: number) {
  return terms
    .flatMap((one, index) =>
      terms.slice(index + 1).map((other) => ({
        terms: [one.hash, other.hash],
        rows: (one.rows * other.rows) / Math.max(1, passages),
      })),
    )
    .sort((one, other) => one.rows - other.rows)
}

function toConjunction(terms: readonly WeightedTerm[], passages: number): number[] {
  const clause: number[] = []
  let rows = passages
  for (const { hash, rows: termRows } of terms) {
    if (clause.length > 0 && rows <= MAX_PASSAGES_SCANNED) break
    clause.push(hash)
    rows *= termRows / Math.max(1, passages)
  }
  return clause
}
