import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { contract } from '#contract/index.ts'
import { isUnresolvedStatus } from '#contract/console/runs.ts'
import { ProblemError } from '#contract/problem.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { requirePartsInScope } from '../../auth/resourceScope.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { registerEndpoint } from '../../http/endpointRoute.ts'
import { requireRun, requireRunWithBody } from '../findRun.ts'
import { groupFailedRuns, findKnownNodes } from '../runHistory.ts'
import { toRun } from '../toRun.ts'
import type { RunReconciler } from './runReconciler.ts'
import { type AccessScope, scopeFilter, SCOPE_CONDITIONS } from '../../auth/accessScope.ts'
import { GENERATING_ENTRIES } from '../../ledger/runStatus.ts'
import { SUMMARY_COLUMNS, type CallRow } from '../../ledger/callRow.ts'
import type { WorkflowVersion } from '#contract/console/runInsights.ts'
import { toWhereClause } from '../../db/sqlConditions.ts'
import { queryReplies } from '../../db/replyRows.ts'

export function registerRunDetailRoutes(
  app: FastifyInstance,
  { pool, ledger, reconciler }: { pool: Pool; ledger: Ledger; reconciler: RunReconciler },
): void {
  const { reconcileRun, adoptRun, listRunFamily, listKnownNodes, listVersions, listFailures } = contract.console

  registerEndpoint(app, reconcileRun, async ({ params, body }, { accessScope }) => {
    const row = await requireRunWithBody(ledger, params.run_id, accessScope)
    await requirePartsInScope(pool, accessScope, { body })
    if (row.entry !== 'workflows.run' && row.workflow_run_id === null)
      throw toConflictError(400, 'Operation 12 returns runs of workflows and chatflows only.')
    if (!isUnresolvedStatus(row.status))
      throw toConflictError(
        409,
        `The run is ${row.status}. Only one that is interrupted, paused or unknown can be reconciled.`,
      )
    await reconciler.reconcileRun(row, body.workflow_run_id)
    return toRun(await requireRunWithBody(ledger, row.id, accessScope), true)
  })

  registerEndpoint(app, adoptRun, async ({ body }, { accessScope }) => {
    await requirePartsInScope(pool, accessScope, { body })
    const { key, workflow_run_id } = body
    const id = await reconciler.adoptRun({ key, workflow_run_id, reach: accessScope })
    return toRun(await requireRunWithBody(ledger, id, accessScope), true)
  })

  registerEndpoint(app, listRunFamily, async ({ params }, { accessScope }) => {
    const { id } = await requireRun(ledger, params.run_id, accessScope)
    const data = (await findLineage(pool, id, accessScope)).map((row) => toRun(row))
    return { data, total: data.length }
  })

  registerEndpoint(app, listKnownNodes, async ({ params }, { accessScope }) => {
    const row = await requireRunWithBody(ledger, params.run_id, accessScope)
    const workflow_id = (row.answer as RunState | null)?.workflow_id ?? null
    const { nodes, runs } = await findKnownNodes(pool, { ...row, workflow_id })
    return { data: nodes, total: nodes.length, runs }
  })

  registerEndpoint(app, listVersions, async ({ query }, { accessScope }) => {
    const data = await listWorkflowVersions(pool, query.key, accessScope)
    return { data, total: data.length }
  })

  registerEndpoint(app, listFailures, async ({ query }, { accessScope }) => {
    const { failures, looked_at } = await groupFailedRuns(pool, query, accessScope)
    return { data: failures, total: failures.length, looked_at }
  })
}

const toConflictError = (status: number, message: string) => new ProblemError({ kind: 'invalid', status, message })

/**
 * The tree of runs that a run belongs to, from its first stored ancestor. A child is always younger than its parent,
 * so that invalid parent ids cannot form a cycle.
 */
async function findLineage(pool: Pool, id: string, accessScope: AccessScope): Promise<CallRow[]> {
  const { rows } = await pool.query<CallRow>(
    `WITH RECURSIVE up AS (
       SELECT id, parent_id, created_at, 0 AS depth FROM calls WHERE id = $1
       UNION ALL
       SELECT calls.id, calls.parent_id, calls.created_at, depth + 1 FROM calls JOIN up ON calls.id = up.parent_id
         WHERE calls.created_at < up.created_at AND depth < 50
     ), down AS (
       (SELECT id, created_at, 0 AS depth FROM up ORDER BY up.depth DESC LIMIT 1)
       UNION ALL
       SELECT calls.id, calls.created_at, depth + 1 FROM calls JOIN down ON calls.parent_id = down.id
         WHERE calls.created_at > down.created_at AND depth < 50
     )
     SELECT ${SUMMARY_COLUMNS}, people.name AS person FROM calls LEFT JOIN people ON people.id = calls.person_id
     WHERE calls.id IN (SELECT id FROM down LIMIT 100) AND calls.entry = ANY($2) AND ${scopeFilter('calls', 3)}
     ORDER BY calls.created_at, calls.id`,
    [id, GENERATING_ENTRIES, accessScope],
  )
  return rows
}

const MAX_VERSIONS = 100

/**
 * The versions of an app's workflow that its runs named, last used first. The index `calls_by_version` contains all
 * that is summed up, so no run is read.
 */
function listWorkflowVersions(pool: Pool, key_id: string, accessScope: AccessScope): Promise<WorkflowVersion[]> {
  const { clause, values } = toWhereClause([
    ['key_id = ?', key_id],
    [SCOPE_CONDITIONS.calls, accessScope ?? undefined],
  ])
  return queryReplies(
    pool,
    `SELECT workflow_id, count(*)::int AS runs, count(*) FILTER (WHERE status = 'failed')::int AS failed,
       min(created_at) AS first_seen, max(created_at) AS last_seen
     FROM calls ${clause} AND workflow_id IS NOT NULL GROUP BY workflow_id ORDER BY last_seen DESC LIMIT ${MAX_VERSIONS}`,
    values,
  )
}
