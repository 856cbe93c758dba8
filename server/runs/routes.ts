import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import { contract } from '#contract/index.ts'
import type { Database } from '../db/database.ts'
import { SUMMARY_COLUMNS } from '../ledger/callRow.ts'
import type { CallContext, CallRow } from '../ledger/callRow.ts'
import { loadCallContexts } from '../ledger/callContext.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { withLargeBodies } from '../ledger/bodies/largeBody.ts'
import { SCOPE_CONDITIONS } from '../auth/accessScope.ts'
import { findCalls } from '../ledger/callSearch.ts'
import { toWhereClause } from '../db/sqlConditions.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import { createRateLimit } from '../http/rateLimit.ts'
import type { ConnectionQuota } from './subscriptions/connectionQuota.ts'
import type { RunSubscriptions } from './subscriptions/runSubscriptions.ts'
import { requireRun, requireRunWithBody } from './findRun.ts'
import { GENERATING_ENTRIES } from '../ledger/runStatus.ts'
import { refoldRun } from './reconciliation/refoldRun.ts'
import { findRunStops, withStops } from './runStops.ts'
import { listRunTags, setRunMarks, tagRuns } from './runMarks.ts'
import { toRun } from './toRun.ts'
import type { RunExecutor } from './runExecutor.ts'
import type { RunReconciler } from './reconciliation/runReconciler.ts'
import { registerRunDetailRoutes } from './reconciliation/runDetailRoutes.ts'

/** Maximum bytes of a page of frames. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024

export function registerRunRoutes(
  app: FastifyInstance,
  parts: {
    database: Database
    ledger: Ledger
    executor: RunExecutor
    subscriptions: RunSubscriptions
    quota: ConnectionQuota
    reconciler: RunReconciler
  },
): void {
  const { database, ledger, executor, subscriptions, quota } = parts
  const { pool } = database
  const { listRuns, readRun, listFrames, listConversationRuns, updateRun } = contract.console
  const { tagRuns: tagRunsEntry, listRunTags: listRunTagsEntry } = contract.console
  /** The answer of an active run is in the memory of the executing server, otherwise in its frames. */
  const toCurrentRun = async (row: CallRow, context?: CallContext): Promise<Run> => {
    const run = toRun(row, true, context)
    if (!isActiveStatus(row.status)) return run
    return { ...run, answer: executor.liveRuns.get(row.id)?.state ?? (await refoldRun(row, ledger)).state }
  }

  registerEndpoint(
    app,
    listRuns,
    async ({ query: { before, limit, entry, sort, order, ...filters } }, { accessScope }) => {
      const callQuery = { ...filters, entry: entry ?? GENERATING_ENTRIES.join(',') }
      const { ids, total, ...found } = await findCalls(database, callQuery, { before, limit, accessScope, sort, order })
      const rows = await ledger.listSummaries(ids)
      const contexts = await loadCallContexts(pool, rows, { q: filters.q, accessScope })
      // A list names who stopped a run; the effect of other stops is shown on the run's own page.
      const stops = await findRunStops(
        pool,
        rows.filter(({ status }) => status === 'stopped'),
      )
      const data = rows.map((row) => ({ ...toRun(row, false, contexts.get(row.id)), stop: stops.get(row.id) ?? null }))
      return { data, total: before === undefined ? total : null, ...found }
    },
  )

  registerEndpoint(app, readRun, async ({ params }, { accessScope }) => {
    const row = await requireRunWithBody(ledger, params.run_id, accessScope)
    const contexts = await loadCallContexts(pool, [row], { accessScope })
    const [run] = await withStops(pool, [row], [await toCurrentRun(row, contexts.get(row.id))])
    return run as Run
  })

  registerEndpoint(app, updateRun, async ({ params, body }, { accessScope }) => {
    const { id } = await requireRun(ledger, params.run_id, accessScope)
    await setRunMarks(pool, id, body)
    const row = await requireRun(ledger, id, accessScope)
    const contexts = await loadCallContexts(pool, [row], { accessScope })
    return toRun(row, false, contexts.get(id))
  })

  registerEndpoint(app, tagRunsEntry, async ({ body }, { accessScope }) => ({
    updated: (await tagRuns(database, body, accessScope)).length,
  }))

  registerEndpoint(app, listRunTagsEntry, async ({ query }, { accessScope }) => {
    const data = await listRunTags(pool, query.workspace, accessScope)
    return { data, total: data.length }
  })

  registerEndpoint(app, listFrames, async ({ params, query }, { accessScope }) => {
    const row = await requireRun(ledger, params.run_id, accessScope)
    const data = await ledger.readFrames(row.id, query.after, query.limit, MAX_PAGE_BYTES)
    return { data, total: row.frames }
  })

  registerEndpoint(app, listConversationRuns, async ({ params, query }, { accessScope }) => {
    const { clause, values } = toWhereClause([
      ['calls.conversation_id = ?', params.conversation_id],
      ['calls.workspace_id = ?', query.workspace],
      [SCOPE_CONDITIONS.calls, accessScope ?? undefined],
    ])
    const { rows } = await pool.query<CallRow>(
      `SELECT * FROM (SELECT ${SUMMARY_COLUMNS}, calls.request, calls.answer, calls.request_body_id,
         calls.answer_body_id, people.name AS person FROM calls LEFT JOIN people ON people.id = calls.person_id
       ${clause} AND calls.entry = 'chat.send' ORDER BY calls.created_at DESC LIMIT ${query.limit}) AS newest ORDER BY created_at`,
      values,
    )
    const runs = await Promise.all(rows.map(async (row) => toCurrentRun(await withLargeBodies(pool, row))))
    const data = await withStops(pool, rows, runs)
    return { data, total: data.length }
  })

  registerRunDetailRoutes(app, { ...parts, pool })

  const config = { permission: 'read', rateLimit: createRateLimit('read') } as const
  app.get('/api/runs/:run_id/events', { config }, async (request, reply) => {
    const { run_id } = request.params as { run_id: string }
    const row = await requireRun(ledger, run_id, request.accessScope)
    quota.add(request, reply.raw)
    const after = lastEventId(request)
    const live = executor.liveRuns.get(row.id) ?? null
    subscriptions.subscribeStream(
      reply,
      row.id,
      live,
      isActiveStatus(row.status) ? after : Math.min(after, row.frames),
      request.sessionId,
    )
  })
}

/** The browser's position in the stream; an invalid frame number means the start. */
function lastEventId(request: FastifyRequest): number {
  const given = request.headers['last-event-id']
  return typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : 0
}
