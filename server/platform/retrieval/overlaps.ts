import type { Pool } from 'pg'
import { areOverlapping, type SegmentEdges } from '#domain/keywordSearch/overlaps.ts'
import type { RankedSegment } from './loadHits.ts'
import type { SegmentOverlay } from './segmentOverlay.ts'

/** Longest overlap that is recognized, in characters. */
const MAX_OVERLAP_CHARS = 2000

/**
 * The best `top_k` segments. Of overlapping neighbours in a document only the best is used: the others would repeat
 * part of it in place of another passage.
 */
export async function dropOverlaps(
  pool: Pool,
  ranked: readonly RankedSegment[],
  top_k: number,
  overlay: SegmentOverlay | null = null,
): Promise<RankedSegment[]> {
  // Each segment may exclude the one before and the one after it.
  const considered = ranked.slice(0, top_k * 3)
  if (considered.length < 2) return considered.slice(0, top_k)
  const edges = await readEdges(
    pool,
    considered.map(({ segment_id }) => segment_id),
    overlay,
  )
  const kept: RankedSegment[] = []
  for (const segment of considered) {
    const own = edges.get(segment.segment_id)
    const isRepeated = own && kept.some(({ segment_id }) => areOverlapping(own, edges.get(segment_id)))
    if (!isRepeated) kept.push(segment)
    if (kept.length === top_k) break
  }
  return kept
}

/** The edges of segments that have neighbours among the results. */
async function readEdges(
  pool: Pool,
  ids: readonly string[],
  overlay: SegmentOverlay | null,
): Promise<Map<string, SegmentEdges>> {
  const { rows } = await pool.query<SegmentEdges & { id: string }>(
    `SELECT id, document_id, position, left(content, ${MAX_OVERLAP_CHARS}) AS head,
            right(content, ${MAX_OVERLAP_CHARS}) AS tail
       FROM (SELECT *, count(*) OVER (PARTITION BY document_id) AS found FROM platform.segments
              WHERE id = ANY($1::uuid[])) AS s WHERE found > 1 OR $2`,
    [ids, overlay !== null],
  )
  const edges = new Map<string, SegmentEdges>(rows.map(({ id, ...row }) => [id, row]))
  for (const [id, { document_id, position, content }] of overlay?.segments ?? [])
    edges.set(id, {
      document_id,
      position,
      head: content.slice(0, MAX_OVERLAP_CHARS),
      tail: content.slice(-MAX_OVERLAP_CHARS),
    })
  return edges
}
