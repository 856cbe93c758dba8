import type { Pool } from 'pg'
import type { RetrievalSettings } from './retrievalSettings.ts'
import { TERMS_VERSION } from './termsVersion.ts'
import type { datasets, passageTotals } from '../schema.ts'

/** Documents whose segments are searchable. */
export const FINDABLE_DOCUMENT_SQL = `d.enabled AND NOT d.archived AND d.indexing_status = 'completed' AND d.removed_at IS NULL`

export interface SearchableDataset {
  id: string
  settings: RetrievalSettings
  /** True where search is by keyword alone. */
  economy: boolean
  /** False while some of its passages have terms of an earlier version. */
  isUpToDate: boolean
  totals: { passages: number; length: number }
}

type DatasetRow = Pick<
  typeof datasets.$inferSelect,
  'id' | 'retrieval_model' | 'indexing_technique' | 'terms_version'
> &
  Pick<typeof passageTotals.$inferSelect, 'passages' | 'length'>

/** The existing datasets among the requested ones, or all; `all` means that there are no others. */
export async function findSearchableDatasets(
  pool: Pool,
  dataset_ids: readonly string[] | undefined,
): Promise<{ found: SearchableDataset[]; all: boolean }> {
  const { rows } = await pool.query<DatasetRow>(
    `SELECT d.id, d.retrieval_model, d.indexing_technique, d.terms_version,
            coalesce(t.passages, 0) AS passages, coalesce(t.length, 0)::float8 AS length
       FROM platform.datasets d LEFT JOIN platform.passage_totals t ON t.dataset_id = d.id
      WHERE d.removed_at IS NULL AND d.provider = 'vendor'`,
  )
  const requestedIds = dataset_ids && new Set(dataset_ids)
  const matchingRows = rows.filter(({ id }) => !requestedIds || requestedIds.has(id))
  return {
    all: matchingRows.length === rows.length,
    found: matchingRows.map(({ id, retrieval_model, indexing_technique, terms_version, passages, length }) => ({
      id,
      settings: retrieval_model,
      economy: indexing_technique !== 'high_quality',
      isUpToDate: terms_version >= TERMS_VERSION,
      totals: { passages, length },
    })),
  }
}
