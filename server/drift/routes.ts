import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { DriftNews, DriftRow } from '#contract/drifts.ts'
import { platformEntries } from '#contract/entries.ts'
import { contract } from '#contract/index.ts'
import { neverSeen } from '#contract/observed.ts'
import { type Reach, SEEN, seenBy } from '../access/reach.ts'
import { where } from '../ledger/where.ts'
import { route } from '../plugins/route.ts'
import { type Drifts, MOST, partsOf } from './drifts.ts'

interface Row {
  workspace_id: string
  id: string
  operation: string
  kind: DriftRow['kind']
  event: string | null
  path: string
  value: string | null
  sample: unknown
  count: string
  call: string | null
  first_seen: Date
  last_seen: Date
}

/** Where a platform differs from the contract. What was seen up to the question is in the answer. */
export function driftRoutes(app: FastifyInstance, pool: Pool, drifts: Drifts): void {
  const { listDrift, listNeverSeen } = contract.console

  route(app, listDrift, async ({ query: { workspace, operation, kind, page, limit } }, { reach }) => {
    await drifts.settled()
    const { clause, values } = where([
      ['workspace_id = ?', workspace],
      ['operation = ?', operation],
      ['kind = ?', kind],
      [SEEN.drifts, reach ?? undefined],
    ])
    const { rows: counted } = await pool.query<{ operation: string; total: number; most: number }>(
      `SELECT operation, sum(ways)::int AS total, max(ways)::int AS most
       FROM (SELECT workspace_id, operation, count(*) AS ways FROM drifts ${clause} GROUP BY workspace_id, operation) AS sums
       GROUP BY operation ORDER BY operation`,
      values,
    )
    const { rows } = await pool.query<Row>(
      `SELECT ${COLUMNS} FROM drifts ${clause} ORDER BY first_seen DESC, operation, event, path, id LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
      values,
    )
    const total = counted.reduce((sum, one) => sum + one.total, 0)
    return {
      data: rows.map(rowOf),
      total,
      page,
      limit,
      has_more: page * limit < total,
      full: kind ? [] : counted.filter(({ most }) => most >= MOST).map((one) => one.operation),
    }
  })

  route(app, listNeverSeen, async ({ query: { workspace, operation, kind, page, limit } }, { reach }) => {
    await drifts.settled()
    const { rows } = await pool.query<{ operation: string; places: string[]; first_seen: Date }>(
      `SELECT operation, places, first_seen FROM sightings AS drifts WHERE workspace_id = $1 AND ${seenBy('drifts', 2)}`,
      [workspace, reach],
    )
    const seen = new Map(rows.map((row) => [row.operation, partsOf(row.places)]))
    const all = [...platformEntries].flatMap(([name, entry]) => {
      const parts = seen.get(name)
      // An operation beyond the interface is nothing that a platform should have.
      if ((operation && operation !== name) || (entry.adjacent && !parts)) return []
      return neverSeen(name, entry, parts).map((one) => ({ operation: name, ...one }))
    })
    const data = kind ? all.filter((one) => one.kind === kind) : all
    const since = rows.map(({ first_seen }) => first_seen.getTime()).sort((one, other) => one - other)[0]
    return {
      data: data.slice((page - 1) * limit, page * limit),
      total: data.length,
      page,
      limit,
      has_more: page * limit < data.length,
      since: since === undefined ? null : new Date(since).toISOString(),
    }
  })
}

/** How many ways each workspace differs, and the newest of them. */
export async function driftNews(pool: Pool, reach: Reach, workspace?: string): Promise<DriftNews[]> {
  const { rows } = await pool.query<Row & { ways: number; is_new: boolean }>(
    `SELECT DISTINCT ON (workspace_id) ${COLUMNS}, first_seen > now() - interval '7 days' AS is_new, count(*) OVER (PARTITION BY workspace_id)::int AS ways FROM drifts
     WHERE ($1::uuid IS NULL OR workspace_id = $1::uuid) AND ${seenBy('drifts', 2)}
     ORDER BY workspace_id, first_seen DESC, id`,
    [workspace ?? null, reach],
  )
  return rows.map((row) => ({ workspace: row.workspace_id, count: row.ways, newest: rowOf(row), is_new: row.is_new }))
}

/** A call that retention took away is opened no more. */
const COLUMNS = `workspace_id, drifts.id, operation, kind, event, path, value, sample, count, first_seen, last_seen,
  (SELECT calls.id FROM calls WHERE calls.id = drifts.call_id) AS call`

const rowOf = (row: Row): DriftRow => ({
  id: row.id,
  workspace: row.workspace_id,
  operation: row.operation,
  kind: row.kind,
  event: row.event,
  path: row.path,
  value: row.value,
  sample: row.sample,
  count: Number(row.count),
  call: row.call,
  first_seen: row.first_seen.toISOString(),
  last_seen: row.last_seen.toISOString(),
})
