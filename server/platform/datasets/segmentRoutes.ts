import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { contract } from '#contract/index.ts'
import { PlatformError } from '../platformErrors.ts'
import { registerPlatformEndpoint } from '../platformRoute.ts'
import { requireDataset } from './datasetRecord.ts'
import { requireDocument, requireIndexed, requireUnarchived, type DocumentRow } from './documentRecord.ts'
import type { KnowledgeContext } from './knowledgeContext.ts'
import { findByKeyword, toListPage } from './listPage.ts'
import { addSegments, changeSegment, removeSegment } from './segmentWrites.ts'
import { requireSegment, SEGMENT_COLUMNS, toSegments, type SegmentRow } from './segmentRecord.ts'

export function registerSegmentRoutes(app: FastifyInstance, context: KnowledgeContext): void {
  const { pool } = context.database

  registerPlatformEndpoint(app, contract.segments.read, async ({ params }) => {
    const document = await requireOpenDocument(context, params)
    const row = await requireSegment(pool, document.id, params.segment_id)
    return toSegmentReply(row, document)
  })

  registerPlatformEndpoint(app, optionalEndpoints.listSegments, async ({ params, query }) => {
    const document = await requireOpenDocument(context, params)
    const textsSql = `SELECT id, concat_ws(E'\\n', content, answer, array_to_string(keywords, E'\\n')) AS text
      FROM platform.segments WHERE document_id = $1 ORDER BY position, id`
    const ids = await findByKeyword(pool, query.keyword, textsSql, [document.id])
    const where = `WHERE s.document_id = $1 AND ($2::uuid[] IS NULL OR s.id = ANY($2)) AND ($3::text[] IS NULL OR s.status = ANY($3))`
    const status = query.status === undefined ? null : [query.status].flat()
    const values = [document.id, ids, status]
    const { rows } = await pool.query<SegmentRow>(
      `SELECT ${SEGMENT_COLUMNS} ${where} ORDER BY s.position, s.id LIMIT $4 OFFSET $5`,
      [...values, query.limit, (query.page - 1) * query.limit],
    )
    const total = await pool.query<{ total: number }>(
      `SELECT count(*)::int4 AS total FROM platform.segments s ${where}`,
      values,
    )
    const segments = await toSegments(pool, rows, document.doc_form)
    return { ...toListPage(segments, total.rows[0]?.total ?? 0, query), doc_form: document.doc_form }
  })

  registerPlatformEndpoint(app, optionalEndpoints.createSegments, async ({ params, body }) => {
    const document = await requireOpenDocument(context, params)
    if (document.indexing_status !== 'completed') throw toNotReadyError('The document is not fully indexed.')
    if (!document.enabled) throw toNotReadyError('The document is disabled.')
    const rows = await addSegments(context, document, body.segments)
    return { data: await toSegments(pool, rows, document.doc_form), doc_form: document.doc_form }
  })

  registerPlatformEndpoint(app, optionalEndpoints.updateSegment, async ({ params, body }) => {
    const document = await requireIndexedDocument(context, params)
    const row = await requireSegment(pool, document.id, params.segment_id)
    const changed = await changeSegment(context, document, row, body.segment)
    return toSegmentReply(changed, document)
  })

  registerPlatformEndpoint(app, optionalEndpoints.deleteSegment, async ({ params }) => {
    const document = await requireIndexedDocument(context, params)
    await removeSegment(context, document, await requireSegment(pool, document.id, params.segment_id))
  })

  const toSegmentReply = async (row: SegmentRow, { doc_form }: DocumentRow) => {
    const [data] = await toSegments(pool, [row], doc_form)
    return { data, doc_form }
  }
}

/** Upstream’s error code for a document that does not accept segments yet. */
const toNotReadyError = (message: string) => new PlatformError(404, 'not_found', message)

export async function requireOpenDocument(
  { database }: KnowledgeContext,
  { dataset_id, document_id }: { dataset_id: string; document_id: string },
): Promise<DocumentRow> {
  const dataset = await requireDataset(database.pool, dataset_id)
  return requireDocument(database.pool, dataset.id, document_id)
}

/** Segments written during indexing would be deleted at its end. */
export async function requireIndexedDocument(
  context: KnowledgeContext,
  params: { dataset_id: string; document_id: string },
): Promise<DocumentRow> {
  const document = await requireOpenDocument(context, params)
  requireIndexed(document)
  requireUnarchived(document)
  return document
}
