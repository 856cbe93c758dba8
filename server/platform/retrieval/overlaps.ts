import type { Pool } from 'pg'
import type { RankedSegment } from './loadHits.ts'

/** Characters that two segments must have in common, at the end of one and the beginning of the other, to overlap. */
const MIN_OVERLAP_CHARS = 20
/** Longest overlap that is recognized, in characters. */
const MAX_OVERLAP_CHARS = 2000

interface SegmentEdges {
  id: string
  document_id: string
  position: number
  head: string
  tail: string
}

/**
 * The best `top_k` segments. Of neighbours in a document that overlap, only the best one is taken: the others would repeat
 * part of it in the place of another passage.
 */
export async function dropOverlaps(
  pool: Pool,
  ranked: readonly RankedSegment[],
  top_k: number,
): Promise<RankedSegment[]> {
  const considered = ranked.slice(0, top_k * 2)
  if (considered.length < 2) return considered.slice(0, top_k)
  const { rows } = await pool.query<SegmentEdges>(
    `SELECT id, document_id, position, left(content, ${MAX_OVERLAP_CHARS}) AS head,
            right(content, ${MAX_OVERLAP_CHARS}) AS tail
       FROM (SELECT *, count(*) OVER (PARTITION BY document_id) AS found FROM platform.segments
              WHERE id = ANY($1::uuid[])) AS s WHERE found > 1`,
    [considered.map(({ segment_id }) => segment_id)],
  )
  const edges = new Map(rows.map((row) => [row.id, row]))
  const kept: RankedSegment[] = []
  for (const segment of considered) {
    const own = edges.get(segment.segment_id)
    const isRepeated = own && kept.some(({ segment_id }) => areOverlapping(own, edges.get(segment_id)))
    if (!isRepeated) kept.push(segment)
    if (kept.length === top_k) break
  }
  return kept
}

function areOverlapping(one: SegmentEdges, other: SegmentEdges | undefined): boolean {
  if (!other || one.document_id !== other.document_id || Math.abs(one.position - other.position) !== 1) return false
  const [first, second] = one.position < other.position ? [one, other] : [other, one]
  return overlapLength(first.tail, second.head) >= MIN_OVERLAP_CHARS
}

/** Characters at the end of one text with which the other begins, blanks at the edges aside. */
export function overlapLength(first: string, second: string): number {
  const [end, beginning] = [first.trimEnd(), second.trimStart()]
  const key = beginning.slice(0, MIN_OVERLAP_CHARS)
  for (let at = end.indexOf(key); at !== -1 && key.length > 0; at = end.indexOf(key, at + 1))
    if (beginning.startsWith(end.slice(at))) return end.length - at
  return 0
}
