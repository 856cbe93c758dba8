import type { Pool } from 'pg'
import type { RetrievalSettings } from './retrievalSettings.ts'

/** Search settings of a dataset. */
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

/** The existing datasets among the requested ones, or all; `all` means that there are no others. */
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
