import type { FastifyInstance } from 'fastify'
import type { StoredProcessRule } from '#domain/chunking/chunkingPlan.ts'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { contract } from '#contract/index.ts'
import { toNotFoundError } from '../platformErrors.ts'
import { registerPlatformEndpoint } from '../platformRoute.ts'
import { requireDataset } from './datasetRecord.ts'
import {
  requireDocument,
  requireIndexed,
  requireUnarchived,
  DISPLAY_STATUS,
  DOCUMENT_COLUMNS,
  toDetail,
  toDocument,
  toDocumentDescription,
  type DocumentRow,
} from './documentRecord.ts'
import type { KnowledgeContext } from './knowledgeContext.ts'
import { findByKeyword, toListPage } from './listPage.ts'
import { toTimestamp } from './segmentRecord.ts'
import { setDocumentStatus, type StatusAction } from './documentStatus.ts'
import { addDocument, changeDocument, requireOwnDataset, toTextSource } from './documentWrites.ts'
import { DISPLAY_STATUSES } from '#contract/statuses.ts'

export function registerDocumentRoutes(app: FastifyInstance, context: KnowledgeContext): void {
  const { database, clock, indexingQueue } = context
  const { pool } = database

  registerPlatformEndpoint(
    app,
    contract.documents.createByText,
    async ({ params, body: { name, text, ...settings } }) => {
      const dataset = await requireOwnDataset(context, params.dataset_id)
      return addDocument(context, dataset, { name, source: toTextSource(name, text), settings })
    },
    { aliases: ['/datasets/:dataset_id/document/create_by_text'] },
  )

  registerPlatformEndpoint(
    app,
    contract.documents.updateByText,
    async ({ params, body: { name, text, ...settings } }) => {
      const dataset = await requireOwnDataset(context, params.dataset_id)
      const row = await requireDocument(pool, dataset.id, params.document_id)
      const source = text === undefined ? undefined : toTextSource(name ?? row.name, text)
      return changeDocument(context, dataset, row, { name, source, settings })
    },
    { aliases: ['/datasets/:dataset_id/documents/:document_id/update_by_text'] },
  )

  registerPlatformEndpoint(app, contract.documents.list, async ({ params, query }) => {
    const { id } = await requireDataset(pool, params.dataset_id)
    const namesSql = 'SELECT id, name AS text FROM platform.documents WHERE dataset_id = $1 AND removed_at IS NULL'
    const ids = await findByKeyword(pool, query.keyword, namesSql, [id])
    const values = [id, ids, toDisplayStatus(query.status)]
    const where = `WHERE d.dataset_id = $1 AND d.removed_at IS NULL AND ($2::uuid[] IS NULL OR d.id = ANY($2))
      AND ($3::text IS NULL OR ${DISPLAY_STATUS} = $3)`
    const { rows } = await pool.query<DocumentRow>(
      `SELECT ${DOCUMENT_COLUMNS} ${where} ORDER BY d.created_at DESC, d.position DESC, d.id LIMIT $4 OFFSET $5`,
      [...values, query.limit, (query.page - 1) * query.limit],
    )
    const total = await pool.query<{ total: number }>(
      `SELECT count(*)::int4 AS total FROM platform.documents d ${where}`,
      values,
    )
    return toListPage(rows.map(toDocument), total.rows[0]?.total ?? 0, query)
  })

  registerPlatformEndpoint(
    app,
    optionalEndpoints.readDocument,
    async ({ params, query }) => {
      const { id, process_rule_id } = await requireDataset(pool, params.dataset_id)
      const row = await requireDocument(pool, id, params.document_id)
      if (query.metadata === 'only') return { id: row.id, ...toDocumentDescription(row) }
      const rules = await readRules([process_rule_id, row.process_rule_id])
      const rule = rules.get(row.process_rule_id)
      if (!rule) throw toNotFoundError('Process rule')
      const { doc_type, doc_metadata, ...rest } = toDetail(
        row,
        { dataset: rules.get(process_rule_id ?? '') ?? null, document: rule },
        await countSegments(row.id),
      )
      return query.metadata === 'without' ? rest : { ...rest, doc_type, doc_metadata }
    },
    { queryErrorCode: 'invalid_metadata' },
  )

  const readRules = async (ids: (string | null)[]): Promise<Map<string, StoredProcessRule>> => {
    const { rows } = await pool.query<StoredProcessRule & { id: string }>(
      'SELECT id, mode, rules FROM platform.process_rules WHERE id = ANY($1::uuid[])',
      [ids],
    )
    return new Map(rows.map(({ id, mode, rules }) => [id, { mode, rules }]))
  }

  const countSegments = async (document_id: string): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>(
      'SELECT count(*)::int4 AS count FROM platform.segments WHERE document_id = $1',
      [document_id],
    )
    return rows[0]?.count ?? 0
  }

  registerPlatformEndpoint(app, optionalEndpoints.deleteDocument, async ({ params }) => {
    const { id } = await requireDataset(pool, params.dataset_id)
    const row = await requireDocument(pool, id, params.document_id)
    requireUnarchived(row)
    requireIndexed(row)
    await database.transaction(async (client) => {
      await client.query('UPDATE platform.documents SET removed_at = $2 WHERE id = $1', [row.id, new Date(clock())])
      await client.query('UPDATE platform.datasets SET changed = changed + 1 WHERE id = $1', [id])
    })
    indexingQueue.runSoon()
  })

  registerPlatformEndpoint(
    app,
    optionalEndpoints.setDocumentStatus,
    async ({ params, body }) => {
      const { id } = await requireDataset(pool, params.dataset_id)
      await setDocumentStatus(context, id, body.document_ids, params.action as StatusAction)
      return { result: 'success' }
    },
    { paramErrorCode: 'invalid_action' },
  )

  registerPlatformEndpoint(app, optionalEndpoints.indexingStatus, async ({ params }) => {
    const { id } = await requireDataset(pool, params.dataset_id)
    const { rows } = await pool.query<DocumentRow & { completed_segments: number }>(
      `SELECT d.*, (SELECT count(*)::int4 FROM platform.segments s WHERE s.document_id = d.id) AS completed_segments
         FROM platform.documents d WHERE d.batch = $1 AND d.dataset_id = $2 AND d.removed_at IS NULL`,
      [params.batch, id],
    )
    if (rows.length === 0) throw toNotFoundError('Documents of this batch')
    return { data: rows.map(toProgress) }
  })
}

/** The status filter; unknown values filter nothing, as upstream. */
function toDisplayStatus(status: string | undefined): string | null {
  if (status === 'active' || status === 'enabled') return 'available'
  return DISPLAY_STATUSES.find((word) => word === status) ?? null
}

/** Segments of an older version do not count as completed: they exist only until the first new ones are stored. */
function toProgress(row: DocumentRow & { completed_segments: number }) {
  const hasNewSegments = row.indexing_status === 'indexing' || row.indexing_status === 'completed'
  return {
    id: row.id,
    indexing_status: row.indexing_status,
    processing_started_at: toTimestamp(row.processing_started_at),
    parsing_completed_at: toTimestamp(row.parsing_completed_at),
    cleaning_completed_at: toTimestamp(row.cleaning_completed_at),
    splitting_completed_at: toTimestamp(row.splitting_completed_at),
    completed_at: toTimestamp(row.completed_at),
    paused_at: null,
    error: row.error,
    stopped_at: toTimestamp(row.stopped_at),
    completed_segments: hasNewSegments ? row.completed_segments : 0,
    total_segments: row.total_segments ?? 0,
  }
}
