import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Thing } from '#contract/console.ts'
import { Id } from '#contract/endpoint.ts'
import type { Call } from '#contract/calls.ts'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { route } from '../plugins/route.ts'
import type { Things } from './things.ts'
import { like, where } from './where.ts'
import { type CallRow, type Ledger, SMALL } from './ledger.ts'

interface ThingRow {
  workspace_id: string
  kind: Thing['kind']
  id: string
  label: string | null
  parent: string | null
  payload: unknown
  first_seen: Date
  last_seen: Date
}

/** What this console has seen. An id from elsewhere can be adopted, and is read from the platform when it is opened. */
export function ledgerRoutes(
  app: FastifyInstance,
  { pool, things, ledger }: { pool: Pool; things: Things; ledger: Ledger },
): void {
  const { listThings, adoptThing, listCalls, readCall } = contract.console

  route(app, listThings, async ({ query }) => {
    const { page, limit, q } = query
    const { clause, values } = where([
      ['workspace_id = ?', query.workspace],
      ['kind = ?', query.kind],
      ['parent = ?', query.parent],
      ['id = ?', query.id],
      ['(label ILIKE ? OR id ILIKE ?)', q && like(q)],
    ])
    const { rows: counted } = await pool.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM things ${clause}`,
      values,
    )
    const { rows } = await pool.query<ThingRow>(
      `SELECT * FROM things ${clause} ORDER BY last_seen DESC, id LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
      values,
    )
    const total = counted[0]?.total ?? 0
    return { data: rows.map(thingOf), total, page, limit, has_more: page * limit < total }
  })

  route(app, adoptThing, async ({ body }) => {
    const { rows: workspaces } = await pool.query('SELECT 1 FROM workspaces WHERE id = $1', [body.workspace])
    if (workspaces.length === 0)
      throw new ProblemError({ kind: 'invalid', status: 404, message: 'There is no such workspace.' })
    things.see(body.workspace, [{ kind: body.kind, id: body.id, label: body.label, parent: body.parent }])
    await things.settled()
    const { rows } = await pool.query<ThingRow>(
      'SELECT * FROM things WHERE workspace_id = $1 AND kind = $2 AND id = $3',
      [body.workspace, body.kind, body.id],
    )
    if (!rows[0]) throw new Error('the adopted thing is not there')
    return thingOf(rows[0])
  })

  route(app, listCalls, async ({ query }) => {
    const { page, limit, q } = query
    const { clause, values } = where([
      ['calls.workspace_id = ?', query.workspace],
      ['calls.key_id = ?', query.key],
      ['calls.entry = ANY(?)', query.entry?.split(',')],
      ['calls.status = ?', query.status],
      ['calls.touched @> ?', query.thing && [query.thing]],
      ['calls.person_id IN (SELECT id FROM people WHERE name = ?)', query.person],
      ['calls.created_at >= ?', query.from],
      ['calls.created_at < ?', query.to],
      ['calls.words ILIKE ?', q && like(q)],
    ])
    const whole = query.whole === 'true'
    const { rows: counted } = await pool.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM calls ${clause}`,
      values,
    )
    const { rows } = await pool.query<CallRow>(
      `SELECT ${SMALL}, people.name AS person ${whole ? ', calls.params, calls.request, calls.reply' : ''}
       FROM calls LEFT JOIN people ON people.id = calls.person_id
       ${clause} ORDER BY calls.created_at DESC, calls.id LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
      values,
    )
    const total = counted[0]?.total ?? 0
    return { data: rows.map((row) => callOf(row, whole)), total, page, limit, has_more: page * limit < total }
  })

  route(app, readCall, async ({ params }) => {
    const id = Id.safeParse(params.call_id)
    const row = id.success ? await ledger.read(id.data) : null
    if (!row) throw new ProblemError({ kind: 'invalid', status: 404, message: 'There is no such call.' })
    return callOf(row, true)
  })
}

const callOf = (row: CallRow, whole: boolean): Call => ({
  id: row.id,
  entry: row.entry,
  status: row.status,
  workspace: row.workspace_id,
  key: row.key_id,
  person: row.person,
  user: row.end_user,
  title: row.title,
  note: row.note,
  parent: row.parent_id,
  http_status: row.http_status,
  problem: row.problem,
  created_at: row.created_at.toISOString(),
  duration_ms: row.duration_ms,
  first_token_ms: row.first_token_ms,
  total_tokens: row.total_tokens,
  total_price: row.total_price,
  currency: row.currency,
  ...(whole ? { params: row.params ?? {}, request: row.request, reply: row.reply } : {}),
})

const thingOf = (row: ThingRow): Thing => ({
  kind: row.kind,
  id: row.id,
  workspace: row.workspace_id,
  label: row.label,
  parent: row.parent,
  payload: row.payload,
  first_seen: row.first_seen.toISOString(),
  last_seen: row.last_seen.toISOString(),
})
