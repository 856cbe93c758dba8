import type { Pool } from 'pg'
import type { RetrievalHit } from './retrievalHit.ts'
import type { SearchMethod } from './retrievalSettings.ts'
import type { childChunks } from '../schema.ts'

/** A found segment, and the children through which it was found, best first. */
export interface RankedSegment {
  segment_id: string
  score: number
  search_method: SearchMethod
  children: { id: string; score: number }[]
}

type HitRow = Omit<RetrievalHit, 'position' | 'score' | 'child_chunks' | 'search_method'>
type HitChildRow = Pick<typeof childChunks.$inferSelect, 'id' | 'content' | 'position'>

/** Reads found segments and increments the hit counts of segments and documents. */
export async function loadHits(pool: Pool, ranked: readonly RankedSegment[]): Promise<RetrievalHit[]> {
  if (ranked.length === 0) return []
  const ids = ranked.map(({ segment_id }) => segment_id)
  const rows = new Map((await countHits(pool, ids)).map((row) => [row.segment_id, row]))
  const children = await readChildren(pool, ranked)
  return ranked
    .flatMap(({ segment_id, score, search_method, children: foundChildren }) => {
      const row = rows.get(segment_id)
      if (!row) return []
      const child_chunks = foundChildren.flatMap(({ id, score: childScore }) => {
        const child = children.get(id)
        return child ? [{ ...child, score: childScore }] : []
      })
      return [{ ...row, score, child_chunks, search_method }]
    })
    .map((hit, index) => ({ ...hit, position: index + 1 }))
}

/**
 * Rows are locked in a fixed order, so that concurrent searches cannot deadlock: documents first, as writers of
 * segments do. A part of the statement runs when another reads it, so `counted` reads `locked`.
 */
async function countHits(pool: Pool, ids: string[]): Promise<HitRow[]> {
  const { rows } = await pool.query<HitRow>(
    `WITH found AS (
       SELECT s.id, s.document_id FROM platform.segments s WHERE s.id = ANY($1::uuid[])
     ), locked AS (
       SELECT id FROM platform.documents WHERE id IN (SELECT document_id FROM found) ORDER BY id FOR UPDATE
     ), counted AS (
       INSERT INTO platform.hits AS h (segment_id, hit_count)
       SELECT id, 1 FROM found WHERE document_id IN (SELECT id FROM locked) ORDER BY id
       ON CONFLICT (segment_id) DO UPDATE SET hit_count = h.hit_count + 1
       RETURNING segment_id, hit_count
     ), documents AS (
       UPDATE platform.documents d SET hit_count = d.hit_count + (SELECT count(*) FROM found WHERE document_id = d.id)
        WHERE d.id IN (SELECT id FROM locked)
     )
     SELECT t.id AS dataset_id, t.name AS dataset_name, d.id AS document_id, d.name AS document_name,
            'upload_file' AS data_source_type, (
              SELECT jsonb_object_agg(f.name, v.value) FROM platform.metadata_values v
                JOIN platform.metadata_fields f ON f.id = v.field_id WHERE v.document_id = d.id) AS doc_metadata,
            s.id AS segment_id, s.position AS segment_position, s.content, s.answer,
            s.word_count, c.hit_count, s.index_node_hash
       FROM counted c
       JOIN platform.segments s ON s.id = c.segment_id
       JOIN platform.documents d ON d.id = s.document_id
       JOIN platform.datasets t ON t.id = d.dataset_id`,
    [ids],
  )
  return rows
}

async function readChildren(pool: Pool, ranked: readonly RankedSegment[]): Promise<Map<string, HitChildRow>> {
  const ids = ranked.flatMap(({ children }) => children.map(({ id }) => id))
  if (ids.length === 0) return new Map()
  const { rows } = await pool.query<HitChildRow>(
    'SELECT id, content, position FROM platform.child_chunks WHERE id = ANY($1::uuid[])',
    [ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}
