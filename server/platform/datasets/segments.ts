import type { FastifyInstance } from 'fastify'
import { adjacent } from '#contract/adjacent.ts'
import { contract } from '#contract/index.ts'
import { PlatformError } from '../errors.ts'
import { route } from '../route.ts'
import { demandDataset } from './dataset-record.ts'
import { demandDocument, isIndexing, type DocumentRow } from './document-record.ts'
import type { Knowledge } from './knowledge.ts'
import { contains, pageOf } from './list.ts'
import { addSegments, changeSegment, removeSegment } from './segment-writing.ts'
import { demandSegment, SEGMENT_COLUMNS, toSegment, type SegmentRow } from './segment-record.ts'

/** Operation 7; list, create, update, delete. */
export function segments(app: FastifyInstance, context: Knowledge): void {
  const { pool } = context.database

  route(app, contract.segments.read, async ({ params }) => {
    const document = await openDocument(context, params)
    const row = await demandSegment(pool, document.id, params.segment_id)
    return { data: { ...toSegment(row), child_chunks: [] }, doc_form: document.doc_form }
  })

  route(app, adjacent.listSegments, async ({ params, query }) => {
    const document = await openDocument(context, params)
    const where = `WHERE s.document_id = $1 AND s.content ILIKE $2 AND ($3::text[] IS NULL OR s.status = ANY($3))`
    const status = query.status === undefined ? null : [query.status].flat()
    const values = [document.id, contains(query.keyword), status]
    const { rows } = await pool.query<SegmentRow>(
      `SELECT ${SEGMENT_COLUMNS} ${where} ORDER BY s.position, s.id LIMIT $4 OFFSET $5`,
      [...values, query.limit, (query.page - 1) * query.limit],
    )
    const total = await pool.query<{ total: number }>(
      `SELECT count(*)::int4 AS total FROM platform.segments s ${where}`,
      values,
    )
    return { ...pageOf(rows.map(toSegment), total.rows[0]?.total ?? 0, query), doc_form: document.doc_form }
  })

  route(app, adjacent.createSegments, async ({ params, body }) => {
    const document = await openDocument(context, params)
    if (document.indexing_status !== 'completed') throw notReady('The document is not indexed completely.')
    if (!document.enabled) throw notReady('The document is disabled.')
    const rows = await addSegments(context, document, body.segments)
    return { data: rows.map(toSegment), doc_form: document.doc_form }
  })

  route(app, adjacent.updateSegment, async ({ params, body }) => {
    const document = await openSettledDocument(context, params)
    const row = await demandSegment(pool, document.id, params.segment_id)
    const changed = await changeSegment(context, document, row, body.segment)
    return { data: toSegment(changed), doc_form: document.doc_form }
  })

  route(app, adjacent.deleteSegment, async ({ params }) => {
    const document = await openSettledDocument(context, params)
    await removeSegment(context, document, await demandSegment(pool, document.id, params.segment_id))
  })
}

/** Upstream’s code for a document that takes no segments yet. */
const notReady = (message: string) => new PlatformError(404, 'not_found', message)

export async function openDocument(
  { database }: Knowledge,
  { dataset_id, document_id }: { dataset_id: string; document_id: string },
): Promise<DocumentRow> {
  const dataset = await demandDataset(database.pool, dataset_id)
  return demandDocument(database.pool, dataset.id, document_id)
}

/** What is written into a document that is being indexed would be gone when that is done. */
export async function openSettledDocument(
  context: Knowledge,
  params: { dataset_id: string; document_id: string },
): Promise<DocumentRow> {
  const document = await openDocument(context, params)
  if (isIndexing(document)) throw new PlatformError(400, 'document_indexing', 'The document is being indexed.')
  if (document.archived)
    throw new PlatformError(403, 'archived_document_immutable', 'The document is archived and cannot be changed.')
  return document
}
