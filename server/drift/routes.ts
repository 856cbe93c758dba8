import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { DriftAlert, DriftRow } from '#contract/console/drift.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { contract } from '#contract/index.ts'
import { listUnseenContractParts } from '#domain/contractDrift/observeReply.ts'
import { type AccessScope, SCOPE_CONDITIONS, scopeFilter } from '../auth/accessScope.ts'
import { toWhereClause } from '../db/sqlConditions.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import { type DriftRecorder, MAX_DRIFTS_PER_OPERATION, toSeenParts } from '../relay/driftRecorder.ts'

interface DriftDbRow {
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

/** The drifts of platforms from the contract, including everything observed before the request. */
export function registerDriftRoutes(app: FastifyInstance, pool: Pool, driftRecorder: DriftRecorder): void {
  const { listDrift, listUnseenParts } = contract.console

  registerEndpoint(app, listDrift, async ({ query: { workspace, operation, kind, page, limit } }, { accessScope }) => {
    await driftRecorder.whenIdle()
    const { clause, values } = toWhereClause([
      ['workspace_id = ?', workspace],
      ['operation = ?', operation],
      ['kind = ?', kind],
      [SCOPE_CONDITIONS.drifts, accessScope ?? undefined],
    ])
    const { rows: counted } = await pool.query<{ operation: string; total: number; max_ways: number }>(
      `SELECT operation, sum(ways)::int AS total, max(ways)::int AS max_ways
       FROM (SELECT workspace_id, operation, count(*) AS ways FROM drifts ${clause} GROUP BY workspace_id, operation) AS sums
       GROUP BY operation ORDER BY operation`,
      values,
    )
    const { rows } = await pool.query<DriftDbRow>(
      `SELECT ${DRIFT_COLUMNS} FROM drifts ${clause} ORDER BY first_seen DESC, operation, event, path, id LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
      values,
    )
    const total = counted.reduce((sum, one) => sum + one.total, 0)
    return {
      data: rows.map(toDriftRow),
      total,
      page,
      limit,
      has_more: page * limit < total,
      truncated_operations: kind
        ? []
        : counted.filter(({ max_ways }) => max_ways >= MAX_DRIFTS_PER_OPERATION).map((one) => one.operation),
    }
  })

  registerEndpoint(
    app,
    listUnseenParts,
    async ({ query: { workspace, operation, kind, page, limit } }, { accessScope }) => {
      await driftRecorder.whenIdle()
      const { rows } = await pool.query<{ operation: string; places: string[]; first_seen: Date }>(
        `SELECT operation, places, first_seen FROM observed_parts AS drifts WHERE workspace_id = $1 AND ${scopeFilter('drifts', 2)}`,
        [workspace, accessScope],
      )
      const seen = new Map(rows.map((row) => [row.operation, toSeenParts(row.places)]))
      const all = [...platformEntries].flatMap(([name, entry]) => {
        const parts = seen.get(name)
        // A platform need not have an optional operation, so unseen parts of it do not count.
        if ((operation && operation !== name) || (entry.optional && !parts)) return []
        return listUnseenContractParts(name, entry, parts).map((one) => ({ operation: name, ...one }))
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
    },
  )
}

/** The number of drifts of each workspace, and the newest of them. */
export async function findDriftSummaries(pool: Pool, reach: AccessScope, workspace?: string): Promise<DriftAlert[]> {
  const { rows } = await pool.query<DriftDbRow & { ways: number; is_new: boolean }>(
    `SELECT DISTINCT ON (workspace_id) ${DRIFT_COLUMNS}, first_seen > now() - interval '7 days' AS is_new, count(*) OVER (PARTITION BY workspace_id)::int AS ways FROM drifts
     WHERE ($1::uuid IS NULL OR workspace_id = $1::uuid) AND ${scopeFilter('drifts', 2)}
     ORDER BY workspace_id, first_seen DESC, id`,
    [workspace ?? null, reach],
  )
  return rows.map((row) => ({
    workspace: row.workspace_id,
    count: row.ways,
    newest: toDriftRow(row),
    is_new: row.is_new,
  }))
}

/** A call that retention deleted gets no link. */
const DRIFT_COLUMNS = `workspace_id, drifts.id, operation, kind, event, path, value, sample, count, first_seen, last_seen,
  (SELECT calls.id FROM calls WHERE calls.id = drifts.call_id) AS call`

const toDriftRow = (row: DriftDbRow): DriftRow => ({
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
