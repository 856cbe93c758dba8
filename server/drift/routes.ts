import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { DriftAlert, DriftRow } from '#contract/console/drift.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { contract } from '#contract/index.ts'
import { toDriftFacts, type StoredDrift } from '#domain/contractDrift/driftFacts.ts'
import { listUnseenContractParts } from '#domain/contractDrift/observeReply.ts'
import { type AccessScope, scopeFilter } from '../auth/accessScope.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import { type DriftRecorder, MAX_DRIFTS_PER_OPERATION, toSeenParts } from '../relay/driftRecorder.ts'
import { queryReplies } from '../db/replyRows.ts'

/** The drifts of platforms from the contract, including everything observed before the request. */
export function registerDriftRoutes(app: FastifyInstance, pool: Pool, driftRecorder: DriftRecorder): void {
  const { listDrift, listUnseenParts } = contract.console

  registerEndpoint(app, listDrift, async ({ query }, { accessScope }) => {
    const { workspace, operation, kind, severity, page, limit } = query
    await driftRecorder.whenIdle()
    const rows = await readStoredDrifts(pool, accessScope, workspace)
    const facts = toDriftFacts(rows)
      .filter((fact) => !operation || fact.places.some((place) => place.operation === operation))
      .filter((fact) => (!kind || fact.kind === kind) && (!severity || fact.severity === severity))
      .sort(compareFacts)
    const shown = facts.slice((page - 1) * limit, page * limit)
    const samples = await readSamples(pool, shown)
    return {
      data: shown.map((fact) => ({ ...fact, sample: samples.get(`${fact.workspace} ${fact.id}`) ?? null })),
      total: facts.length,
      page,
      limit,
      has_more: page * limit < facts.length,
      truncated_operations: listTruncatedOperations(rows).filter((name) => !operation || name === operation),
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

/** The notices of each workspace that has any, and the newest of them. */
export async function findDriftSummaries(pool: Pool, reach: AccessScope, workspace?: string): Promise<DriftAlert[]> {
  const notices = toDriftFacts(await readStoredDrifts(pool, reach, workspace))
    .filter(({ severity }) => severity === 'notice')
    .sort(compareFacts)
  const recent = new Date(Date.now() - NEW_DRIFT_MS).toISOString()
  return [...Map.groupBy(notices, (fact) => fact.workspace)].flatMap(([id, facts]) => {
    const [newest] = facts
    return newest ? [{ workspace: id, count: facts.length, newest, is_new: newest.first_seen > recent }] : []
  })
}

const NEW_DRIFT_MS = 7 * 24 * 3_600_000

/** Notices first, then the newest. */
const compareFacts = (one: DriftRow, other: DriftRow): number =>
  Number(one.severity === 'note') - Number(other.severity === 'note') ||
  (other.first_seen < one.first_seen ? -1 : Number(other.first_seen > one.first_seen)) ||
  (one.path < other.path ? -1 : 1)

/**
 * The stored rows of one workspace or of all, oldest first: at most 100 per operation and workspace. Samples are read
 * only to decide whether the row is still a difference. A call deleted by retention gets no link.
 */
const readStoredDrifts = (pool: Pool, reach: AccessScope, workspace?: string): Promise<StoredDrift[]> =>
  queryReplies(
    pool,
    `SELECT drifts.id, workspace_id AS workspace, operation, kind, event, path, value,
       CASE WHEN kind = 'error' THEN sample END AS sample, count::float8 AS count,
       (SELECT calls.id FROM calls WHERE calls.id = drifts.call_id) AS call, first_seen, last_seen
     FROM drifts WHERE ($1::uuid IS NULL OR workspace_id = $1::uuid) AND ${scopeFilter('drifts', 2)}
     ORDER BY first_seen, operation, event, path, id`,
    [workspace ?? null, reach],
  )

async function readSamples(pool: Pool, rows: readonly DriftRow[]): Promise<Map<string, unknown>> {
  const { rows: samples } = await pool.query<{ key: string; sample: unknown }>(
    `SELECT workspace_id || ' ' || id AS key, sample FROM drifts
     WHERE (workspace_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))`,
    [rows.map(({ workspace }) => workspace), rows.map(({ id }) => id)],
  )
  return new Map(samples.map(({ key, sample }) => [key, sample]))
}

/** Operations with as many rows as are stored at most. */
function listTruncatedOperations(rows: readonly StoredDrift[]): string[] {
  const full = [...Map.groupBy(rows, ({ workspace, operation }) => `${workspace} ${operation}`).values()].filter(
    (group) => group.length >= MAX_DRIFTS_PER_OPERATION,
  )
  return [...new Set(full.map(([row]) => row?.operation ?? ''))].sort()
}
