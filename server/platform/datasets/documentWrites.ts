import { randomInt, randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { z } from 'zod'
import { AUTOMATIC_RULE, type DocumentFormKind, type StoredProcessRule } from '#domain/chunking/chunkingPlan.ts'
import type { IndexingTechnique, ProcessRule, RetrievalModel } from '#contract/platform/schemas.ts'
import { OWNER_ID } from '../platformContext.ts'
import { toInvalidParamError, PlatformError } from '../platformErrors.ts'
import { parseProcessRule } from '../indexing/processRule.ts'
import { parseRetrievalSettings } from '../retrieval/retrievalSettings.ts'
import { requireDataset, type DatasetRow } from './datasetRecord.ts'
import { requireDocument, toDocument, type DocumentRow } from './documentRecord.ts'
import type { KnowledgeContext } from './knowledgeContext.ts'

/** The text of a document and its source. */
export interface DocumentSource {
  text: string
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
  if (text.trim() === '') throw toInvalidParamError('text must not be blank')
  return { text, name, size, extension: 'txt', mime_type: 'text/plain', bytes: null }
}

/** @throws PlatformError 404, or 400 for an external dataset. */
export async function requireOwnDataset({ database }: KnowledgeContext, dataset_id: string): Promise<DatasetRow> {
  const dataset = await requireDataset(database.pool, dataset_id)
  if (dataset.provider === 'external') throw toInvalidParamError('External datasets hold no documents here.')
  return dataset
}

/** Inserts a document with the status waiting. */
export async function addDocument(
  context: KnowledgeContext,
  dataset: DatasetRow,
  { name, source, settings }: { name: string; source: DocumentSource; settings: DocumentSettings },
) {
  const { database, clock, indexingQueue } = context
  const rule = settings.process_rule && parseProcessRule(settings.process_rule)
  const retrieval_model = parseRetrievalSettings(settings.retrieval_model, dataset.retrieval_model)
  const id = randomUUID()
  const batch = createBatchId(clock())
  const now = new Date(clock())
  const storedReceipt = await database.transaction(async (client) => {
    const process_rule_id = await storeRule(client, dataset, rule, now)
    const form = settings.doc_form ?? (await getDefaultForm(client, dataset, process_rule_id))
    const source_id = randomUUID()
    await client.query(
      `INSERT INTO platform.documents (id, dataset_id, position, name, source_id, process_rule_id, created_by,
              created_at, updated_at, doc_form, doc_language, batch, indexing_status, queued_at)
       VALUES ($1, $2, (SELECT coalesce(max(position), 0) + 1 FROM platform.documents WHERE dataset_id = $2),
               $3, $4, $5, $6, $7, $7, $8, $9, $10, 'waiting', $7)`,
      [
        id,
        dataset.id,
        name,
        source_id,
        process_rule_id,
        OWNER_ID,
        now,
        form,
        settings.doc_language ?? 'English',
        batch,
      ],
    )
    await storeSource(client, id, source_id, source, now)
    // The settings of the first document become those of the dataset, unless the dataset has its own.
    await client.query(
      `UPDATE platform.datasets
          SET doc_form = coalesce(doc_form, $2),
              embedding_model = coalesce(embedding_model, $4), embedding_model_provider = coalesce(embedding_model_provider, $5),
              retrieval_model = CASE WHEN indexing_technique IS NULL THEN $6::jsonb ELSE retrieval_model END,
              indexing_technique = coalesce(indexing_technique, $3)
        WHERE id = $1`,
      [
        dataset.id,
        form,
        settings.indexing_technique ?? 'economy',
        settings.embedding_model ?? null,
        settings.embedding_model_provider ?? null,
        JSON.stringify(retrieval_model),
      ],
    )
    // Returned as waiting: the queue may start with it once it is committed.
    return getReceipt(client, dataset.id, id)
  })
  indexingQueue.runSoon()
  return storedReceipt
}

/** Fields of an update; a new source or rule re-indexes the document, even while it is being indexed. */
export interface DocumentChange {
  name?: string | undefined
  source?: DocumentSource | undefined
  settings: DocumentSettings
}

export async function changeDocument(
  context: KnowledgeContext,
  dataset: DatasetRow,
  row: DocumentRow,
  change: DocumentChange,
) {
  const { database, clock, indexingQueue } = context
  if (row.archived)
    throw new PlatformError(403, 'archived_document_immutable', 'The document is archived and cannot be changed.')
  const { process_rule, doc_form, doc_language } = change.settings
  const rule = process_rule && parseProcessRule(process_rule)
  const needsIndexing = change.source !== undefined || rule !== undefined || (doc_form ?? row.doc_form) !== row.doc_form
  const now = new Date(clock())
  const received = await database.transaction(async (client) => {
    const source_id = change.source ? randomUUID() : row.source_id
    const process_rule_id = rule ? await storeRule(client, dataset, rule, now) : row.process_rule_id
    if (change.source) {
      await client.query('DELETE FROM platform.sources WHERE document_id = $1', [row.id])
      await storeSource(client, row.id, source_id, change.source, now)
    }
    const { rowCount } = await client.query(
      `UPDATE platform.documents
          SET name = $2, source_id = $3, process_rule_id = $4, doc_form = $5, doc_language = $6, updated_at = $7
        WHERE id = $1 AND removed_at IS NULL`,
      [
        row.id,
        change.name ?? row.name,
        source_id,
        process_rule_id,
        doc_form ?? row.doc_form,
        doc_language ?? row.doc_language,
        now,
      ],
    )
    if (rowCount === 1 && needsIndexing) await requeue(client, row.id, now)
    return getReceipt(client, dataset.id, row.id)
  })
  if (needsIndexing) indexingQueue.runSoon()
  return received
}

/** Incrementing the version stops the worker that is indexing the document. Its batch stays, as upstream. */
const requeue = (client: PoolClient, id: string, now: Date) =>
  client.query(
    `UPDATE platform.documents
        SET version = version + 1, run = NULL, lease_until = NULL, indexing_status = 'waiting',
            queued_at = $2, error = NULL, stopped_at = NULL, completed_at = NULL
      WHERE id = $1`,
    [id, now],
  )

async function getReceipt(client: PoolClient, dataset_id: string, document_id: string) {
  const row = await requireDocument(client, dataset_id, document_id)
  return { document: toDocument(row), batch: row.batch }
}

/** The rule of the request, else the dataset's latest, else the automatic one. */
async function storeRule(
  client: PoolClient,
  dataset: DatasetRow,
  rule: StoredProcessRule | undefined,
  now: Date,
): Promise<string> {
  if (!rule && dataset.process_rule_id) return dataset.process_rule_id
  const id = randomUUID()
  const { mode, rules } = rule ?? AUTOMATIC_RULE
  await client.query(
    'INSERT INTO platform.process_rules (id, dataset_id, mode, rules, created_at) VALUES ($1, $2, $3, $4, $5)',
    [id, dataset.id, mode, JSON.stringify(rules), now],
  )
  await client.query('UPDATE platform.datasets SET process_rule_id = $2 WHERE id = $1', [dataset.id, id])
  return id
}

async function getDefaultForm(client: PoolClient, dataset: DatasetRow, process_rule_id: string): Promise<string> {
  const { rows } = await client.query<{ mode: string }>('SELECT mode FROM platform.process_rules WHERE id = $1', [
    process_rule_id,
  ])
  if (rows[0]?.mode === 'hierarchical') return 'hierarchical_model'
  return dataset.doc_form && dataset.doc_form !== 'hierarchical_model' ? dataset.doc_form : 'text_model'
}

const storeSource = (client: PoolClient, document_id: string, source_id: string, source: DocumentSource, now: Date) =>
  client.query(
    `INSERT INTO platform.sources (id, document_id, text, name, size, extension, mime_type, bytes, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
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
    ],
  )

/** Batch names have upstream's format: the time to the second and six digits. */
const createBatchId = (now: number): string =>
  `${new Date(now).toISOString().replace(/\D/g, '').slice(0, 14)}${randomInt(100_000, 1_000_000)}`
