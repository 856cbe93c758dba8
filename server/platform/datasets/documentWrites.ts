import { randomInt, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { DatabaseError, type Pool, type PoolClient } from 'pg'
import type { z } from 'zod'
import { AUTOMATIC_RULE, type DocumentFormKind, type StoredProcessRule } from '#domain/chunking/chunkingPlan.ts'
import type { IndexingTechnique, ProcessRule, RetrievalModel } from '#contract/platform/schemas.ts'
import { OWNER_ID } from '../platformContext.ts'
import { hasText } from '#domain/chunking/cleanText.ts'
import type { DocumentText } from '#domain/documentReading/readingLoss.ts'
import { toInvalidParamError, toNotFoundError, PlatformError } from '../platformErrors.ts'
import { parseProcessRule } from '../indexing/processRule.ts'
import { updateTitleTerms } from '../indexing/termUpgrade.ts'
import { parseRetrievalSettings, type RetrievalSettings } from '../retrieval/retrievalSettings.ts'
import type { DatasetRow } from './datasetRecord.ts'
import {
  isIndexing,
  lockDocument,
  requireDocument,
  requireUnarchived,
  toDocument,
  type DocumentRow,
} from './documentRecord.ts'
import type { KnowledgeContext } from './knowledgeContext.ts'

/** The text of a document and its source. */
export interface DocumentSource extends DocumentText {
  name: string
  /** Size of the source in bytes. */
  size: number
  extension: string
  mime_type: string
  /** The file from which the text was read; null for a text. */
  bytes: Buffer | null
}

/** Optional settings of a new document; missing ones come from the dataset. */
export interface DocumentSettings {
  indexing_technique?: z.output<typeof IndexingTechnique> | undefined
  doc_form?: DocumentFormKind | undefined
  doc_language?: string | undefined
  process_rule?: z.output<typeof ProcessRule> | undefined
  retrieval_model?: z.output<typeof RetrievalModel> | undefined
  embedding_model?: string | undefined
  embedding_model_provider?: string | undefined
}

/** Maximum text of a document in bytes of UTF-8: the interface's general limit of a file. */
const MAX_TEXT_BYTES = 15 * 1024 * 1024

export function toTextSource(name: string, text: string): DocumentSource {
  const size = Buffer.byteLength(text)
  if (size > MAX_TEXT_BYTES) throw new PlatformError(413, 'file_too_large', 'The text is larger than 15 MB.')
  if (!hasText(text)) throw toInvalidParamError('text must not be blank')
  return { text, losses: [], name, size, extension: 'txt', mime_type: 'text/plain', bytes: null }
}

/** A dataset whose documents are stored here. */
export interface OwnDataset extends DatasetRow {
  process_rule: StoredProcessRule | null
}

/** @throws PlatformError 404, or 400 for an external dataset. */
export async function requireOwnDataset({ database }: KnowledgeContext, dataset_id: string): Promise<OwnDataset> {
  const { rows } = await database.pool.query<OwnDataset>(
    `SELECT t.*, (SELECT jsonb_build_object('mode', r.mode, 'rules', r.rules)
                    FROM platform.process_rules r WHERE r.id = t.process_rule_id) AS process_rule
       FROM platform.datasets t WHERE t.id = $1 AND t.removed_at IS NULL`,
    [dataset_id],
  )
  const dataset = rows[0]
  if (!dataset) throw toNotFoundError('Dataset')
  if (dataset.provider === 'external') throw toInvalidParamError('External datasets have no documents here.')
  return dataset
}

interface NewDocument {
  name: string
  source: DocumentSource
  settings: DocumentSettings
}

/** Inserts a document with the status waiting. */
export async function addDocument(context: KnowledgeContext, dataset: OwnDataset, newDocument: NewDocument) {
  const { database, clock, indexingQueue } = context
  const { settings } = newDocument
  const rule = settings.process_rule && parseProcessRule(settings.process_rule)
  const retrieval_model = parseRetrievalSettings(settings.retrieval_model, dataset.retrieval_model)
  const form = settings.doc_form ?? getDefaultForm(dataset, rule)
  const now = new Date(clock())
  const adopted: AdoptedSettings = {
    doc_form: form,
    indexing_technique: settings.indexing_technique ?? 'economy',
    embedding_model: settings.embedding_model ?? null,
    embedding_model_provider: settings.embedding_model_provider ?? null,
    retrieval_model,
  }
  const knownRuleId = findKnownRule(dataset, rule)
  // Most documents only add themselves, in a statement of their own: a transaction would need four.
  const insertion =
    knownRuleId && !lacksSettings(dataset, adopted)
      ? insertDocument(database.pool, dataset, newDocument, { process_rule_id: knownRuleId, form, now })
      : database.transaction(async (client) => {
          const process_rule_id = knownRuleId ?? (await storeRule(client, dataset, rule ?? AUTOMATIC_RULE, now))
          await adoptSettings(client, dataset, adopted)
          return insertDocument(client, dataset, newDocument, { process_rule_id, form, now })
        })
  const row = await insertion.catch((error: unknown) => {
    throw isDatasetMissing(error) ? toNotFoundError('Dataset') : error
  })
  indexingQueue.runSoon()
  return { document: toDocument(row), batch: row.batch }
}

const NOT_NULL_VIOLATION = '23502'
const FOREIGN_KEY_VIOLATION = '23503'

/** Whether a document could not be added because its dataset was deleted meanwhile: it has no id, or no row. */
const isDatasetMissing = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  (error.code === FOREIGN_KEY_VIOLATION || (error.code === NOT_NULL_VIOLATION && error.column === 'dataset_id'))

/** Settings of the first document, which become those of the dataset, unless the dataset has its own. */
interface AdoptedSettings {
  doc_form: DocumentFormKind
  indexing_technique: string
  embedding_model: string | null
  embedding_model_provider: string | null
  retrieval_model: RetrievalSettings
}

const lacksSettings = (dataset: OwnDataset, adopted: AdoptedSettings): boolean =>
  dataset.doc_form === null ||
  dataset.indexing_technique === null ||
  (dataset.embedding_model ?? adopted.embedding_model) !== dataset.embedding_model ||
  (dataset.embedding_model_provider ?? adopted.embedding_model_provider) !== dataset.embedding_model_provider

const adoptSettings = (client: PoolClient, dataset: OwnDataset, adopted: AdoptedSettings) =>
  client.query(
    `UPDATE platform.datasets
        SET doc_form = coalesce(doc_form, $2),
            embedding_model = coalesce(embedding_model, $4), embedding_model_provider = coalesce(embedding_model_provider, $5),
            retrieval_model = CASE WHEN indexing_technique IS NULL THEN $6::jsonb ELSE retrieval_model END,
            indexing_technique = coalesce(indexing_technique, $3)
      WHERE id = $1`,
    [
      dataset.id,
      adopted.doc_form,
      adopted.indexing_technique,
      adopted.embedding_model,
      adopted.embedding_model_provider,
      JSON.stringify(adopted.retrieval_model),
    ],
  )

/** Returned as waiting: the queue may start at once. */
async function insertDocument(
  client: Pool | PoolClient,
  dataset: OwnDataset,
  { name, source, settings }: NewDocument,
  { process_rule_id, form, now }: { process_rule_id: string; form: DocumentFormKind; now: Date },
): Promise<DocumentRow> {
  const id = randomUUID()
  const source_id = randomUUID()
  const batch = createBatchId(now.getTime())
  const doc_language = settings.doc_language ?? 'English'
  const { rows } = await client.query<{ position: number }>(
    `WITH document AS (
       INSERT INTO platform.documents (id, dataset_id, position, name, source_id, process_rule_id, created_by,
              created_at, updated_at, doc_form, doc_language, batch, indexing_status, queued_at)
       VALUES ($1, (SELECT id FROM platform.datasets WHERE id = $2 AND removed_at IS NULL),
               (SELECT coalesce(max(position), 0) + 1 FROM platform.documents WHERE dataset_id = $2),
               $3, $4, $5, $6, $7, $7, $8, $9, $10, 'waiting', $7)
       RETURNING position),
     source AS (
       INSERT INTO platform.sources (id, document_id, text, name, size, extension, mime_type, bytes, encoding, losses,
              created_at)
       VALUES ($4, $1, $11, $12, $13, $14, $15, $16, $17, $18, $7))
     SELECT position FROM document`,
    [
      id,
      dataset.id,
      name,
      source_id,
      process_rule_id,
      OWNER_ID,
      now,
      form,
      doc_language,
      batch,
      source.text,
      source.name,
      source.size,
      source.extension,
      source.mime_type,
      source.bytes,
      source.encoding,
      JSON.stringify(source.losses),
    ],
  )
  return {
    id,
    dataset_id: dataset.id,
    position: rows[0]?.position ?? 1,
    name,
    source_id,
    process_rule_id,
    created_by: OWNER_ID,
    created_at: now,
    updated_at: now,
    doc_form: form,
    doc_language,
    enabled: true,
    disabled_at: null,
    disabled_by: null,
    archived: false,
    tokens: null,
    word_count: null,
    hit_count: 0,
    batch,
    indexing_status: 'waiting',
    error: null,
    total_segments: null,
    processing_started_at: null,
    parsing_completed_at: null,
    cleaning_completed_at: null,
    splitting_completed_at: null,
    completed_at: null,
    stopped_at: null,
    indexing_latency: null,
    source_name: source.name,
    size: source.size,
    extension: source.extension,
    mime_type: source.mime_type,
    source_created_at: now,
    encoding: source.encoding ?? null,
    has_file: source.bytes !== null,
    source_losses: source.losses,
    losses: null,
    metadata: [],
    built_in_field_enabled: dataset.built_in_field_enabled,
  }
}

/** Fields of an update; a new source or rule re-indexes the document, even while it is being indexed. */
export interface DocumentChange {
  name?: string | undefined
  source?: DocumentSource | undefined
  settings: DocumentSettings
}

export async function changeDocument(
  context: KnowledgeContext,
  dataset: OwnDataset,
  { id: document_id }: Pick<DocumentRow, 'id'>,
  change: DocumentChange,
) {
  const { database, clock, indexingQueue } = context
  const { process_rule, doc_form, doc_language } = change.settings
  const rule = process_rule && parseProcessRule(process_rule)
  const now = new Date(clock())
  const received = await database.transaction(async (client) => {
    const row = await lockDocument(client, document_id)
    requireUnarchived(row)
    const name = change.name ?? row.name
    const isRenamed = name !== row.name
    const needsIndexing =
      change.source !== undefined ||
      rule !== undefined ||
      (doc_form ?? row.doc_form) !== row.doc_form ||
      (isRenamed && isIndexing(row))
    const source_id = change.source ? randomUUID() : row.source_id
    const process_rule_id = rule
      ? (findKnownRule(dataset, rule) ?? (await storeRule(client, dataset, rule, now)))
      : row.process_rule_id
    if (change.source) {
      await client.query('DELETE FROM platform.sources WHERE document_id = $1', [row.id])
      await storeSource(client, row.id, source_id, change.source, now)
    }
    await client.query(
      `UPDATE platform.documents
          SET name = $2, source_id = $3, process_rule_id = $4, doc_form = $5, doc_language = $6, updated_at = $7
              ${needsIndexing ? REQUEUE_SQL : ''}
        WHERE id = $1 AND removed_at IS NULL`,
      [row.id, name, source_id, process_rule_id, doc_form ?? row.doc_form, doc_language ?? row.doc_language, now],
    )
    if (isRenamed && !needsIndexing) {
      await updateTitleTerms(client, row.id)
      await client.query('UPDATE platform.datasets SET changed = changed + 1 WHERE id = $1', [dataset.id])
    }
    return getReceipt(client, dataset.id, row.id)
  })
  indexingQueue.runSoon()
  return received
}

/** Incrementing the version stops the worker that is indexing the document. Its batch stays, as upstream. */
const REQUEUE_SQL = `, version = version + 1, run = NULL, lease_until = NULL, indexing_status = 'waiting',
              queued_at = $7, error = NULL, stopped_at = NULL, completed_at = NULL`

async function getReceipt(client: PoolClient, dataset_id: string, document_id: string) {
  const row = await requireDocument(client, dataset_id, document_id)
  return { document: toDocument(row), batch: row.batch }
}

/** The id of the dataset's latest rule, if the request has none or the same; null if a rule must be stored. */
const findKnownRule = (dataset: OwnDataset, rule: StoredProcessRule | undefined): string | null =>
  !rule || isDeepStrictEqual(rule, dataset.process_rule) ? dataset.process_rule_id : null

/** Stores a rule as the dataset's latest. */
async function storeRule(
  client: PoolClient,
  dataset: OwnDataset,
  { mode, rules }: StoredProcessRule,
  now: Date,
): Promise<string> {
  const id = randomUUID()
  await client.query(
    'INSERT INTO platform.process_rules (id, dataset_id, mode, rules, created_at) VALUES ($1, $2, $3, $4, $5)',
    [id, dataset.id, mode, JSON.stringify(rules), now],
  )
  await client.query('UPDATE platform.datasets SET process_rule_id = $2 WHERE id = $1', [dataset.id, id])
  return id
}

function getDefaultForm(dataset: OwnDataset, rule: StoredProcessRule | undefined): DocumentFormKind {
  if ((rule ?? dataset.process_rule)?.mode === 'hierarchical') return 'hierarchical_model'
  return dataset.doc_form && dataset.doc_form !== 'hierarchical_model' ? dataset.doc_form : 'text_model'
}

const storeSource = (client: PoolClient, document_id: string, source_id: string, source: DocumentSource, now: Date) =>
  client.query(
    `INSERT INTO platform.sources (id, document_id, text, name, size, extension, mime_type, bytes, created_at,
            encoding, losses)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      source_id,
      document_id,
      source.text,
      source.name,
      source.size,
      source.extension,
      source.mime_type,
      source.bytes,
      now,
      source.encoding,
      JSON.stringify(source.losses),
    ],
  )

/** Batch names have upstream's format: the time to the second and six digits. */
const createBatchId = (now: number): string =>
  `${new Date(now).toISOString().replace(/\D/g, '').slice(0, 14)}${randomInt(100_000, 1_000_000)}`
