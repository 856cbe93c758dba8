import { Readable } from 'node:stream'
import type { Pool } from 'pg'
import { badField, ProblemError } from '#contract/problem.ts'
import { type Reach, SEEN, seenBy } from './reach.ts'

/** Ids in one request. A request with more is refused, since each is looked up. */
export const MAX_IDS = 5_000
/** Ids in one database query. */
const MAX_QUERY_IDS = 1_000
const MAX_ID_CHARACTERS = 255
/** With `urn:uuid:`, braces and blanks around it. */
const MAX_UUID_CHARACTERS = 64
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Fields that hold ids of any form. */
const HOLDS_ID = /(^|_)(id|ids|names|thing|about|parent|not|batch)$/

/** The parts of a request: `params`, `headers`, `query`, `body`. */
export type RequestParts = Record<string, unknown>

/**
 * Refuses ids that this console knows, and only out of this person's reach. The problem is the one of an unknown id.
 * It looks at every value and name in the parts, at any depth: whatever has the form of a UUID, and other text in
 * fields that hold ids. All path parameters count as ids.
 * @throws ProblemError 404; 400 above `MAX_IDS`
 */
export async function requireInScope(pool: Pool, reach: Reach, parts: RequestParts): Promise<void> {
  if (reach === null) return
  const ids = collectIds(parts)
  const all = [...ids.keys()]
  for (let start = 0; start < all.length; start += MAX_QUERY_IDS) {
    const foreign = await findForeign(pool, all.slice(start, start + MAX_QUERY_IDS), reach)
    if (foreign === null) continue
    const message = MESSAGES[ids.get(foreign) ?? ''] ?? 'There is no such thing.'
    throw new ProblemError({ kind: 'invalid', status: 404, message })
  }
}

/** The messages of the routes themselves for an unknown id. */
const MESSAGES: Record<string, string> = {
  run_id: 'There is no such run.',
  'run-id': 'There is no such run.',
  call_id: 'There is no such call.',
  batch_id: 'There is no such batch.',
  kept_id: 'There is nothing kept under this id.',
  key_id: 'There is no such key.',
  key: 'There is no such key.',
  workspace_id: 'There is no such workspace.',
  workspace: 'There is no such workspace.',
}

/** @throws ProblemError 404 for a workspace that is not there, or out of reach */
export async function requireWorkspace(pool: Pool, id: string, reach: Reach): Promise<void> {
  const { rowCount } = await pool.query(`SELECT 1 FROM workspaces WHERE id = $1 AND ${seenBy('workspaces', 2)}`, [
    id,
    reach,
  ])
  if (rowCount === 0) throw new ProblemError({ kind: 'invalid', status: 404, message: 'There is no such workspace.' })
}

/** Ids with the name of a field that has them. @throws ProblemError 400 above `MAX_IDS` */
export function collectIds(parts: RequestParts): Map<string, string> {
  const ids = new Map<string, string>()
  // A list and not a recursion: a field of a form may nest without bound.
  const waiting: Field[] = []
  for (const [part, value] of Object.entries(parts)) {
    const isId = part === 'params'
    const fields = isRecord(value) ? Object.entries(value) : [['', value] as const]
    for (const [name, item] of fields)
      waiting.push({ value: item, name, path: name ? `${part}.${name}` : part, isId: isId || HOLDS_ID.test(name) })
  }
  for (let field = waiting.pop(); field; field = waiting.pop()) {
    const { value, name, path } = field
    if (typeof value === 'string') addId(ids, value, field)
    else if (Array.isArray(value)) for (const item of value) waiting.push({ ...field, value: item })
    else if (isRecord(value))
      for (const [key, item] of Object.entries(value)) {
        addId(ids, key, { name, isId: false })
        waiting.push({ value: item, name: key, path, isId: HOLDS_ID.test(key) })
      }
    if (ids.size > MAX_IDS) throw badField(path, `takes the request over the bound of ${MAX_IDS} ids`)
  }
  return ids
}

interface Field {
  value: unknown
  name: string
  /** The part and the field in it, for messages. */
  path: string
  /** Whether its text is an id, whatever the text looks like. */
  isId: boolean
}

function addId(ids: Map<string, string>, text: string, { name, isId }: Pick<Field, 'name' | 'isId'>): void {
  const uuid = toUuid(text)
  if (uuid !== null) ids.set(uuid, name)
  // As it is written too: a platform may have given its id in another form than the usual one.
  if ((isId || uuid !== null) && text !== '' && text.length <= MAX_ID_CHARACTERS && !text.includes('\0'))
    ids.set(text, name)
}

/** The usual form of a UUID that is written in any of the forms that PostgreSQL and Python read; null for other text. */
export function toUuid(text: string): string | null {
  if (text.length < 32 || text.length > MAX_UUID_CHARACTERS) return null
  const hex = text
    .trim()
    .replace(/^urn:/i, '')
    .replace(/^uuid:/i, '')
    .replace(/[{}-]/g, '')
    .toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(hex)) return null
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The parser of queries makes objects without the prototype of objects. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !Buffer.isBuffer(value) &&
  !(value instanceof Readable)

async function findForeign(pool: Pool, ids: string[], reach: Reach): Promise<string | null> {
  const uuids = ids.filter((id) => UUID.test(id))
  const seen = (table: keyof typeof SEEN) => SEEN[table].replaceAll('?', '$3')
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM (
       SELECT id::text, ${seen('workspaces')} AS seen FROM workspaces WHERE id = ANY($1::uuid[])
       UNION ALL SELECT id::text, ${seen('keys')} FROM keys WHERE id = ANY($1::uuid[])
       UNION ALL SELECT id::text, ${seen('calls')} FROM calls WHERE id = ANY($1::uuid[])
       UNION ALL SELECT id::text, ${seen('batches')} FROM batches WHERE id = ANY($1::uuid[])
       UNION ALL SELECT id::text, ${seen('kept')} FROM kept WHERE id = ANY($1::uuid[])
       UNION ALL SELECT id, ${seen('things')} FROM things WHERE id = ANY($2::text[])
       UNION ALL SELECT asked.id, ${seen('calls')} FROM unnest($2::text[]) AS asked(id), LATERAL (
         SELECT DISTINCT workspace_id, key_id FROM calls WHERE touched @> ARRAY[asked.id]) AS calls
     ) AS known GROUP BY id HAVING bool_or(seen) IS NOT TRUE LIMIT 1`,
    [uuids, ids, reach],
  )
  return rows[0]?.id ?? null
}
