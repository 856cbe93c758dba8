import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { Id } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { recordAudit } from '../../auth/audit/auditLog.ts'
import { toActor } from '../../auth/peopleRoutes.ts'
import type { AccessScope } from '../../auth/accessScope.ts'
import { requireWorkspace } from '../../auth/resourceScope.ts'
import type { Database } from '../../db/database.ts'
import { registerEndpoint } from '../../http/endpointRoute.ts'
import { listErasures } from './endUserEraser.ts'
import type { RetentionJob } from './retentionJob.ts'
import type { Retention } from '#contract/console/retention.ts'
import { queryReplies, toIsoRow } from '../../db/replyRows.ts'

/** Retention rules by workspace. `RetentionJob` applies them and is triggered by a change. */
export function registerRetentionRoutes(
  app: FastifyInstance,
  { database, retentionJob }: { database: Database; retentionJob: RetentionJob },
): void {
  const { pool } = database
  const { readRetention, updateRetention, purgeCalls } = contract.console

  registerEndpoint(app, readRetention, async ({ params }, { accessScope }) => {
    const found = await getRetention(pool, params.workspace_id, accessScope)
    if (found.counted_at === null) retentionJob.runSoon()
    if (accessScope !== null && !accessScope.includes(found.workspace)) return { ...found, ...NO_COUNTS }
    return withErasures(pool, found)
  })

  registerEndpoint(app, updateRetention, async ({ params, body }, request) => {
    const { workspace: workspace_id, ...previous } = await getRetention(pool, params.workspace_id, request.accessScope)
    const next = { ...previous, ...body }
    await database.transaction(async (client) => {
      await client.query(
        'UPDATE retention SET keep_days = $2, keep_megabytes = $3, keep_file_megabytes = $4 WHERE workspace_id = $1',
        [workspace_id, next.keep_days, next.keep_megabytes, next.keep_file_megabytes],
      )
      const toLimits = ({ keep_days, keep_megabytes, keep_file_megabytes }: typeof previous) => ({
        keep_days,
        keep_megabytes,
        keep_file_megabytes,
      })
      await recordAudit(client, {
        action: 'retention.changed',
        ...toActor(request),
        workspace: workspace_id,
        about: workspace_id,
        detail: { from: toLimits(previous), to: toLimits(next) },
      })
    })
    retentionJob.runSoon()
    return withErasures(pool, await getRetention(pool, workspace_id, request.accessScope))
  })

  registerEndpoint(app, purgeCalls, async ({ params, body }, request) => {
    const { workspace: workspace_id } = await getRetention(pool, params.workspace_id, request.accessScope)
    // Of two concurrent purges, or erasures of one end user, the later cutoff applies.
    await database.transaction(async (client) => {
      if (body.end_user === undefined)
        await client.query(
          'UPDATE retention SET purge_before = greatest(purge_before, $2::timestamptz) WHERE workspace_id = $1',
          [workspace_id, body.before],
        )
      else
        await client.query(
          `INSERT INTO erasures(workspace_id, end_user, before) VALUES ($1, $2, $3)
           ON CONFLICT (workspace_id, end_user) DO UPDATE SET before = greatest(erasures.before, excluded.before)`,
          [workspace_id, body.end_user, body.before],
        )
      await recordAudit(client, {
        action: 'retention.purged',
        ...toActor(request),
        workspace: workspace_id,
        about: workspace_id,
        detail: body,
      })
    })
    retentionJob.runSoon()
    return withErasures(pool, await getRetention(pool, workspace_id, request.accessScope))
  })
}

/** For people with access to single keys only: the counts cover all calls of the workspace. */
const NO_COUNTS = {
  removed: 0,
  removed_at: null,
  counted_at: null,
  calls: null,
  bytes: null,
  frame_bytes: null,
  file_bytes: null,
  oldest: null,
}

const withErasures = async (pool: Pool, found: Retention): Promise<Retention> => ({
  ...found,
  erasures: (await listErasures(pool, found.workspace)).map(toIsoRow),
})

/** Without erasures. @throws ProblemError 404 */
async function getRetention(pool: Pool, workspace_id: string, reach: AccessScope): Promise<Retention> {
  const id = Id.safeParse(workspace_id)
  if (id.success) await requireWorkspace(pool, id.data, reach)
  if (id.success)
    await pool.query(
      'INSERT INTO retention(workspace_id) SELECT id FROM workspaces WHERE id = $1 ON CONFLICT (workspace_id) DO NOTHING',
      [id.data],
    )
  const [found] = id.success
    ? await queryReplies<Retention>(
        pool,
        `SELECT workspace_id AS workspace, keep_days, keep_megabytes, keep_file_megabytes, purge_before, '[]'::json AS erasures,
           removed::float8 AS removed, removed_at, counted_at, calls::float8 AS calls, bytes::float8 AS bytes,
           frame_bytes::float8 AS frame_bytes, file_bytes::float8 AS file_bytes, oldest
         FROM retention WHERE workspace_id = $1`,
        [id.data],
      )
    : []
  if (found) return found
  throw new ProblemError({ kind: 'invalid', status: 404, message: 'The workspace was not found.' })
}
