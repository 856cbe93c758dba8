import type { Pool, PoolClient } from 'pg'
import { toUnixSeconds } from '../platformContext.ts'
import { PlatformError, toInvalidParamError, toNotFoundError } from '../platformErrors.ts'
import type { Model } from '../model/model.ts'
import { AUTHOR_NAME, toDatasetFields, type MetadataFieldRow } from './metadata/metadataRecord.ts'
import { toRetrievalModel } from '../retrieval/retrievalSettings.ts'
import type { datasets } from '../schema.ts'

export type DatasetRow = typeof datasets.$inferSelect

/** A dataset as shown; reading it takes longer with more documents. */
export interface DatasetDetails extends DatasetRow {
  tags: { id: string; name: string; type: 'knowledge' }[]
  metadata_fields: MetadataFieldRow[]
  document_count: number
  available_count: number
  word_count: number
}

export const DATASET_COLUMNS = `t.*, counted.*, (
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'type', 'knowledge')
           ORDER BY g.created_at, g.id), '[]')
    FROM platform.tag_bindings b JOIN platform.dataset_tags g ON g.id = b.tag_id WHERE b.dataset_id = t.id) AS tags, (
  SELECT coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'type', f.type)
           ORDER BY f.created_at, f.id), '[]')
    FROM platform.metadata_fields f WHERE f.dataset_id = t.id) AS metadata_fields
  FROM platform.datasets t, LATERAL (
  SELECT count(*)::int4 AS document_count,
         count(*) FILTER (WHERE enabled AND NOT archived AND indexing_status = 'completed')::int4 AS available_count,
         coalesce(sum(word_count), 0)::float8 AS word_count
    FROM platform.documents WHERE dataset_id = t.id AND removed_at IS NULL) AS counted`

/** @throws PlatformError 404 */
export async function requireDataset(pool: Pool, dataset_id: string): Promise<DatasetRow> {
  const { rows } = await pool.query<DatasetRow>(
    'SELECT * FROM platform.datasets WHERE id = $1 AND removed_at IS NULL',
    [dataset_id],
  )
  if (!rows[0]) throw toNotFoundError('Dataset')
  return rows[0]
}

/**
 * Locks the dataset until the end of the transaction.
 * @throws PlatformError 404
 */
export async function lockDataset(client: PoolClient, dataset_id: string): Promise<DatasetRow> {
  const { rows } = await client.query<DatasetRow>(
    'SELECT * FROM platform.datasets WHERE id = $1 AND removed_at IS NULL FOR UPDATE',
    [dataset_id],
  )
  if (!rows[0]) throw toNotFoundError('Dataset')
  return rows[0]
}

/** @throws PlatformError 404; 400 if it cannot be searched here */
export async function requireSearchableDataset(pool: Pool, dataset_id: string): Promise<DatasetRow> {
  const dataset = await requireDataset(pool, dataset_id)
  if (dataset.provider === 'external')
    throw toInvalidParamError('An external dataset is searched by its own service, not by this platform.')
  if (!dataset.indexing_technique)
    throw new PlatformError(400, 'dataset_not_initialized', 'The dataset has no documents yet.')
  return dataset
}

/** @throws PlatformError 404 */
export async function requireDatasetDetails(pool: Pool, dataset_id: string): Promise<DatasetDetails> {
  const { rows } = await pool.query<DatasetDetails>(
    `SELECT ${DATASET_COLUMNS} WHERE t.id = $1 AND t.removed_at IS NULL`,
    [dataset_id],
  )
  if (!rows[0]) throw toNotFoundError('Dataset')
  return rows[0]
}

/** Dataset in the interface's format, with upstream's additional fields. */
export function toDataset(row: DatasetDetails, model: Model | null, app_count: number) {
  const settings = row.retrieval_model
  const { top_k, score_threshold, score_threshold_enabled } = toRetrievalModel(settings)
  const embedding = getEmbedding(row, model)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    provider: row.provider,
    permission: row.permission,
    data_source_type: row.document_count > 0 ? 'upload_file' : null,
    indexing_technique: row.indexing_technique,
    app_count,
    document_count: row.document_count,
    word_count: row.word_count,
    created_by: row.created_by,
    author_name: AUTHOR_NAME,
    created_at: toUnixSeconds(row.created_at.getTime()),
    updated_by: row.updated_by,
    updated_at: toUnixSeconds(row.updated_at.getTime()),
    ...embedding,
    retrieval_model_dict: toRetrievalModel(settings),
    tags: row.tags,
    doc_form: row.doc_form,
    external_knowledge_info: {
      external_knowledge_id: row.external_knowledge_id,
      external_knowledge_api_id: row.external_knowledge_api_id,
      external_knowledge_api_name: null,
      external_knowledge_api_endpoint: null,
    },
    external_retrieval_model: { top_k, score_threshold, score_threshold_enabled },
    doc_metadata: toDatasetFields(row.metadata_fields, row.built_in_field_enabled),
    built_in_field_enabled: row.built_in_field_enabled,
    pipeline_id: null,
    runtime_mode: 'general',
    chunk_structure: row.doc_form,
    icon_info: { icon_type: null, icon: null, icon_background: null, icon_url: null },
    is_published: false,
    total_documents: row.document_count,
    total_available_documents: row.available_count,
    enable_api: true,
    is_multimodal: false,
    summary_index_setting: { enable: null, model_name: null, model_provider_name: null, summary_prompt: null },
    maintainer: row.created_by,
    ...(row.permission === 'partial_members' ? { partial_member_list: row.partial_members } : {}),
  }
}

/**
 * Only high-quality datasets have vectors. The others are searched by keyword, whatever is stored, and report that
 * when they are read alone, as upstream does.
 */
export const withUsedSearchMethod = (row: DatasetDetails): DatasetDetails =>
  row.indexing_technique === 'high_quality'
    ? row
    : { ...row, retrieval_model: { ...row.retrieval_model, search_method: 'keyword_search' } }

function getEmbedding(row: DatasetRow, model: Model | null) {
  const own = row.indexing_technique === 'high_quality' ? (model?.embedding_name ?? null) : null
  const embedding_model = row.embedding_model ?? own
  return {
    embedding_model,
    embedding_model_provider: row.embedding_model_provider ?? (own && PROVIDER),
    embedding_available: row.indexing_technique !== 'high_quality' || (own !== null && own === embedding_model),
  }
}

/** The provider under which the configured endpoint's models are listed. */
export const PROVIDER = 'openai-compatible'
