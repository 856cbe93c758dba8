import type { Pool, PoolClient } from 'pg'
import type { StoredProcessRule } from '#domain/chunking/chunkingPlan.ts'
import { PlatformError, toNotFoundError } from '../platformErrors.ts'
import { DOCUMENT_VALUES_SQL, toDocumentValues, type MetadataValueRow } from './metadata/metadataRecord.ts'
import { toTimestamp } from './segmentRecord.ts'
import type { documents, sources } from '../schema.ts'
import { isFinalIndexingStatus } from '#contract/statuses.ts'

/** What only indexing reads. */
type QueueColumn = 'passages' | 'version' | 'run' | 'lease_until' | 'queued_at' | 'retitled' | 'removed_at'
type SourceRow = typeof sources.$inferSelect

/** A document, with what its source and its dataset say of it. */
export type DocumentRow = Omit<typeof documents.$inferSelect, QueueColumn> &
  Pick<SourceRow, 'size' | 'extension' | 'mime_type' | 'encoding'> & {
    source_name: string
    source_created_at: Date
    has_file: boolean
    source_losses: SourceRow['losses']
    metadata: MetadataValueRow[]
    built_in_field_enabled: boolean
  }

export const DOCUMENT_COLUMNS = `d.*, s.name AS source_name, s.size, s.extension, s.mime_type,
  s.created_at AS source_created_at, s.encoding, s.bytes IS NOT NULL AS has_file, s.losses AS source_losses, ${DOCUMENT_VALUES_SQL} AS metadata,
  (SELECT built_in_field_enabled FROM platform.datasets WHERE id = d.dataset_id) AS built_in_field_enabled
  FROM platform.documents d JOIN platform.sources s ON s.id = d.source_id`

/** @throws PlatformError 404 */
export async function requireDocument(
  pool: Pool | PoolClient,
  dataset_id: string,
  document_id: string,
): Promise<DocumentRow> {
  const { rows } = await pool.query<DocumentRow>(
    `SELECT ${DOCUMENT_COLUMNS} WHERE d.id = $1 AND d.dataset_id = $2 AND d.removed_at IS NULL`,
    [document_id, dataset_id],
  )
  if (!rows[0]) throw toNotFoundError('Document')
  return rows[0]
}

export const isIndexing = ({ indexing_status }: Pick<DocumentRow, 'indexing_status'>): boolean =>
  !isFinalIndexingStatus(indexing_status)

/** @throws PlatformError 400 during indexing: what is written then would be deleted at its end. */
export function requireIndexed(row: Pick<DocumentRow, 'indexing_status'>): void {
  if (isIndexing(row)) throw new PlatformError(400, 'document_indexing', 'The document is being indexed.')
}

/** @throws PlatformError 403 if the document is archived. */
export function requireUnarchived({ archived }: Pick<DocumentRow, 'archived'>): void {
  if (archived)
    throw new PlatformError(403, 'archived_document_immutable', 'The document is archived; un-archive it first.')
}

export type LockedDocument = Pick<
  DocumentRow,
  'id' | 'name' | 'source_id' | 'process_rule_id' | 'doc_form' | 'doc_language' | 'archived' | 'indexing_status'
>

/**
 * Locks the document until the end of the transaction: no other write changes it or its segments.
 * @throws PlatformError 404 if it was deleted
 */
export async function lockDocument(client: PoolClient, id: string): Promise<LockedDocument> {
  const { rows } = await client.query<LockedDocument>(
    `SELECT id, name, source_id, process_rule_id, doc_form, doc_language, archived, indexing_status
       FROM platform.documents WHERE id = $1 AND removed_at IS NULL FOR UPDATE`,
    [id],
  )
  if (!rows[0]) throw toNotFoundError('Document')
  return rows[0]
}

/** The display status that lists filter by, as SQL over `d`. */
export const DISPLAY_STATUS = `CASE
  WHEN d.indexing_status = 'waiting' THEN 'queuing'
  WHEN d.indexing_status = 'error' THEN 'error'
  WHEN d.indexing_status <> 'completed' THEN 'indexing'
  WHEN d.archived THEN 'archived'
  WHEN NOT d.enabled THEN 'disabled'
  ELSE 'available' END`

function displayStatus(row: DocumentRow): string {
  if (row.indexing_status === 'waiting') return 'queuing'
  if (row.indexing_status === 'error') return 'error'
  if (isIndexing(row)) return 'indexing'
  if (row.archived) return 'archived'
  return row.enabled ? 'available' : 'disabled'
}

/**
 * Document record in the interface's format, with upstream's additional fields. Text counts as an uploaded file, as
 * upstream.
 */
export const toDocument = (row: DocumentRow) => ({
  id: row.id,
  position: row.position,
  data_source_type: 'upload_file',
  data_source_info: { upload_file_id: row.source_id },
  data_source_detail_dict: { upload_file: toUploadFile(row) },
  dataset_process_rule_id: row.process_rule_id,
  name: row.name,
  created_from: 'api',
  created_by: row.created_by,
  created_at: toTimestamp(row.created_at),
  tokens: row.tokens ?? 0,
  indexing_status: row.indexing_status,
  error: row.error,
  enabled: row.enabled,
  disabled_at: toTimestamp(row.disabled_at),
  disabled_by: row.disabled_by,
  archived: row.archived,
  display_status: displayStatus(row),
  word_count: row.word_count ?? 0,
  hit_count: row.hit_count,
  doc_form: row.doc_form,
  doc_metadata: toDocumentValues(row, row.metadata, row.built_in_field_enabled),
  summary_index_status: null,
  need_summary: false,
  reading: {
    encoding: row.encoding,
    has_file: row.has_file,
    losses: [...(row.source_losses ?? []), ...(row.losses ?? [])],
  },
})

/** A document that is read alone. Latency is in seconds. */
export function toDetail(
  row: DocumentRow,
  rules: { dataset: StoredProcessRule | null; document: StoredProcessRule },
  segments: number,
) {
  const { data_source_detail_dict, ...record } = toDocument(row)
  return {
    ...record,
    data_source_info: data_source_detail_dict,
    dataset_process_rule: rules.dataset,
    document_process_rule: { id: row.process_rule_id, dataset_id: row.dataset_id, ...rules.document },
    completed_at: toTimestamp(row.completed_at),
    updated_at: toTimestamp(row.updated_at),
    indexing_latency: row.indexing_latency,
    segment_count: segments,
    average_segment_length: segments > 0 ? Math.round((row.word_count ?? 0) / segments) : 0,
    doc_language: row.doc_language,
    ...toDocumentDescription(row),
  }
}

/** The part of a document that is only read alone; null without metadata, as upstream. */
export function toDocumentDescription(row: DocumentRow) {
  const values = toDocumentValues(row, row.metadata, row.built_in_field_enabled)
  return { doc_type: null, doc_metadata: values.length > 0 ? values : null }
}

const toUploadFile = (row: DocumentRow) => ({
  id: row.source_id,
  name: row.source_name,
  size: row.size,
  extension: row.extension,
  mime_type: row.mime_type,
  created_by: row.created_by,
  created_at: toTimestamp(row.source_created_at),
})
