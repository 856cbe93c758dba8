import { Readable } from 'node:stream'
import type { Pool } from 'pg'
import { invalidFieldError, ProblemError } from '#contract/problem.ts'
import { type AccessScope, SCOPE_CONDITIONS, scopeFilter } from './accessScope.ts'

/** Ids in one request. A request with more is refused, since each id costs a lookup. */
export const MAX_IDS = 5_000
/** Ids in one database query. */
const MAX_QUERY_IDS = 1_000
const MAX_ID_CHARACTERS = 255
/** Includes `urn:uuid:`, braces and surrounding blanks. */
const MAX_UUID_CHARACTERS = 64
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Fields whose ids may have any form. */
const ID_FIELD_PATTERN = /(^|_)(id|ids|names|resource|thing|about|parent|not|batch)$/

export type RequestParts = Record<string, unknown>

/**
 * Refuses ids that this console knows, but that are all outside the person's scope. The problem equals the one for an
 * unknown id. It checks every value and name in the parts, at any depth: whatever has the form of a UUID, and any other text
 * in id fields. All path parameters count as ids.
 * @throws ProblemError 404; 400 above `MAX_IDS`
 */
export async function requirePartsInScope(pool: Pool, accessScope: AccessScope, parts: RequestParts): Promise<void> {
  if (accessScope === null) return
  const ids = collectIds(parts)
  const all = [...ids.keys()]
  for (let start = 0; start < all.length; start += MAX_QUERY_IDS) {
    const outOfScopeId = await findOutOfScopeId(pool, all.slice(start, start + MAX_QUERY_IDS), accessScope)
    if (outOfScopeId === null) continue
    const message = NOT_FOUND_MESSAGES[ids.get(outOfScopeId) ?? ''] ?? 'The resource was not found.'
    throw new ProblemError({ kind: 'invalid', status: 404, message })
  }
}

const NOT_FOUND_MESSAGES: Record<string, string> = {
  run_id: 'The run was not found.',
  'run-id': 'The run was not found.',
  call_id: 'The call was not found.',
  batch_id: 'The batch was not found.',
  suite_id: 'The suite was not found.',
  experiment_id: 'The experiment was not found.',
  saved_item_id: 'Saved item not found.',
  key_id: 'The key was not found.',
  key: 'The key was not found.',
  workspace_id: 'The workspace was not found.',
  workspace: 'The workspace was not found.',
}

/** @throws ProblemError 404 for a workspace that does not exist or is out of scope */
export async function requireWorkspace(pool: Pool, id: string, accessScope: AccessScope): Promise<void> {
  const { rowCount } = await pool.query(`SELECT 1 FROM workspaces WHERE id = $1 AND ${scopeFilter('workspaces', 2)}`, [
    id,
    accessScope,
  ])
  if (rowCount === 0) throw new ProblemError({ kind: 'invalid', status: 404, message: 'The workspace was not found.' })
}

/** Ids, each with the name of its field. @throws ProblemError 400 above `MAX_IDS` */
export function collectIds(parts: RequestParts): Map<string, string> {
  const ids = new Map<string, string>()
  // An explicit stack instead of recursion: a form field may nest without limit.
  const pending: PendingField[] = []
  for (const [part, value] of Object.entries(parts)) {
    const isId = part === 'params'
    const fields = isParsedRecord(value) ? Object.entries(value) : [['', value] as const]
    for (const [name, item] of fields)
      pending.push({
        value: item,
        name,
        path: name ? `${part}.${name}` : part,
        isId: isId || ID_FIELD_PATTERN.test(name),
      })
  }
  for (let field = pending.pop(); field; field = pending.pop()) {
    const { value, name, path } = field
    if (typeof value === 'string') addId(ids, value, field)
    else if (Array.isArray(value)) for (const item of value) pending.push({ ...field, value: item })
    else if (isParsedRecord(value))
      for (const [key, item] of Object.entries(value)) {
        addId(ids, key, { name, isId: false })
        pending.push({ value: item, name: key, path, isId: ID_FIELD_PATTERN.test(key) })
      }
    if (ids.size > MAX_IDS) throw invalidFieldError(path, `takes the request over the bound of ${MAX_IDS} ids`)
  }
  return ids
}

interface PendingField {
  value: unknown
  name: string
  /** The part and its field, for messages. */
  path: string
  /** Whether its text is an id regardless of its form. */
  isId: boolean
}

function addId(ids: Map<string, string>, text: string, { name, isId }: Pick<PendingField, 'name' | 'isId'>): void {
  const uuid = toUuid(text)
  if (uuid !== null) ids.set(uuid, name)
  // Also as written: a platform may have issued its id in a non-canonical form.
  if ((isId || uuid !== null) && text !== '' && text.length <= MAX_ID_CHARACTERS && !text.includes('\0'))
    ids.set(text, name)
}

/** The canonical form of a UUID in any of the notations that PostgreSQL and Python accept; null for other text. */
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

/** The query parser creates objects with a null prototype. */
const isParsedRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !Buffer.isBuffer(value) &&
  !(value instanceof Readable)

async function findOutOfScopeId(pool: Pool, ids: string[], accessScope: AccessScope): Promise<string | null> {
  const uuids = ids.filter((id) => UUID.test(id))
  const toScopeCondition = (table: keyof typeof SCOPE_CONDITIONS) => SCOPE_CONDITIONS[table].replaceAll('?', '$3')
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM (
       SELECT id::text, ${toScopeCondition('workspaces')} AS seen FROM workspaces WHERE id = ANY($1::uuid[])
       UNION ALL SELECT id::text, ${toScopeCondition('keys')} FROM keys WHERE id = ANY($1::uuid[])
       UNION ALL SELECT id::text, ${toScopeCondition('calls')} FROM calls WHERE id = ANY($1::uuid[])
       UNION ALL SELECT id::text, ${toScopeCondition('batches')} FROM batches WHERE id = ANY($1::uuid[])
       UNION ALL SELECT id::text, ${toScopeCondition('suites')} FROM suites WHERE id = ANY($1::uuid[])
       UNION ALL SELECT id::text, ${toScopeCondition('saved_items')} FROM saved_items WHERE id = ANY($1::uuid[])
       UNION ALL SELECT id, ${toScopeCondition('resources')} FROM resources WHERE id = ANY($2::text[])
       UNION ALL SELECT asked.id, ${toScopeCondition('calls')} FROM unnest($2::text[]) AS asked(id), LATERAL (
         SELECT DISTINCT workspace_id, key_id FROM calls WHERE resource_ids @> ARRAY[asked.id]) AS calls
     ) AS known GROUP BY id HAVING bool_or(seen) IS NOT TRUE LIMIT 1`,
    [uuids, ids, accessScope],
  )
  return rows[0]?.id ?? null
}
