import type { Pool } from 'pg'

/** Term frequencies in the passages of a dataset. */
export interface TermStatistics {
  passages: number
  /** Average number of words of a passage. */
  words: number
  /**
   * Document frequency of each term as a share of the passages; only terms that several passages of the sample have.
   */
  shares: Map<number, number>
  /** True if every passage was read, so that a term without a share occurs nowhere. */
  exact: boolean
}

interface CachedStatistics extends TermStatistics {
  changed: number
  at: number
}

const SAMPLE_ROWS = 500
/** A term in fewer passages of the sample is rare: its share cannot be estimated more precisely. */
const MIN_SAMPLE_COUNT = 3
/** Maximum age of the statistics of a growing dataset, in ms. */
const MAX_AGE_MS = 30_000

/**
 * Term statistics, cached until a dataset changes. They come from a sample (ids are random), so a million passages take
 * as long as a thousand.
 */
export function createTermStatistics(pool: Pool, clock: () => number) {
  const cache = new Map<string, CachedStatistics>()
  return async (dataset: { id: string; changed: number }): Promise<TermStatistics> => {
    const cached = cache.get(dataset.id)
    const isFresh = cached && clock() - cached.at < MAX_AGE_MS && cached.passages > SAMPLE_ROWS
    if (cached && (isFresh || cached.changed === dataset.changed)) return cached
    const sampled = { ...(await sampleStatistics(pool, dataset.id)), changed: dataset.changed, at: clock() }
    cache.set(dataset.id, sampled)
    return sampled
  }
}
export type ReadTermStatistics = ReturnType<typeof createTermStatistics>

async function sampleStatistics(pool: Pool, dataset_id: string): Promise<TermStatistics> {
  const { rows: sizes } = await pool.query<{ passages: number; sampled: number; words: number | null }>(
    `SELECT (SELECT coalesce(sum(passages), 0)::int4 FROM platform.documents WHERE dataset_id = $1) AS passages,
            count(*)::int4 AS sampled, avg(length)::float8 AS words
       FROM (SELECT length FROM platform.passages WHERE dataset_id = $1 ORDER BY id LIMIT ${SAMPLE_ROWS}) sample`,
    [dataset_id],
  )
  const sampled = sizes[0]?.sampled ?? 0
  // The stored count lacks passages that were added after their document was indexed.
  const passages = Math.max(sizes[0]?.passages ?? 0, sampled)
  const { rows } = await pool.query<{ term: number; count: number }>(
    `SELECT term, count(*)::int4 AS count
       FROM (SELECT terms FROM platform.passages WHERE dataset_id = $1 ORDER BY id LIMIT ${SAMPLE_ROWS}) sample,
            LATERAL (SELECT DISTINCT unnest(terms) AS term) words
      GROUP BY term HAVING count(*) >= $2`,
    [dataset_id, sampled < SAMPLE_ROWS ? 1 : MIN_SAMPLE_COUNT],
  )
  return {
    passages,
    words: sizes[0]?.words || 1,
    exact: sampled < SAMPLE_ROWS,
    shares: new Map(rows.map(({ term, count }) => [term, count / sampled])),
  }
}

/** Merged statistics of several datasets that are searched together. */
export function mergeStatistics(all: readonly TermStatistics[]): TermStatistics {
  const [only] = all
  if (only && all.length === 1) return only
  const passages = all.reduce((sum, one) => sum + one.passages, 0)
  const shares = new Map<number, number>()
  for (const one of all)
    for (const [term, share] of one.shares) {
      shares.set(term, (shares.get(term) ?? 0) + (share * one.passages) / passages)
    }
  const words = all.reduce((sum, one) => sum + one.words * one.passages, 0) / Math.max(1, passages)
  return { passages, words: words || 1, shares, exact: all.every(({ exact }) => exact) }
}
