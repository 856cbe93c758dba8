import type { Pool } from 'pg'
import type { RetrievalSettings } from './settings.ts'

/** A dataset as a search needs it. */
export interface Searchable {
  id: string
  changed: number
  settings: RetrievalSettings
  /** True where search is by keyword alone. */
  economy: boolean
}

interface Row {
  id: string
  changed: number
  retrieval_model: RetrievalSettings
  indexing_technique: string | null
}

/** The datasets that are there among those asked for, or all; `all` says that there are no others. */
export async function searchableDatasets(
  pool: Pool,
  dataset_ids: readonly string[] | undefined,
): Promise<{ found: Searchable[]; all: boolean }> {
  const { rows } = await pool.query<Row>(
    `SELECT id, changed, retrieval_model, indexing_technique FROM platform.datasets
      WHERE removed_at IS NULL AND provider = 'vendor'`,
  )
  const wanted = dataset_ids && new Set(dataset_ids)
  const found = rows.filter(({ id }) => !wanted || wanted.has(id))
  return {
    all: found.length === rows.length,
    found: found.map(({ id, changed, retrieval_model, indexing_technique }) => ({
      id,
      changed,
      settings: retrieval_model,
      economy: indexing_technique !== 'high_quality',
    })),
  }
}
