import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { type BatchRow, DEFAULT_BATCH_LIMITS, type RunAction } from '#contract/console/batches.ts'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { type AccessScope, findAccessScope, scopeFilter } from '../auth/accessScope.ts'
import { requirePerson } from '../auth/accountRoutes.ts'
import { requireWorkspace } from '../auth/resourceScope.ts'
import type { Database } from '../db/database.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import { GENERATING_ENTRIES } from '../ledger/runStatus.ts'
import { tagRuns } from '../runs/runMarks.ts'
import type { BatchRowHandler } from './batchKind.ts'
import type { BatchQueue } from './batchQueue.ts'
import { type BatchStore, insertBatch, insertRows } from './batchStore.ts'
import { toFailedRow, toSucceededRow } from './rowCall.ts'

/** Does the action with one run, as a person with that scope. @returns the result of the row */
type ExecuteAction<Action> = (
  database: Database,
  run_id: string,
  action: Action,
  accessScope: AccessScope,
) => Promise<string>

const ACTIONS: { [Kind in RunAction['kind']]: ExecuteAction<Extract<RunAction, { kind: Kind }>> } = {
  async tag(database, run_id, { add, remove }, accessScope) {
    const [tagged] = await tagRuns(database, { run_ids: [run_id], add, remove }, accessScope)
    return tagged?.tags.join(', ') ?? ''
  },
}

/** Rows that are runs with which something is done. It is done again if the server died meanwhile. */
export function createRunJobKind(database: Database): BatchRowHandler {
  return {
    async execute({ batch, input }) {
      const { action } = batch.settings ?? {}
      if (!action) throw new Error(`Job ${batch.id} has no action.`)
      const startedAt = performance.now()
      try {
        const accessScope = await findAccessScope(database.pool, batch.started_by ?? batch.person_id)
        const result = await ACTIONS[action.kind](database, String(input.inputs['run']), action, accessScope)
        return toSucceededRow(result, Math.round(performance.now() - startedAt))
      } catch (error) {
        if (error instanceof ProblemError) return toFailedRow(error.problem, null)
        throw error
      }
    },
  }
}

export function registerRunJobRoutes(
  app: FastifyInstance,
  { database, batches, queue }: { database: Database; batches: BatchStore; queue: BatchQueue },
): void {
  registerEndpoint(app, contract.console.startRunJob, async ({ body }, request) => {
    const { accessScope } = request
    const id = body.id?.toLowerCase() ?? randomUUID()
    const person_id = requirePerson(request).id
    const run_ids = [...new Set(body.run_ids)]
    await requireWorkspace(database.pool, body.workspace, accessScope)
    await requireRuns(database.pool, body.workspace, run_ids, accessScope)
    await database.transaction(async (client) => {
      const batch = {
        ...DEFAULT_BATCH_LIMITS,
        id,
        kind: 'runs',
        workspace_id: body.workspace,
        key_id: null,
        entry: null,
        name: body.name,
        settings: { action: body.action },
        total: run_ids.length,
        person_id,
      } as const
      if (!(await insertBatch(client, batch, 'paused'))) return
      const rows = run_ids.map((run) => ({ input: { inputs: { run }, beside: {} }, title: run }))
      await insertRows(client, id, 1, rows)
    })
    await queue.startNew({ id, kind: 'runs' }, person_id, accessScope)
    return batches.get(id, accessScope)
  })
}

/** @throws ProblemError 404 if a run is not in the workspace, or out of scope */
async function requireRuns(pool: Pool, workspace: string, ids: readonly string[], accessScope: AccessScope) {
  const { rows } = await pool.query<{ runs: number }>(
    `SELECT count(*)::int AS runs FROM calls
     WHERE id = ANY($1::uuid[]) AND workspace_id = $2 AND entry = ANY($3) AND ${scopeFilter('calls', 4)}`,
    [ids, workspace, GENERATING_ENTRIES, accessScope],
  )
  if (rows[0]?.runs === ids.length) return
  throw new ProblemError({ kind: 'invalid', status: 404, message: 'The run was not found.' })
}

/** The rows of a job, which have the ids of their runs as titles, with what the reader may see of these runs. */
export async function withRunsOfJob(
  pool: Pool,
  rows: readonly BatchRow[],
  accessScope: AccessScope,
): Promise<BatchRow[]> {
  const { rows: runs } = await pool.query<{ id: string; title: string }>(
    `SELECT id, title FROM calls WHERE id = ANY($1::uuid[]) AND ${scopeFilter('calls', 2)}`,
    [rows.map(({ title }) => title), accessScope],
  )
  const titles = new Map(runs.map(({ id, title }) => [id, title]))
  return rows.map((row) => {
    const title = titles.get(row.title)
    return title === undefined ? { ...row, run: null, result: null } : { ...row, run: row.title, title }
  })
}
