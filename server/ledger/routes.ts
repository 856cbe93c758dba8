import type { FastifyInstance } from 'fastify'
import type { Thing } from '#contract/console.ts'
import { Id } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { THINGS_COUNTED } from '#contract/things.ts'
import type { Database } from '../database/database.ts'
import { sees } from '../access/reach.ts'
import { requireInScope, requireWorkspace } from '../access/scope.ts'
import { route } from '../plugins/route.ts'
import type { Things } from './things.ts'
import { callOf } from './call.ts'
import type { Ledger } from './ledger.ts'
import { identify } from './identify.ts'
import { findThings, type ThingRow } from './find-things.ts'
import { findCalls, nameOf } from './search.ts'

/** What this console has seen. An id from elsewhere can be adopted, and is read from the platform when it is opened. */
export function ledgerRoutes(
  app: FastifyInstance,
  { database, things, ledger }: { database: Database; things: Things; ledger: Ledger },
): void {
  const { listThings, adoptThing, listCalls, readCall, identify: identifyThing } = contract.console
  const { pool } = database

  route(app, listThings, async ({ query: { page, limit, before, ...filters } }, { reach }) => {
    if (before === undefined && page * limit > THINGS_COUNTED)
      throw new ProblemError({
        kind: 'invalid',
        status: 400,
        message: `Pages go up to ${THINGS_COUNTED} things. Words or a parent narrow the list.`,
        fields: [{ path: 'query.page', message: `must end within ${THINGS_COUNTED} things` }],
      })
    const { rows, ...found } = await findThings(database, { ...filters, reach }, { page, limit, before })
    const has_more = found.next !== null || (before === undefined && page * limit < found.total)
    return { data: rows.map(thingOf), ...found, page, limit, has_more }
  })

  route(app, adoptThing, async ({ body }, { reach }) => {
    await requireWorkspace(pool, body.workspace, reach)
    await requireInScope(pool, reach, { body: { id: body.id, parent: body.parent } })
    things.see(body.workspace, [{ kind: body.kind, id: body.id, label: body.label, parent: body.parent }])
    await things.settled()
    const { rows } = await pool.query<ThingRow>(
      'SELECT * FROM things WHERE workspace_id = $1 AND kind = $2 AND id = $3',
      [body.workspace, body.kind, body.id],
    )
    if (!rows[0]) throw new Error('the adopted thing is not there')
    return thingOf(rows[0])
  })

  route(app, identifyThing, async ({ query }, { reach }) => {
    // An id in UUID form is the same in capitals; any other is what it is.
    const id = Id.safeParse(query.id).success ? query.id.toLowerCase() : query.id
    const data = await identify(pool, id, reach)
    return { data, total: data.length }
  })

  route(app, listCalls, async ({ query: { before, limit, whole, ...filters } }, { reach }) => {
    const { ids, total, ...found } = await findCalls(database, filters, { before, limit, reach })
    const counted = before === undefined ? total : null
    if (whole !== 'true')
      return { data: (await ledger.listed(ids)).map((row) => callOf(row, false)), total: counted, ...found }
    const rows = await ledger.wholes(ids)
    const last = rows.at(-1)
    const next = last && rows.length < ids.length ? nameOf({ at: last.created_at, id: last.id }) : found.next
    return { data: rows.map((row) => callOf(row, true)), total: counted, ...found, next }
  })

  route(app, readCall, async ({ params }, { reach }) => {
    const id = Id.safeParse(params.call_id)
    const row = id.success ? await ledger.read(id.data) : null
    if (!row || !sees(reach, row))
      throw new ProblemError({ kind: 'invalid', status: 404, message: 'There is no such call.' })
    return callOf(row, true)
  })
}

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
