import type { FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { ProblemError } from '#contract/problem.ts'
import { type Reach, SEEN } from './reach.ts'

/** Ids that one request may hold; more are a table, whose cells are values. */
const MOST = 1_000
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** Fields that hold ids, whatever those look like. */
const HOLDS_ID = /(^|_)(id|ids|names|thing|about|parent)$/
const HEADERS = ['run-id', 'run-parent']

/**
 * Refuses a request that holds an id which this console knows, and only from beyond the person's reach: in the path, the
 * query, the body or a header. It is told the same as for an id that nobody knows, and no platform is called. The filters
 * of the console's own lists are left alone: a list holds nothing from beyond, whatever it is asked for.
 * @throws ProblemError 404
 */
export async function refuseForeign(pool: Pool, request: FastifyRequest, reach: Reach): Promise<void> {
  if (reach === null) return
  const ids = new Map<string, string>()
  for (const [name, value] of Object.entries((request.params as Record<string, string> | null) ?? {}))
    ids.set(idOf(value), name)
  if (request.method !== 'GET' || request.url.startsWith('/api/keys/')) {
    for (const name of HEADERS) gather(request.headers[name], ids, name)
    gather(request.query, ids)
    gather(request.body, ids)
  } else ids.forEach((name, id) => name === 'conversation_id' && ids.delete(id))
  const foreign = ids.size > 0 ? await findForeign(pool, [...ids.keys()], reach) : null
  if (foreign === null) return
  const named = NAMES[ids.get(foreign) ?? ''] ?? 'There is no such thing.'
  throw new ProblemError({ kind: 'invalid', status: 404, message: named })
}

/** The words with which a route itself says that there is none. */
const NAMES: Record<string, string> = {
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

const idOf = (text: string): string => (UUID.test(text) ? text.toLowerCase() : text)

/** A stream of form parts is a body too, and none to look into. */
const isPlain = (value: unknown): boolean => {
  if (!value || typeof value !== 'object') return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function gather(value: unknown, ids: Map<string, string>, field = ''): void {
  if (ids.size >= MOST) return
  if (typeof value === 'string') {
    const holds = UUID.test(value) || (HOLDS_ID.test(field) && value.length <= 255 && !value.includes('\0'))
    if (holds) ids.set(idOf(value), field)
  } else if (Array.isArray(value)) for (const one of value) gather(one, ids, field)
  else if (isPlain(value))
    for (const [name, one] of Object.entries(value as Record<string, unknown>)) gather(one, ids, name)
}

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
