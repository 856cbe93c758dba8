import type { PoolClient } from 'pg'
import { toQueryClauses, toRelaxedClauses, weighTerms, type WeightedTerm } from './queryClauses.ts'
import type { TermStatistics } from './termStatistics.ts'
import { toDatasetMarker, type QueryTerm } from './termVector.ts'

/** A passage that was found, with its scores so far, each from 0 to 1. */
export interface ScoredPassage {
  id: string
  segment_id: string
  child_chunk_id: string | null
  score: number
}

export interface KeywordQuery {
  terms: readonly QueryTerm[]
  /** Ids of the datasets searched; null if these are all. */
  dataset_ids: readonly string[] | null
  /** Ids of the documents searched; null if these are all. */
  document_ids: readonly string[] | null
  statistics: TermStatistics
  /** Maximum number of passages returned. */
  limit: number
  /** Minimum number of passages for which the search is widened. */
  minimum: number
}

/** Maximum scored passages of a statement, regardless of the statistics. */
const MAX_SCORED_PASSAGES = 450

/**
 * Saturation and length normalization of BM25, chosen by `npm run bench -- retrieval`: the textbook's for words; pairs of
 * characters repeat less evenly, and their passages differ in length less by what they say.
 */
const WORD_PARAMETERS = { k1: 1.2, b: 0.75 }
const UNSPACED_PARAMETERS = { k1: 0.9, b: 0.4 }
/**
 * The score of a passage of average length that has each term of the question once. Hybrid search and score thresholds
 * rely on the scale.
 */
const SINGLE_OCCURRENCE_SCORE = 0.625
/** Up to this score the scale is linear; above it scores approach 1, so that two good passages never have the same. */
const LINEAR_SCORE = 0.75

/** Documents whose segments are searchable. */
export const FINDABLE_DOCUMENT_SQL = `d.enabled AND NOT d.archived AND d.indexing_status = 'completed' AND d.removed_at IS NULL`

/** A subquery instead of a join: without table statistics the planner would start a join with the documents. */
const OF_FINDABLE_DOCUMENT_SQL = `(SELECT ${FINDABLE_DOCUMENT_SQL} FROM platform.documents d WHERE d.id = p.document_id)`

/** Those terms of a passage that the question has, as often as the passage has them. */
const MATCHED_TERMS_SQL = `ARRAY(SELECT term FROM unnest(p.terms) AS term WHERE term = ANY($1::int4[])) AS matched`

interface CandidateRow {
  id: string
  segment_id: string
  child_chunk_id: string | null
  length: number
  matched: number[]
}

/**
 * The scorer of a question: its passages by keyword, best first, and the score of passages that were found by other
 * means.
 */
export function createKeywordSearch(keywordQuery: KeywordQuery) {
  const { statistics, limit } = keywordQuery
  const { terms, totalWeight } = weighTerms(keywordQuery.terms, statistics)
  const hashes = terms.map(({ hash }) => hash)
  const scorePassage = createScorer(terms, totalWeight, statistics.words)

  const search = async (client: PoolClient, clauses: number[][]): Promise<ScoredPassage[]> => {
    const { condition, values } = toCondition(clauses, keywordQuery, 1)
    const { rows } = await client.query<CandidateRow>(
      `SELECT p.id, p.segment_id, p.child_chunk_id, p.length, ${MATCHED_TERMS_SQL}
         FROM platform.passages p WHERE (${condition}) AND ${OF_FINDABLE_DOCUMENT_SQL} LIMIT ${MAX_SCORED_PASSAGES}`,
      [hashes, ...values],
    )
    return rows.map(({ id, segment_id, child_chunk_id, ...row }) => ({
      id,
      segment_id,
      child_chunk_id,
      score: scorePassage(row),
    }))
  }

  return {
    async find(client: PoolClient): Promise<ScoredPassage[]> {
      if (terms.length === 0) return []
      const passages = await search(client, toQueryClauses(terms, statistics.passages))
      if (passages.length < keywordQuery.minimum && terms.length > 1) {
        const knownIds = new Set(passages.map(({ id }) => id))
        const relaxedPassages = await search(client, toRelaxedClauses(terms))
        passages.push(...relaxedPassages.filter(({ id }) => !knownIds.has(id)))
      }
      return passages.sort(compareScores).slice(0, limit)
    },
    async score(client: PoolClient, ids: readonly string[]): Promise<Map<string, number>> {
      if (terms.length === 0 || ids.length === 0) return new Map()
      const { rows } = await client.query<CandidateRow>(
        `SELECT p.id, p.length, ${MATCHED_TERMS_SQL} FROM platform.passages p WHERE id = ANY($2::uuid[])`,
        [hashes, ids],
      )
      return new Map(rows.map((row) => [row.id, scorePassage(row)]))
    },
  }
}

/** Best first; equal scores in the order of their ids, so that a list does not change from one search to the next. */
export const compareScores = (one: ScoredPassage, other: ScoredPassage): number =>
  other.score - one.score || (one.id < other.id ? -1 : 1)

/** BM25 relative to the total weight of the question. */
function createScorer(terms: readonly WeightedTerm[], totalWeight: number, averageLength: number) {
  const termByHash = new Map(terms.map((term) => [term.hash, term]))
  return ({ matched, length }: Pick<CandidateRow, 'matched' | 'length'>): number => {
    const counts = new Map<WeightedTerm, number>()
    for (const hash of matched) {
      const term = termByHash.get(hash)
      if (term) counts.set(term, (counts.get(term) ?? 0) + 1)
    }
    let sum = 0
    for (const [{ weight, unspaced }, count] of counts) {
      const { k1, b } = unspaced ? UNSPACED_PARAMETERS : WORD_PARAMETERS
      sum += (weight * count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / averageLength))
    }
    return limitScore((SINGLE_OCCURRENCE_SCORE * sum) / (totalWeight || 1))
  }
}

function limitScore(score: number): number {
  if (score <= LINEAR_SCORE) return score
  const rest = 1 - LINEAR_SCORE
  return LINEAR_SCORE + rest * (1 - Math.exp((LINEAR_SCORE - score) / rest))
}

/** Each clause is one index scan over the terms, with the datasets' markers unless all are searched. */
function toCondition(
  clauses: number[][],
  { dataset_ids, document_ids }: Pick<KeywordQuery, 'dataset_ids' | 'document_ids'>,
  offset: number,
) {
  const values: unknown[] = clauses.map((clause) => clause)
  const markers = dataset_ids && ` AND p.terms && $${offset + values.push(dataset_ids.map(toDatasetMarker))}::int4[]`
  const condition = clauses
    .map((_, index) => `(p.terms @> $${offset + index + 1}::int4[]${markers ?? ''})`)
    .join(' OR ')
  if (!document_ids) return { condition, values }
  return { condition: `(${condition}) AND p.document_id = ANY($${offset + values.push(document_ids)}::uuid[])`, values }
}
