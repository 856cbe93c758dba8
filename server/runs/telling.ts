import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import type { RunState } from '#contract/run.ts'
import { requireInScope } from '../access/scope.ts'
import { familyOf } from '../ledger/family.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { route } from '../plugins/route.ts'
import { foundRun, wholeRun } from './found.ts'
import { failuresOf, knownNodes } from './history.ts'
import { runOf } from './row.ts'
import type { Settler } from './settler.ts'

/** What operation 12 is asked about runs, and what earlier runs of an app tell. */
export function tellingRoutes(
  app: FastifyInstance,
  { pool, ledger, settler }: { pool: Pool; ledger: Ledger; settler: Settler },
): void {
  const { settleRun, adoptRun, listFamily, listKnownNodes, listFailures } = contract.console

  route(app, settleRun, async ({ params, body }, { reach }) => {
    const row = await wholeRun(ledger, params.run_id, reach)
    await requireInScope(pool, reach, { body })
    if (row.entry !== 'workflows.run') throw refuse(400, 'Operation 12 tells of runs of a workflow alone.')
    if (row.status !== 'interrupted' && row.status !== 'unknown')
      throw refuse(409, `The run is ${row.status}. Only one that is interrupted or unknown is asked for.`)
    await settler.settle(row, body.workflow_run_id)
    return runOf(await wholeRun(ledger, row.id, reach), true)
  })

  route(app, adoptRun, async ({ body }, { reach }) => {
    await requireInScope(pool, reach, { body })
    const { key, workflow_run_id } = body
    const id = await settler.adopt({ key, workflow_run_id, reach })
    return runOf(await wholeRun(ledger, id, reach), true)
  })

  route(app, listFamily, async ({ params }, { reach }) => {
    const { id } = await foundRun(ledger, params.run_id, reach)
    const data = (await familyOf(pool, id, reach)).map((row) => runOf(row))
    return { data, total: data.length }
  })

  route(app, listKnownNodes, async ({ params }, { reach }) => {
    const row = await wholeRun(ledger, params.run_id, reach)
    const workflow_id = (row.answer as RunState | null)?.workflow_id ?? null
    const { nodes, runs } = await knownNodes(pool, { ...row, workflow_id })
    return { data: nodes, total: nodes.length, runs }
  })

  route(app, listFailures, async ({ query }, { reach }) => {
    const { failures, looked_at } = await failuresOf(pool, query, reach)
    return { data: failures, total: failures.length, looked_at }
  })
}

const refuse = (status: number, message: string) => new ProblemError({ kind: 'invalid', status, message })
