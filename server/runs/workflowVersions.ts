import type { Pool } from 'pg'
import type { WorkflowVersion } from '#contract/console/runInsights.ts'
import { type AccessScope, SCOPE_CONDITIONS } from '../auth/accessScope.ts'
import { toWhereClause } from '../db/sqlConditions.ts'

const MAX_VERSIONS = 100

/**
 * The versions of an app's workflow that its runs named, the last used first. The index `calls_by_version` has all that is
 * summed up, so that no run is read.
 */
export async function listWorkflowVersions(
  pool: Pool,
  key_id: string,
  accessScope: AccessScope,
): Promise<WorkflowVersion[]> {
  const { clause, values } = toWhereClause([
    ['key_id = ?', key_id],
    [SCOPE_CONDITIONS.calls, accessScope ?? undefined],
  ])
  const { rows } = await pool.query<
    Omit<WorkflowVersion, 'first_seen' | 'last_seen'> & { first_seen: Date; last_seen: Date }
  >(
    `SELECT workflow_id, min(created_at) AS first_seen, max(created_at) AS last_seen, count(*)::int AS runs,
       count(*) FILTER (WHERE status = 'failed')::int AS failed
     FROM calls ${clause} AND workflow_id IS NOT NULL GROUP BY workflow_id ORDER BY last_seen DESC LIMIT ${MAX_VERSIONS}`,
    values,
  )
  return rows.map(({ first_seen, last_seen, ...version }) => ({
    ...version,
    first_seen: first_seen.toISOString(),
    last_seen: last_seen.toISOString(),
  }))
}
