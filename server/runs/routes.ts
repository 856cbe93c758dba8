import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { isLive } from '#contract/runs.ts'
import { contract } from '#contract/index.ts'
import { SMALL } from '../ledger/call.ts'
import type { CallRow } from '../ledger/call.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { like, where } from '../ledger/where.ts'
import { route } from '../plugins/route.ts'
import type { Attachments } from './attach.ts'
import { foundRun, wholeRun } from './found.ts'
import { GENERATING } from './outcome.ts'
import { runOf } from './row.ts'
import type { Runner } from './runner.ts'
import type { Settler } from './settler.ts'
import { tellingRoutes } from './telling.ts'

/** Bytes after which a page of frames ends, however few they are. */
const PAGE_BYTES = 8 * 1024 * 1024

/** Runs: the list, one, its frames, its stream, and the turns of a conversation. */
export function runRoutes(
  app: FastifyInstance,
  parts: { pool: Pool; ledger: Ledger; runner: Runner; attachments: Attachments; settler: Settler },
): void {
  const { pool, ledger, runner, attachments } = parts
  const { listRuns, readRun, listFrames, listTurns } = contract.console

  route(app, listRuns, async ({ query }) => {
    const { page, limit, q } = query
    const { clause, values } = where([
      ['calls.entry = ANY(?)', query.entry ? [query.entry] : [...GENERATING]],
      ['calls.workspace_id = ?', query.workspace],
      ['calls.key_id = ?', query.key],
      ['calls.status = ?', query.status],
      ['calls.conversation_id = ?', query.conversation_id],
      ['calls.touched @> ?', query.names && [query.names]],
      ['calls.parent_id = ?', query.parent],
      ['calls.person_id IN (SELECT id FROM people WHERE name = ?)', query.person],
      ['calls.end_user = ?', query.user],
      ['calls.created_at >= ?', query.from],
      ['calls.created_at < ?', query.to],
      ['calls.words ILIKE ?', q && like(q)],
    ])
    const { rows: counted } = await pool.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM calls ${clause}`,
      values,
    )
    const { rows } = await pool.query<CallRow>(
      `SELECT ${SMALL}, people.name AS person FROM calls LEFT JOIN people ON people.id = calls.person_id
       ${clause} ORDER BY calls.created_at DESC LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
      values,
    )
    const total = counted[0]?.total ?? 0
    return { data: rows.map((row) => runOf(row)), total, page, limit, has_more: page * limit < total }
  })

  route(app, readRun, async ({ params }) => {
    const row = await wholeRun(ledger, params.run_id)
    const live = runner.live.get(row.id)
    return { ...runOf(row, true), ...(live ? { answer: live.state } : {}) }
  })

  route(app, listFrames, async ({ params, query }) => {
    const row = await foundRun(ledger, params.run_id)
    const data = await ledger.frames(row.id, query.after, query.limit, PAGE_BYTES)
    return { data, total: row.frames }
  })

  route(app, listTurns, async ({ params, query }) => {
    const { clause, values } = where([
      ['calls.conversation_id = ?', params.conversation_id],
      ['calls.workspace_id = ?', query.workspace],
    ])
    const { rows } = await pool.query<CallRow>(
      `SELECT * FROM (SELECT ${SMALL}, calls.request, calls.answer, people.name AS person FROM calls LEFT JOIN people ON people.id = calls.person_id
       ${clause} AND calls.entry = 'chat.send' ORDER BY calls.created_at DESC LIMIT ${query.limit}) AS newest ORDER BY created_at`,
      values,
    )
    const data = rows.map((row) => {
      const live = runner.live.get(row.id)
      return { ...runOf(row, true), ...(live ? { answer: live.state } : {}) }
    })
    return { data, total: data.length }
  })

  tellingRoutes(app, parts)

  app.get('/api/runs/:run_id/events', { config: { permission: 'read' } }, async (request, reply) => {
    const { run_id } = request.params as { run_id: string }
    const row = await foundRun(ledger, run_id)
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
