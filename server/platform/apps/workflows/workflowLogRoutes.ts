import { and, count, desc, eq, gte, ilike, lte, or, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { toUnixSeconds, type PlatformContext } from '../../platformContext.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import { findWorkflow } from '../appCatalogue.ts'
import { workflowRuns as runs } from '../schema.ts'
import { toEndUserId } from '../endUserId.ts'

/**
 * The runs of a workflow application, newest first. All are by end users: on this platform accounts do not start
 * runs.
 */
export function registerWorkflowLogRoutes(app: FastifyInstance, context: PlatformContext): void {
  const { db } = context.database
  registerPlatformEndpoint(app, optionalEndpoints.workflowLogs, async ({ caller, query }) => {
    findWorkflow(caller)
    const { page, limit, keyword, status } = query
    const pattern = keyword && `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
    const condition = and(
      eq(runs.app, caller.app ?? ''),
      status && eq(runs.status, status),
      query.created_at__after ? gte(runs.created_at, new Date(query.created_at__after)) : undefined,
      query.created_at__before ? lte(runs.created_at, new Date(query.created_at__before)) : undefined,
      query.created_by_end_user_session_id ? eq(runs.end_user, query.created_by_end_user_session_id) : undefined,
      query.created_by_account ? sql`false` : undefined,
      pattern
        ? or(
            ilike(runs.end_user, pattern),
            sql`${runs.id}::text ILIKE ${pattern}`,
            sql`${runs.inputs}::text ILIKE ${pattern}`,
            sql`${runs.outputs}::text ILIKE ${pattern}`,
          )
        : undefined,
    )
    const [countRows] = await db.select({ total: count() }).from(runs).where(condition)
    const rows = await db
      .select()
      .from(runs)
      .where(condition)
      .orderBy(desc(runs.created_at), desc(runs.id))
      .limit(limit)
      .offset((page - 1) * limit)
    const total = countRows?.total ?? 0
    return { page, limit, total, has_more: page * limit < total, data: rows.map(toLog) }
  })
}

const toLog = (run: typeof runs.$inferSelect) => ({
  id: run.id,
  workflow_run: {
    id: run.id,
    version: run.version,
    status: run.status,
    error: run.error,
    elapsed_time: run.elapsed_time,
    total_tokens: run.total_tokens,
    total_steps: run.total_steps,
    created_at: toUnixSeconds(run.created_at.getTime()),
    finished_at: run.finished_at && toUnixSeconds(run.finished_at.getTime()),
    exceptions_count: 0,
    triggered_from: 'app-run',
  },
  details: null,
  created_from: 'service-api',
  created_by_role: 'end_user',
  created_by_account: null,
  created_by_end_user: {
    id: toEndUserId({ app: run.app, user: run.end_user }),
    type: 'service-api',
    is_anonymous: false,
    session_id: run.end_user,
  },
  created_at: toUnixSeconds(run.created_at.getTime()),
})
