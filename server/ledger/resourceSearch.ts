import type { PoolClient } from 'pg'
import { MAX_COUNTED_RESOURCES, type ResourceQuery, type Resource } from '#contract/console/resources.ts'
import type { Database } from '../db/database.ts'
import { PLANNER_SETTINGS } from './callSearch.ts'
import { toCanonicalId } from './resources.ts'
import { type AccessScope, SCOPE_CONDITIONS } from '../auth/accessScope.ts'
import { toContainsPattern, toWhereClause } from '../db/sqlConditions.ts'
import { queryReplies } from '../db/replyRows.ts'
import type { resources } from './schema.ts'

export const RESOURCE_COLUMNS = 'kind, id, workspace_id AS workspace, label, parent, payload, first_seen, last_seen'

/** Resources of a page that are searched by text, and sorted hits of the full-text index. */
const MAX_SCANNED_ROWS = 500
const MAX_INDEX_HITS = 1_000

interface PageRequest {
  page: number
  limit: number
  /** The `next` of the previous page. */
  before?: string | undefined
}
export interface ResourcePage {
  data: Resource[]
  total: number
  total_capped: boolean
  next: string | null
}

/**
 * Resources by the time they were last seen. Each statement reads at most `MAX_COUNTED_RESOURCES` index entries;
 * further ones are not counted. Text is searched in the newest first, and in all if those do not fill the page.
 */
export async function findResources(
  database: Database,
  filters: ResourceQuery & { accessScope: AccessScope },
  pageRequest: PageRequest,
): Promise<ResourcePage> {
  const { q, ...exactFilters } = filters
  return database.transaction(async (client) => {
    const { clause, values } = toWhereClause([
      ['workspace_id = ?', exactFilters.workspace],
      ['kind = ?', exactFilters.kind],
      ['parent = ?', exactFilters.parent && toCanonicalId(exactFilters.parent)],
      ['id = ?', exactFilters.id && toCanonicalId(exactFilters.id)],
      [SCOPE_CONDITIONS.resources, exactFilters.accessScope ?? undefined],
    ])
    // An id matches few rows; everything else is walked in order.
    await client.query(exactFilters.id ? PLANNER_SETTINGS.hits : PLANNER_SETTINGS.walk)
    return q
      ? searchResources(client, clause, values, q, pageRequest)
      : listResources(client, clause, values, pageRequest)
  })
}

const ORDER_BY = 'ORDER BY last_seen DESC, id DESC'
/** Records are read only of the resources shown. */
const KEY_COLUMNS = 'workspace_id, kind, id, last_seen'

async function listResources(
  client: PoolClient,
  clause: string,
  values: unknown[],
  pageRequest: PageRequest,
): Promise<ResourcePage> {
  const { page, limit } = pageRequest
  const cursor = pageRequest.before === undefined ? null : parseCursor(pageRequest.before)
  const cursorCondition = cursor
    ? ` AND (last_seen, id) < ($${values.length + 1}::timestamptz, $${values.length + 2})`
    : ''
  // The names come from an index alone.
  const found = await queryReplies<Resource>(
    client,
    `SELECT ${RESOURCE_COLUMNS} FROM (
       SELECT workspace_id, kind, id FROM resources ${clause}${cursorCondition} ${ORDER_BY}
       LIMIT ${limit + 1} OFFSET ${cursor ? 0 : (page - 1) * limit}
     ) AS shown JOIN resources USING (workspace_id, kind, id) ${ORDER_BY}`,
    cursor ? [...values, cursor.at, cursor.id] : values,
  )
  const { rows: countRows } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM (SELECT 1 FROM resources ${clause} LIMIT ${MAX_COUNTED_RESOURCES + 1}) AS counted`,
    values,
  )
  return toResourcePage(found, countRows[0]?.n ?? 0, limit)
}

async function searchResources(
  client: PoolClient,
  clause: string,
  values: unknown[],
  q: string,
  { page, limit }: PageRequest,
) {
  const [containsParam, prefixParam] = [`$${values.length + 1}`, `$${values.length + 2}`]
  const params = [...values, toContainsPattern(q), toContainsPattern(q).slice(1)]
  const matchCondition = `(label ILIKE ${containsParam} OR id LIKE ${prefixParam})`
  const scanned = await client.query<ResourceHit>(
    `SELECT ${KEY_COLUMNS}, ${matchCondition} AS fits FROM resources ${clause} ${ORDER_BY} LIMIT ${MAX_SCANNED_ROWS}`,
    params,
  )
  const matches = scanned.rows.filter((row) => row.fits)
  const isComplete = scanned.rows.length < MAX_SCANNED_ROWS
  const pageEnd = page * limit
  if (isComplete || matches.length > pageEnd || !/[\p{L}\p{N}]{3}/u.test(q))
    return readHitPage(client, matches, isComplete, pageEnd, limit)
  await client.query(PLANNER_SETTINGS.hits)
  const all = await client.query<ResourceHit>(
    `SELECT ${KEY_COLUMNS} FROM resources ${clause} AND ${matchCondition} LIMIT ${MAX_INDEX_HITS + 1}`,
    params,
  )
  return readHitPage(client, all.rows, all.rows.length <= MAX_INDEX_HITS, pageEnd, limit)
}

type ResourceHit = Pick<typeof resources.$inferSelect, 'workspace_id' | 'kind' | 'id' | 'last_seen'> & { fits: boolean }

async function readHitPage(
  client: PoolClient,
  hits: ResourceHit[],
  isComplete: boolean,
  pageEnd: number,
  limit: number,
) {
  const sortedHits = hits.sort(
    (one, other) => other.last_seen.getTime() - one.last_seen.getTime() || (other.id < one.id ? -1 : 1),
  )
  const pageHits = sortedHits.slice(pageEnd - limit, pageEnd)
  await client.query(PLANNER_SETTINGS.hits)
  const data = await queryReplies<Resource>(
    client,
    `SELECT ${RESOURCE_COLUMNS} FROM resources JOIN unnest($1::uuid[], $2::text[], $3::text[]) AS shown(workspace_id, kind, id)
     USING (workspace_id, kind, id) ${ORDER_BY}`,
    [pageHits.map((hit) => hit.workspace_id), pageHits.map((hit) => hit.kind), pageHits.map((hit) => hit.id)],
  )
  return { data, total: hits.length, total_capped: !isComplete, next: null }
}

function toResourcePage(found: Resource[], counted: number, limit: number): ResourcePage {
  const last = found.length > limit ? found[limit - 1] : undefined
  return {
    data: found.slice(0, limit),
    total: Math.min(counted, MAX_COUNTED_RESOURCES),
    total_capped: counted > MAX_COUNTED_RESOURCES,
    next: last ? `${Date.parse(last.last_seen)}_${last.id}` : null,
  }
}

function parseCursor(cursor: string): { at: Date; id: string } {
  const end = cursor.indexOf('_')
  return { at: new Date(Number(cursor.slice(0, end))), id: cursor.slice(end + 1) }
}
