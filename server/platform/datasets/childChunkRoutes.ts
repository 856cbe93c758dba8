import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { contract } from '#contract/index.ts'
import { hasText } from '#domain/chunking/cleanText.ts'
import { toInvalidParamError, toNotFoundError } from '../platformErrors.ts'
import type { NewChunk } from '../indexing/chunkDocument.ts'
import { toPassageRows, storeChildren, storePassages } from '../indexing/segmentStore.ts'
import { registerPlatformEndpoint } from '../platformRoute.ts'
import type { DocumentRow } from './documentRecord.ts'
import type { KnowledgeContext } from './knowledgeContext.ts'
import { findByKeyword } from './listPage.ts'
import {
  CHILD_CHUNK_COLUMNS,
  requireSegment,
  toInterfaceRow,
  type ChildChunkRow,
  type SegmentRow,
} from './segmentRecord.ts'
import { lockSegment, toPassageContext, updateCounts } from './segmentWrites.ts'
import { requireOpenDocument, requireIndexedDocument } from './segmentRoutes.ts'

const NO_COUNTS = { tokens: 0, word_count: 0 }

export function registerChildChunkRoutes(app: FastifyInstance, context: KnowledgeContext): void {
  const { database, clock, indexingQueue } = context
  const { pool } = database

  registerPlatformEndpoint(app, contract.segments.listChildChunks, async ({ params, query }) => {
    const document = await requireOpenDocument(context, params)
    const segment = await requireSegment(pool, document.id, params.segment_id)
    const textsSql = 'SELECT id, content AS text FROM platform.child_chunks WHERE segment_id = $1'
    const values = [segment.id, await findByKeyword(pool, query.keyword, textsSql, [segment.id])]
    const where = 'WHERE segment_id = $1 AND ($2::uuid[] IS NULL OR id = ANY($2))'
    const { rows } = await pool.query<ChildChunkRow>(
      `SELECT ${CHILD_CHUNK_COLUMNS} ${where} ORDER BY position, id LIMIT $3 OFFSET $4`,
      [...values, query.limit, (query.page - 1) * query.limit],
    )
    const countRows = await pool.query<{ total: number }>(
      `SELECT count(*)::int4 AS total FROM platform.child_chunks ${where}`,
      values,
    )
    const total = countRows.rows[0]?.total ?? 0
    const { page, limit } = query
    return { data: rows.map(toInterfaceRow), total, total_pages: Math.ceil(total / limit), page, limit }
  })

  registerPlatformEndpoint(app, contract.segments.createChildChunk, async ({ params, body }) => {
    requireContent(body.content)
    const document = await requireIndexedDocument(context, params)
    const segment = await requireSegment(pool, document.id, params.segment_id)
    const id = randomUUID()
    const now = new Date(clock())
    const owner = { dataset_id: document.dataset_id, document_id: document.id, segment_id: segment.id }
    await database.transaction(async (client) => {
      const locked = await lockSegment(client, document, segment.id)
      const newChunk = { ...(await toNewChunk(body, document, locked)), id, index_node_id: randomUUID() }
      const { rows } = await client.query<{ position: number }>(
        'SELECT coalesce(max(position), 0) + 1 AS position FROM platform.child_chunks WHERE segment_id = $1',
        [segment.id],
      )
      const position = rows[0]?.position ?? 1
      const row = { ...newChunk, segment_id: segment.id, position, type: 'customized', indexing_at: now }
      await storeChildren(client, [row], now)
      if (locked.enabled) await storePassages(client, toPassageRows(newChunk, owner, id))
      await updateCounts(client, document, NO_COUNTS, NO_COUNTS)
    })
    indexingQueue.runSoon()
    return { data: toInterfaceRow(await requireChildChunk(segment.id, id)) }
  })

  registerPlatformEndpoint(app, contract.segments.updateChildChunk, async ({ params, body }) => {
    requireContent(body.content)
    const document = await requireIndexedDocument(context, params)
    const segment = await requireSegment(pool, document.id, params.segment_id)
    const child = await requireChildChunk(segment.id, params.child_chunk_id)
    const owner = { dataset_id: document.dataset_id, document_id: document.id, segment_id: segment.id }
    await database.transaction(async (client) => {
      const locked = await lockSegment(client, document, segment.id)
      const newChunk = { ...(await toNewChunk(body, document, locked)), index_node_id: child.index_node_id }
      const { rowCount } = await client.query(
        `UPDATE platform.child_chunks
            SET content = $2, word_count = $3, tokens = $4, index_node_hash = $5, type = 'customized', updated_at = $6,
                indexing_at = $6, completed_at = $6
          WHERE id = $1`,
        [child.id, newChunk.content, newChunk.word_count, newChunk.tokens, newChunk.index_node_hash, new Date(clock())],
      )
      if (rowCount === 0) throw toNotFoundError('Child chunk')
      await client.query('DELETE FROM platform.passages WHERE id = $1', [child.index_node_id])
      if (locked.enabled) await storePassages(client, toPassageRows(newChunk, owner, child.id))
      await updateCounts(client, document, NO_COUNTS, NO_COUNTS)
    })
    indexingQueue.runSoon()
    return { data: toInterfaceRow(await requireChildChunk(segment.id, child.id)) }
  })

  registerPlatformEndpoint(app, optionalEndpoints.deleteChildChunk, async ({ params }) => {
    const document = await requireIndexedDocument(context, params)
    const segment = await requireSegment(pool, document.id, params.segment_id)
    const child = await requireChildChunk(segment.id, params.child_chunk_id)
    await database.transaction(async (client) => {
      await lockSegment(client, document, segment.id)
      await client.query('DELETE FROM platform.passages WHERE id = $1', [child.index_node_id])
      const { rowCount } = await client.query('DELETE FROM platform.child_chunks WHERE id = $1', [child.id])
      if (rowCount === 0) throw toNotFoundError('Child chunk')
      await updateCounts(client, document, NO_COUNTS, NO_COUNTS)
    })
  })

  const requireChildChunk = async (segment_id: string, id: string): Promise<ChildChunkRow> => {
    const { rows } = await pool.query<ChildChunkRow>(
      `SELECT ${CHILD_CHUNK_COLUMNS} WHERE id = $1 AND segment_id = $2`,
      [id, segment_id],
    )
    if (!rows[0]) throw toNotFoundError('Child chunk')
    return rows[0]
  }
}

/** The tokenizer's vocabulary is loaded on demand, as in `workerPool.ts`. */
async function toNewChunk(body: { content: string }, document: DocumentRow, segment: SegmentRow): Promise<NewChunk> {
  const { buildChunk } = await import('../indexing/chunkDocument.ts')
  return buildChunk(body.content, toPassageContext(document, segment))
}

function requireContent(content: string): void {
  if (!hasText(content)) throw toInvalidParamError('content must not be blank')
}
