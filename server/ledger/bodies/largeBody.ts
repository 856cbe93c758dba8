import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { Pool } from 'pg'
import { isLargeJson, toJsonPieces } from '#domain/jsonPieces.ts'
import { asJson } from '#domain/stream/untrustedJson.ts'
import { toStorableJson } from '../callColumns.ts'
import type { LargeBodyIds } from '../callRow.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'

/**
 * Bodies of at least this many characters are stored in pieces of that size, each with its own statement: a single
 * statement would block others for too long.
 */
export const PIECE_CHARS = 1_000_000

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** How a body of a call is stored: as JSON in its column, or in pieces under an id. Both are null where there is none. */
interface BodyColumns {
  json: string | null
  body_id: string | null
}

export function toBodyColumns(value: unknown): BodyColumns {
  if (isLargeJson(value, PIECE_CHARS)) return { json: null, body_id: randomUUID() }
  return { json: toStorableJson(value), body_id: null }
}

/**
 * Stores a large body; a no-op for one that fits its column, or of a deleted call. The pieces belong to nothing until
 * the call's row names the id, and are deleted with the call.
 */
export async function writeLargeBody(
  pool: Pool,
  call_id: string,
  { body_id }: BodyColumns,
  value: unknown,
): Promise<void> {
  if (body_id === null) return
  const pieces = toJsonPieces(asJson(value), PIECE_CHARS)
  for (let index = 0, next = pieces.next(); next.done !== true; index++) {
    const data = await compress(Buffer.from(next.value))
    next = pieces.next()
    await pool.query(
      `INSERT INTO body_pieces(call_id, body_id, piece, is_last, data) SELECT $1, $2, $3, $4, $5
       WHERE EXISTS (SELECT FROM calls WHERE id = $1)`,
      [call_id, body_id, index, next.done === true, data],
    )
  }
}

const BODY_NAMES = ['request', 'reply', 'answer'] as const

/** The row with those bodies that are stored in pieces; null for one whose writing was interrupted. */
export async function withLargeBodies<Row extends LargeBodyIds & { id: string }>(pool: Pool, row: Row): Promise<Row> {
  const bodies: Partial<Record<(typeof BODY_NAMES)[number], unknown>> = {}
  for (const name of BODY_NAMES) {
    const body_id = row[`${name}_body_id`]
    if (body_id) bodies[name] = await readLargeBody(pool, row.id, body_id)
  }
  return { ...row, ...bodies }
}

async function readLargeBody(pool: Pool, call_id: string, body_id: string): Promise<unknown> {
  const texts: string[] = []
  for (let isLast = false; !isLast;) {
    const { rows } = await pool.query<{ is_last: boolean; data: Buffer }>(
      'SELECT is_last, data FROM body_pieces WHERE call_id = $1 AND body_id = $2 AND piece = $3',
      [call_id, body_id, texts.length],
    )
    if (!rows[0]) return null
    texts.push((await decompress(rows[0].data)).toString())
    isLast = rows[0].is_last
  }
  // Parsing takes a tenth of a second for 30 MB.
  await setImmediate()
  return parseLosslessJson(texts.join(''))
}
