import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isLive, type Run } from '#contract/runs.ts'
import { contract } from '#contract/index.ts'
import type { Database } from '../database/database.ts'
import { SMALL } from '../ledger/call.ts'
import type { CallRow } from '../ledger/call.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { SEEN } from '../access/reach.ts'
import { findCalls } from '../ledger/search.ts'
import { where } from '../ledger/where.ts'
import { route } from '../plugins/route.ts'
import type { Attachments } from './attach.ts'
import { foundRun, wholeRun } from './found.ts'
import { GENERATING } from './outcome.ts'
import { refold } from './refold.ts'
import { runOf } from './row.ts'
import type { Runner } from './runner.ts'
import type { Settler } from './settler.ts'
import { tellingRoutes } from './telling.ts'

/** Bytes after which a page of frames ends, however few they are. */
const PAGE_BYTES = 8 * 1024 * 1024

/** Runs: the list, one, its frames, its stream, and the turns of a conversation. */
export function runRoutes(
  app: FastifyInstance,
  parts: { database: Database; ledger: Ledger; runner: Runner; attachments: Attachments; settler: Settler },
): void {
  const { database, ledger, runner, attachments } = parts
  const { pool } = database
  const { listRuns, readRun, listFrames, listTurns } = contract.console
  /** A run that goes on has its answer in the memory of the server that carries it, and else in its frames. */
  const standing = async (row: CallRow): Promise<Run> => {
    const run = runOf(row, true)
    if (!isLive(row.status)) return run
    return { ...run, answer: runner.live.get(row.id)?.state ?? (await refold(row, ledger)).state }
  }

  route(app, listRuns, async ({ query: { before, limit, names, entry, ...filters } }, { reach }) => {
    const sought = { ...filters, thing: names, entry: entry ?? GENERATING.join(',') }
    const { ids, total, ...found } = await findCalls(database, sought, { before, limit, reach })
    const data = (await ledger.listed(ids)).map((row) => runOf(row))
    return { data, total: before === undefined ? total : null, ...found }
  })

  route(app, readRun, async ({ params }, { reach }) => {
    const row = await wholeRun(ledger, params.run_id, reach)
    return standing(row)
  })

  route(app, listFrames, async ({ params, query }, { reach }) => {
    const row = await foundRun(ledger, params.run_id, reach)
    const data = await ledger.frames(row.id, query.after, query.limit, PAGE_BYTES)
    return { data, total: row.frames }
  })

  route(app, listTurns, async ({ params, query }, { reach }) => {
    const { clause, values } = where([
      ['calls.conversation_id = ?', params.conversation_id],
      ['calls.workspace_id = ?', query.workspace],
      [SEEN.calls, reach ?? undefined],
    ])
    const { rows } = await pool.query<CallRow>(
      `SELECT * FROM (SELECT ${SMALL}, calls.request, calls.answer, people.name AS person FROM calls LEFT JOIN people ON people.id = calls.person_id
       ${clause} AND calls.entry = 'chat.send' ORDER BY calls.created_at DESC LIMIT ${query.limit}) AS newest ORDER BY created_at`,
      values,
    )
    const data = await Promise.all(rows.map(standing))
    return { data, total: data.length }
  })

  tellingRoutes(app, { ...parts, pool })

  app.get('/api/runs/:run_id/events', { config: { permission: 'read' } }, async (request, reply) => {
    const { run_id } = request.params as { run_id: string }
    const row = await foundRun(ledger, run_id, request.reach)
    const after = lastEventId(request)
    const live = runner.live.get(row.id) ?? null
    attachments.attach(reply, row.id, live, isLive(row.status) ? after : Math.min(after, row.frames), request.session)
  })
}

/** How far the browser has read; anything that is no frame number means from the start. */
function lastEventId(request: FastifyRequest): number {
  const given = request.headers['last-event-id']
  return typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : 0
}
