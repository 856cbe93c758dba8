import type { PoolClient } from 'pg'
import {
  compareScores,
  createScorer,
  type PassageTerms,
  type ScoredPassage,
} from '#domain/keywordSearch/passageScoring.ts'
import {
  type TermStatistics,
  toQueryClauses,
  toRelaxedClauses,
  weighTerms,
} from '#domain/keywordSearch/queryClauses.ts'
import { toDatasetMarker, type QueryTerm } from '#domain/keywordSearch/termVector.ts'
import { FINDABLE_DOCUMENT_SQL } from './searchableDatasets.ts'
import type { OverlayPassage, SegmentOverlay } from './segmentOverlay.ts'

export interface KeywordQuery {
  terms: readonly QueryTerm[]
  /** Ids of the searched datasets; null for all. */
  dataset_ids: readonly string[] | null
  /** Ids of the searched documents; null for all. */
  document_ids: readonly string[] | null
  statistics: TermStatistics
  /** Number of returned passages. Further ones are only the best of segments that would have none. */
  limit: number
  /** Minimum number of segments for which the search is widened. */
  minimum: number
  /** Segments that are searched in a changed form; null for the stored ones. */
  overlay: SegmentOverlay | null
}

/** Maximum scored passages of a statement, regardless of the statistics. */
const MAX_SCORED_PASSAGES = 450

/** A subquery instead of a join: without table statistics the planner would start the join with the documents. */
const OF_FINDABLE_DOCUMENT_SQL = `(SELECT ${FINDABLE_DOCUMENT_SQL} FROM platform.documents d WHERE d.id = p.document_id)`

/** The terms of a passage that the question has, with their repetitions. */
const MATCHED_TERMS_SQL = `ARRAY(SELECT term FROM unnest(p.terms) AS term WHERE term = ANY($1::int4[])) AS matched`

interface CandidateRow extends PassageTerms {
  id: string
  segment_id: string
  child_chunk_id: string | null
}

/** Finds the passages of a question by keyword, best first, and scores passages found by other means. */
export function createKeywordSearch(keywordQuery: KeywordQuery) {
  const { statistics, limit, overlay } = keywordQuery
  const { terms, totalWeight } = weighTerms(keywordQuery.terms, statistics)
  const hashes = terms.map(({ hash }) => hash)
  const scorePassage = createScorer(terms, totalWeight, statistics.words)

  const search = async (
    client: PoolClient,
    clauses: number[][],
    excluded: readonly string[],
  ): Promise<ScoredPassage[]> => {
    const { condition, values } = toCondition(clauses, keywordQuery, excluded)
    const { rows } = await client.query<CandidateRow>(
      `SELECT p.id, p.segment_id, p.child_chunk_id, p.length, ${MATCHED_TERMS_SQL}
         FROM platform.passages p WHERE ${condition} AND ${OF_FINDABLE_DOCUMENT_SQL} LIMIT ${MAX_SCORED_PASSAGES}`,
      [hashes, ...values],
    )
    const found = overlay ? [...rows, ...findOverlayPassages(overlay, clauses, excluded)] : rows
    return found.map(({ id, segment_id, child_chunk_id, ...row }) => ({
      id,
      segment_id,
      child_chunk_id,
      score: scorePassage(row),
    }))
  }
  const hashSet = new Set(hashes)
  const toCandidate = ({ terms: own, ...row }: OverlayPassage): CandidateRow => ({
    ...row,
    matched: own.filter((hash) => hashSet.has(hash)),
  })
  const findOverlayPassages = (
    { passages, isFindable }: SegmentOverlay,
    clauses: number[][],
    excluded: readonly string[],
  ) =>
    passages
      .filter(
        ({ terms: own, document_id, segment_id }) =>
          isFindable(document_id) &&
          !excluded.includes(segment_id) &&
          (keywordQuery.document_ids?.includes(document_id) ?? true) &&
          clauses.some((clause) => clause.every((hash) => own.includes(hash))),
      )
      .map(toCandidate)

  return {
    /** Passages of segments that are not excluded, best first. */
    async find(client: PoolClient, excluded: readonly string[] = []): Promise<ScoredPassage[]> {
      if (terms.length === 0) return []
      const passages = await search(client, toQueryClauses(terms, statistics.passages), excluded)
      const segments = new Set(passages.map(({ segment_id }) => segment_id))
      if (segments.size < keywordQuery.minimum && terms.length > 1) {
        const knownIds = new Set(passages.map(({ id }) => id))
        const relaxedPassages = await search(client, toRelaxedClauses(terms), excluded)
        passages.push(...relaxedPassages.filter(({ id }) => !knownIds.has(id)))
      }
      return limitPassages(passages.sort(compareScores), limit)
    },
    async score(client: PoolClient, ids: readonly string[]): Promise<Map<string, number>> {
      if (terms.length === 0 || ids.length === 0) return new Map()
      const { rows } = await client.query<CandidateRow>(
        `SELECT p.id, p.length, ${MATCHED_TERMS_SQL} FROM platform.passages p WHERE id = ANY($2::uuid[])`,
        [hashes, ids],
      )
      const overlaid = overlay?.passages.filter(({ id }) => ids.includes(id)).map(toCandidate) ?? []
      return new Map([...rows, ...overlaid].map((row) => [row.id, scorePassage(row)]))
    },
  }
}

function limitPassages(ranked: readonly ScoredPassage[], limit: number): ScoredPassage[] {
  const segments = new Set<string>()
  return ranked.filter(({ segment_id }, index) => {
    if (index >= limit && (segments.size >= limit || segments.has(segment_id))) return false
    segments.add(segment_id)
    return true
  })
}

/** Each clause is one index scan over the terms, with the datasets' markers unless all are searched. */
function toCondition(
  clauses: number[][],
  { dataset_ids, document_ids, overlay }: Pick<KeywordQuery, 'dataset_ids' | 'document_ids' | 'overlay'>,
  excluded: readonly string[],
) {
  const values: unknown[] = clauses.map((clause) => clause)
  // The first parameter belongs to the query itself.
  const add = (value: unknown) => `$${1 + values.push(value)}`
  const markers = dataset_ids && ` AND p.terms && ${add(dataset_ids.map(toDatasetMarker))}::int4[]`
  let condition = `(${clauses.map((_, index) => `(p.terms @> $${index + 2}::int4[]${markers ?? ''})`).join(' OR ')})`
  if (document_ids) condition += ` AND p.document_id = ANY(${add(document_ids)}::uuid[])`
  const hidden = [...(overlay?.hidden ?? []), ...excluded]
  if (hidden.length > 0) condition += ` AND p.segment_id <> ALL(${add(hidden)}::uuid[])`
  return { condition, values }
}
