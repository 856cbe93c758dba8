import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { Id } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import type { Retention } from '#contract/retention.ts'
import { record } from '../access/audit.ts'
import { byOf } from '../access/people-routes.ts'
import type { Reach } from '../access/reach.ts'
import { requireWorkspace } from '../access/scope.ts'
import type { Database } from '../database/database.ts'
import { route } from '../plugins/route.ts'
import type { Sweeper } from './sweeper.ts'

export interface RetentionRow {
  workspace_id: string
  keep_days: number | null
  keep_megabytes: number | null
  purge_before: Date | null
  removed: string
  removed_at: Date | null
  counted_at: Date | null
  calls: string | null
  bytes: string | null
  oldest: Date | null
}

/** How long calls are kept, by workspace. What removes them is the sweeper, which is told of a change. */
export function retentionRoutes(
  app: FastifyInstance,
  { database, sweeper }: { database: Database; sweeper: Sweeper },
): void {
  const { pool } = database
  const { readRetention, updateRetention, purgeCalls } = contract.console

  route(app, readRetention, async ({ params }, { reach }) => {
    const row = await found(pool, params.workspace_id, reach)
    if (row.counted_at === null) sweeper.poke()
    return shown(row)
  })

  route(app, updateRetention, async ({ params, body }, request) => {
    const { workspace_id, ...before } = await found(pool, params.workspace_id, request.reach)
    const after = { ...before, ...body }
    await database.transaction(async (client) => {
      await client.query('UPDATE retention SET keep_days = $2, keep_megabytes = $3 WHERE workspace_id = $1', [
        workspace_id,
        after.keep_days,
        after.keep_megabytes,
      ])
      const kept = ({ keep_days, keep_megabytes }: typeof before) => ({ keep_days, keep_megabytes })
      await record(client, {
        action: 'retention.changed',
        ...byOf(request),
        workspace: workspace_id,
        about: workspace_id,
        detail: { from: kept(before), to: kept(after) },
      })
    })
    sweeper.poke()
    return shown(await found(pool, workspace_id, request.reach))
  })

  route(app, purgeCalls, async ({ params, body }, request) => {
    const { workspace_id } = await found(pool, params.workspace_id, request.reach)
    // Of two purges at once the one that removes more stands.
    await database.transaction(async (client) => {
      await client.query(
        'UPDATE retention SET purge_before = greatest(purge_before, $2::timestamptz) WHERE workspace_id = $1',
        [workspace_id, body.before],
      )
      await record(client, {
        action: 'retention.purged',
        ...byOf(request),
        workspace: workspace_id,
        about: workspace_id,
        detail: { before: body.before },
      })
    })
    sweeper.poke()
    return shown(await found(pool, workspace_id, request.reach))
  })
}

/** @throws ProblemError 404 */
async function found(pool: Pool, workspace_id: string, reach: Reach): Promise<RetentionRow> {
  const id = Id.safeParse(workspace_id)
  if (id.success) await requireWorkspace(pool, id.data, reach)
  if (id.success)
    await pool.query(
      'INSERT INTO retention(workspace_id) SELECT id FROM workspaces WHERE id = $1 ON CONFLICT (workspace_id) DO NOTHING',
      [id.data],
    )
  const { rows } = id.success
    ? await pool.query<RetentionRow>('SELECT * FROM retention WHERE workspace_id = $1', [id.data])
    : { rows: [] }
  if (rows[0]) return rows[0]
  throw new ProblemError({ kind: 'invalid', status: 404, message: 'There is no such workspace.' })
}

const shown = (row: RetentionRow): Retention => ({
  workspace: row.workspace_id,
  keep_days: row.keep_days,
  keep_megabytes: row.keep_megabytes,
  purge_before: row.purge_before?.toISOString() ?? null,
  removed: Number(row.removed),
  removed_at: row.removed_at?.toISOString() ?? null,
  counted_at: row.counted_at?.toISOString() ?? null,
  calls: row.calls === null ? null : Number(row.calls),
  bytes: row.bytes === null ? null : Number(row.bytes),
  oldest: row.oldest?.toISOString() ?? null,
})
