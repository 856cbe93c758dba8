import type { PoolClient } from 'pg'
import type { Thing } from '#contract/console.ts'
import { THINGS_COUNTED, type ThingFilters } from '#contract/things.ts'
import type { Database } from '../database/database.ts'
import { SETTINGS } from './search.ts'
import { type Reach, SEEN } from '../access/reach.ts'
import { like, where } from './where.ts'

export interface ThingRow {
  workspace_id: string
  kind: Thing['kind']
  id: string
  label: string | null
  parent: string | null
  payload: unknown
  first_seen: Date
  last_seen: Date
}

/** Things of a slice that words are looked for in, and hits of the words' index that are sorted. */
const SLICE = 500
const HITS = 1_000

interface Paged {
  page: number
  limit: number
  /** The `next` of the page before: reads on from there, however many there are. */
  before?: string | undefined
}
export interface FoundThings {
  rows: ThingRow[]
  total: number
  beyond: boolean
  next: string | null
}

/**
 * Things by when they were last seen. No statement reads more of the table than `THINGS_COUNTED` of an index: what is
 * beyond is not counted. Words are looked for in the newest, and in all where the newest do not fill the page.
 */
export async function findThings(
  database: Database,
  filters: ThingFilters & { reach?: Reach },
  paged: Paged,
): Promise<FoundThings> {
  const { q, ...exact } = filters
  return database.transaction(async (client) => {
    const { clause, values } = where([
      ['workspace_id = ?', exact.workspace],
      ['kind = ?', exact.kind],
      ['parent = ?', exact.parent],
      ['id = ?', exact.id],
      [SEEN.things, exact.reach ?? undefined],
    ])
    // An id names few; all else is walked in order.
    await client.query(exact.id ? SETTINGS.hits : SETTINGS.walk)
    return q ? sought(client, clause, values, q, paged) : listed(client, clause, values, paged)
  })
}

const ORDER = 'ORDER BY last_seen DESC, id DESC'
/** Records are read of those alone that are shown. */
const NAMES = 'workspace_id, kind, id, last_seen'

async function listed(client: PoolClient, clause: string, values: unknown[], paged: Paged): Promise<FoundThings> {
  const { page, limit } = paged
  const from = paged.before === undefined ? null : placeOf(paged.before)
  const after = from ? ` AND (last_seen, id) < ($${values.length + 1}::timestamptz, $${values.length + 2})` : ''
  // The names come from an index alone.
  const { rows } = await client.query<ThingRow>(
    `SELECT things.* FROM (
       SELECT workspace_id, kind, id FROM things ${clause}${after} ${ORDER}
       LIMIT ${limit + 1} OFFSET ${from ? 0 : (page - 1) * limit}
     ) AS shown JOIN things USING (workspace_id, kind, id) ${ORDER}`,
    from ? [...values, from.at, from.id] : values,
  )
  const { rows: counted } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM (SELECT 1 FROM things ${clause} LIMIT ${THINGS_COUNTED + 1}) AS counted`,
    values,
  )
  return foundIn(rows, counted[0]?.n ?? 0, limit)
}

async function sought(client: PoolClient, clause: string, values: unknown[], q: string, { page, limit }: Paged) {
  const [words, start] = [`$${values.length + 1}`, `$${values.length + 2}`]
  const given = [...values, like(q), like(q).slice(1)]
  const fits = `(label ILIKE ${words} OR id LIKE ${start})`
  const near = await client.query<Hit>(
    `SELECT ${NAMES}, ${fits} AS fits FROM things ${clause} ${ORDER} LIMIT ${SLICE}`,
    given,
  )
  const newest = near.rows.filter((row) => row.fits)
  const isWhole = near.rows.length < SLICE
  const most = page * limit
  if (isWhole || newest.length > most || !/[\p{L}\p{N}]{3}/u.test(q))
    return pageOf(client, newest, isWhole, most, limit)
  await client.query(SETTINGS.hits)
  const all = await client.query<Hit>(`SELECT ${NAMES} FROM things ${clause} AND ${fits} LIMIT ${HITS + 1}`, given)
  return pageOf(client, all.rows, all.rows.length <= HITS, most, limit)
}

interface Hit {
  workspace_id: string
  kind: string
  last_seen: Date
  id: string
  fits: boolean
}

async function pageOf(client: PoolClient, hits: Hit[], isWhole: boolean, most: number, limit: number) {
  const sorted = hits.sort(
    (one, other) => other.last_seen.getTime() - one.last_seen.getTime() || (other.id < one.id ? -1 : 1),
  )
  const shown = sorted.slice(most - limit, most)
  await client.query(SETTINGS.hits)
  const { rows } = await client.query<ThingRow>(
    `SELECT things.* FROM things JOIN unnest($1::uuid[], $2::text[], $3::text[]) AS shown(workspace_id, kind, id)
     USING (workspace_id, kind, id) ${ORDER}`,
    [shown.map((hit) => hit.workspace_id), shown.map((hit) => hit.kind), shown.map((hit) => hit.id)],
  )
  return { rows, total: hits.length, beyond: !isWhole, next: null }
}

function foundIn(rows: ThingRow[], counted: number, limit: number): FoundThings {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    rows: rows.slice(0, limit),
    total: Math.min(counted, THINGS_COUNTED),
    beyond: counted > THINGS_COUNTED,
    next: last ? `${last.last_seen.getTime()}_${last.id}` : null,
  }
}

function placeOf(name: string): { at: Date; id: string } {
  const end = name.indexOf('_')
  return { at: new Date(Number(name.slice(0, end))), id: name.slice(end + 1) }
}
