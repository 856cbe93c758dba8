import type { Pool } from 'pg'
import type { Frame } from '#contract/console/runs.ts'
import { decodeChunk } from './frameChunk.ts'

/** Either a chunk of sealed frames, or one frame of the journal. */
interface StoredRow extends Omit<Frame, 'raw'> {
  raw: Buffer | null
  /** Only of a chunk; `seq` is then the number of its first frame. */
  data: Buffer | null
}

/**
 * At most `limit` frames of a run after a number, and no more after `bytes` of them. A shorter page is the last one,
 * after which a follower continues with live frames. The first chunk therefore counts only its frames after that
 * number, and no bytes, since their share is unknown. Sealed frames are the first of their run, so chunks come before
 * the journal. One statement reads both: frames that are sealed meanwhile are seen once.
 */
export async function readStoredFrames(
  pool: Pool,
  id: string,
  after: number,
  limit: number,
  bytes: number,
): Promise<Frame[]> {
  const { rows } = await pool.query<StoredRow>(
    `WITH chunks AS MATERIALIZED (
       SELECT *, sum(new_frames) OVER (ORDER BY first_seq) - new_frames AS frames_before,
         sum(new_bytes) OVER (ORDER BY first_seq) - new_bytes AS bytes_before
       FROM (
         SELECT first_seq, first_at, bytes, data, last_seq - greatest(first_seq - 1, $2) AS new_frames,
           CASE WHEN first_seq > $2 THEN bytes ELSE 0 END AS new_bytes
         FROM frame_chunks WHERE call_id = $1 AND last_seq > $2
       ) AS chunks
     ), journal AS (
       SELECT *, sum(bytes) OVER (ORDER BY seq) - bytes AS bytes_before FROM frames WHERE call_id = $1 AND seq > $2
       ORDER BY seq LIMIT $3
     )
     SELECT first_seq AS seq, first_at AS at, bytes, '' AS block, NULL::bytea AS raw, data FROM chunks
     WHERE frames_before < $3 AND bytes_before < $4
     UNION ALL
     SELECT seq, at, bytes, block, raw, NULL FROM journal WHERE bytes_before < $4 ORDER BY seq`,
    [id, after, limit, bytes],
  )
  return selectPage(rows.flatMap(expandRow), after, limit, bytes)
}

function expandRow({ raw, data, ...frame }: StoredRow): Frame[] {
  if (data) return decodeChunk({ first_seq: frame.seq, data })
  return [raw ? { ...frame, raw: raw.toString('base64') } : frame]
}

/**
 * The frames after that number up to the first gap: further chunks may follow that were not read. A frame in the
 * journal that is already sealed was committed again later by an abandoned connection.
 */
function selectPage(frames: readonly Frame[], after: number, limit: number, maxBytes: number): Frame[] {
  const page: Frame[] = []
  let bytes = 0
  for (const frame of frames) {
    const previous = page.at(-1)
    if (frame.seq <= (previous?.seq ?? after)) continue
    if (page.length === limit || bytes >= maxBytes || (previous && frame.seq !== previous.seq + 1)) break
    page.push(frame)
    bytes += frame.bytes
  }
  return page
}

/** How many frames of each run arrived within that many milliseconds; runs without any are absent. */
export async function countFramesWithin(
  pool: Pool,
  runs: readonly { id: string; ms: number }[],
): Promise<Map<string, number>> {
  if (runs.length === 0) return new Map()
  const limits = new Map(runs.map(({ id, ms }) => [id, ms]))
  const { rows } = await pool.query<{ id: string; frames: number; first_seq: number | null; data: Buffer | null }>(
    `WITH runs AS (SELECT * FROM unnest($1::uuid[], $2::float8[]) AS runs(id, ms))
     SELECT runs.id, count(*)::int AS frames, NULL::int AS first_seq, NULL::bytea AS data FROM runs
     JOIN frames ON frames.call_id = runs.id AND frames.at <= runs.ms
     WHERE NOT EXISTS (SELECT FROM frame_chunks AS chunk WHERE chunk.call_id = runs.id AND frames.seq <= chunk.last_seq)
     GROUP BY runs.id
     UNION ALL
     SELECT runs.id, last_seq - first_seq + 1, first_seq, CASE WHEN last_at > runs.ms THEN data END FROM runs
     JOIN frame_chunks ON frame_chunks.call_id = runs.id AND first_at <= runs.ms`,
    [[...limits.keys()], [...limits.values()]],
  )
  const counts = new Map<string, number>()
  for (const { id, frames, first_seq, data } of rows) {
    const isWithin = ({ at }: Frame) => at <= (limits.get(id) ?? 0)
    const count = data ? decodeChunk({ first_seq: first_seq ?? 1, data }).filter(isWithin).length : frames
    counts.set(id, (counts.get(id) ?? 0) + count)
  }
  return counts
}
