import type { Pool } from 'pg'
import type { TermStatistics } from '#domain/keywordSearch/queryClauses.ts'
import type { SearchableDataset } from './searchableDatasets.ts'

/** Counted passages from which the others are estimated. */
const MIN_SAMPLE_PASSAGES = 100

/**
 * Reads the statistics of a question's terms over the datasets. `changes`: differences in the number of passages with
 * a term.
 */
export async function readTermStatistics(
  pool: Pool,
  datasets: readonly SearchableDataset[],
  terms: readonly number[],
  changes: ReadonlyMap<number, number> = new Map(),
): Promise<TermStatistics> {
  const counted = datasets.reduce((sum, { totals }) => sum + totals.passages, 0)
  const length = datasets.reduce((sum, { totals }) => sum + totals.length, 0)
  const { rows } = await pool.query<{ term: number; passages: number }>(
    `SELECT term, sum(passages)::int4 AS passages FROM platform.term_counts
      WHERE dataset_id = ANY($1::uuid[]) AND term = ANY($2::int4[]) GROUP BY term`,
    [datasets.map(({ id }) => id), terms],
  )
  const counts = new Map(rows.map(({ term, passages }) => [term, passages]))
  for (const term of terms) {
    const passages = (counts.get(term) ?? 0) + (changes.get(term) ?? 0)
    if (passages > 0) counts.set(term, passages)
    else counts.delete(term)
  }
  const words = length / Math.max(1, counted) || 1
  if (datasets.every(({ isUpToDate }) => isUpToDate)) return { passages: counted, words, counts, exact: true }
  const passages = Math.max(counted, await countPassages(pool, datasets))
  const factor = counted < MIN_SAMPLE_PASSAGES ? 0 : passages / counted
  return {
    passages,
    words: counted < MIN_SAMPLE_PASSAGES ? ASSUMED_WORDS : words,
    counts: new Map([...counts].map(([term, count]) => [term, count * factor])),
    exact: false,
  }
}

/** Average length if too few passages are counted. */
const ASSUMED_WORDS = 100

async function countPassages(pool: Pool, datasets: readonly SearchableDataset[]): Promise<number> {
  const { rows } = await pool.query<{ passages: number }>(
    `SELECT coalesce(sum(passages), 0)::int4 AS passages FROM platform.documents WHERE dataset_id = ANY($1::uuid[])`,
    [datasets.map(({ id }) => id)],
  )
  return rows[0]?.passages ?? 0
}
