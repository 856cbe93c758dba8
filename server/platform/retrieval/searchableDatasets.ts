import type { Pool } from 'pg'
import type { RetrievalSettings } from './retrievalSettings.ts'

/** A dataset as a search needs it. */
export interface SearchableDataset {
  id: string
  changed: number
  settings: RetrievalSettings
  /** True where search is by keyword alone. */
  economy: boolean
}

interface DatasetSettingsRow {
  id: string
  changed: number
  retrieval_model: RetrievalSettings
  indexing_technique: string | null
}

/** The datasets that are there among those asked for, or all; `all` says that there are no others. */
export async function findSearchableDatasets(
  pool: Pool,
  dataset_ids: readonly string[] | undefined,
): Promise<{ found: SearchableDataset[]; all: boolean }> {
  const { rows } = await pool.query<DatasetSettingsRow>(
    `SELECT id, changed, retrieval_model, indexing_technique FROM platform.datasets
      WHERE removed_at IS NULL AND provider = 'vendor'`,
  )
  const requestedIds = dataset_ids && new Set(dataset_ids)
  const matchingRows = rows.filter(({ id }) => !requestedIds || requestedIds.has(id))
  return {
    all: matchingRows.length === rows.length,
    found: matchingRows.map(({ id, changed, retrieval_model, indexing_technique }) => ({
      id,
      changed,
      settings: retrieval_model,
      economy: indexing_technique !== 'high_quality',
    })),
  }
}
