import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { contract } from '#contract/index.ts'
import { isUnresolvedStatus } from '#contract/console/runs.ts'
import { ProblemError } from '#contract/problem.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { requirePartsInScope } from '../../auth/resourceScope.ts'
import { findLineage } from '../../ledger/runLineage.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { registerEndpoint } from '../../http/endpointRoute.ts'
import { requireRun, requireRunWithBody } from '../findRun.ts'
import { groupFailedRuns, findKnownNodes } from '../runHistory.ts'
import { listWorkflowVersions } from '../workflowVersions.ts'
import { toRun } from '../toRun.ts'
import type { RunReconciler } from './runReconciler.ts'

/** Routes that fetch run details with operation 12, and those about earlier runs of an app. */
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
