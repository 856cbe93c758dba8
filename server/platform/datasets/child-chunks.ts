import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { adjacent } from '#contract/adjacent.ts'
import { contract } from '#contract/index.ts'
import { invalidParam, notFound } from '../errors.ts'
import { makeChunk } from '../indexing/making.ts'
import { passageOf, storeChildren, storePassages } from '../indexing/store.ts'
import { route } from '../route.ts'
import type { Knowledge } from './knowledge.ts'
import { contains } from './list.ts'
import { demandSegment, toChild, type ChildRow } from './segment-record.ts'
import { noteChange, standingOf } from './segment-writing.ts'
import { openDocument, openSettledDocument } from './segments.ts'

const UNCHANGED = { tokens: 0, word_count: 0 }

/** Operations 8, 9 and 10; delete. */
export function childChunks(app: FastifyInstance, context: Knowledge): void {
  const { database, clock, queue } = context
  const { pool } = database

  route(app, contract.segments.listChildChunks, async ({ params, query }) => {
    const document = await openDocument(context, params)
    const segment = await demandSegment(pool, document.id, params.segment_id)
    const values = [segment.id, contains(query.keyword)]
    const where = 'WHERE segment_id = $1 AND content ILIKE $2'
    const { rows } = await pool.query<ChildRow>(
      `SELECT * FROM platform.child_chunks ${where} ORDER BY position, id LIMIT $3 OFFSET $4`,
      [...values, query.limit, (query.page - 1) * query.limit],
    )
    const counted = await pool.query<{ total: number }>(
      `SELECT count(*)::int4 AS total FROM platform.child_chunks ${where}`,
      values,
    )
    const total = counted.rows[0]?.total ?? 0
    const { page, limit } = query
    return { data: rows.map(toChild), total, total_pages: Math.ceil(total / limit), page, limit }
  })

  route(app, contract.segments.createChildChunk, async ({ params, body }) => {
    demandContent(body.content)
    const document = await openSettledDocument(context, params)
    const segment = await demandSegment(pool, document.id, params.segment_id)
    const id = randomUUID()
    const made = { ...makeChunk(body, standingOf(document)), id, index_node_id: randomUUID() }
    const now = new Date(clock())
    await database.transaction(async (client) => {
      const { rows } = await client.query<{ position: number }>(
        'SELECT coalesce(max(position), 0) + 1 AS position FROM platform.child_chunks WHERE segment_id = $1',
        [segment.id],
      )
      const row = { ...made, segment_id: segment.id, position: rows[0]?.position ?? 1, type: 'customized' }
      await storeChildren(client, [row], { began: now, now })
      const place = { dataset_id: document.dataset_id, document_id: document.id }
      if (segment.enabled) await storePassages(client, passageOf(made, segment.id, id), place)
      await noteChange(client, document, UNCHANGED, UNCHANGED)
    })
    queue.wake()
    return { data: toChild(await demandChild(segment.id, id)) }
  })

  route(app, contract.segments.updateChildChunk, async ({ params, body }) => {
    demandContent(body.content)
    const document = await openSettledDocument(context, params)
    const segment = await demandSegment(pool, document.id, params.segment_id)
    const child = await demandChild(segment.id, params.child_chunk_id)
    const made = { ...makeChunk(body, standingOf(document)), index_node_id: child.index_node_id }
    await database.transaction(async (client) => {
      await client.query(
        `UPDATE platform.child_chunks
            SET content = $2, word_count = $3, tokens = $4, index_node_hash = $5, type = 'customized', updated_at = $6,
                indexing_at = $6, completed_at = $6
          WHERE id = $1`,
        [child.id, made.content, made.word_count, made.tokens, made.index_node_hash, new Date(clock())],
      )
      await client.query('DELETE FROM platform.passages WHERE id = $1', [child.index_node_id])
      const place = { dataset_id: document.dataset_id, document_id: document.id }
      if (segment.enabled) await storePassages(client, passageOf(made, segment.id, child.id), place)
      await noteChange(client, document, UNCHANGED, UNCHANGED)
    })
    queue.wake()
    return { data: toChild(await demandChild(segment.id, child.id)) }
  })

  route(app, adjacent.deleteChildChunk, async ({ params }) => {
    const document = await openSettledDocument(context, params)
    const segment = await demandSegment(pool, document.id, params.segment_id)
    const child = await demandChild(segment.id, params.child_chunk_id)
    await database.transaction(async (client) => {
      await client.query('DELETE FROM platform.passages WHERE id = $1', [child.index_node_id])
      await client.query('DELETE FROM platform.child_chunks WHERE id = $1', [child.id])
      await noteChange(client, document, UNCHANGED, UNCHANGED)
    })
  })

  const demandChild = async (segment_id: string, id: string): Promise<ChildRow> => {
    const { rows } = await pool.query<ChildRow>(
      'SELECT * FROM platform.child_chunks WHERE id = $1 AND segment_id = $2',
      [id, segment_id],
    )
    if (!rows[0]) throw notFound('Child chunk')
    return rows[0]
  }
}

function demandContent(content: string): void {
  if (content.trim() === '') throw invalidParam('content must not be blank')
}
