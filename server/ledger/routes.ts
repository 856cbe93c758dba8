import type { FastifyInstance } from 'fastify'
import { Id } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { invalidFieldError, ProblemError } from '#contract/problem.ts'
import { MAX_COUNTED_RESOURCES, type Resource } from '#contract/console/resources.ts'
import type { Database } from '../db/database.ts'
import { isInScope } from '../auth/accessScope.ts'
import { requirePartsInScope, requireWorkspace } from '../auth/resourceScope.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import { type ResourceStore, toCanonicalId } from './resources.ts'
import { toCall } from './callRow.ts'
import { loadCallContexts } from './callContext.ts'
import { computeCallStats } from './callStats.ts'
import { isTimeZone } from '../http/timeZone.ts'
import { GENERATING_ENTRIES } from './runStatus.ts'
import type { Ledger } from './ledger.ts'
import { lookupId } from './idLookup.ts'
import { findResources, RESOURCE_COLUMNS } from './resourceSearch.ts'
import { findCalls, toCursor } from './callSearch.ts'
import { findRetrievedDocuments } from './retrievedDocuments.ts'
import { queryReplies } from '../db/replyRows.ts'

const DAY_MS = 24 * 60 * 60_000

/** The ledger of this console. An unknown id can be adopted; opening it reads it from the platform. */
export function registerLedgerRoutes(
  app: FastifyInstance,
  { database, resources, ledger }: { database: Database; resources: ResourceStore; ledger: Ledger },
): void {
  const { listResources, adoptResource, listCalls, readCall, readCallStats, lookupId: lookupIdEntry } = contract.console
  const { pool } = database

  registerEndpoint(app, listResources, async ({ query: { page, limit, before, ...filters } }, { accessScope }) => {
    if (before === undefined && page * limit > MAX_COUNTED_RESOURCES)
      throw new ProblemError({
        kind: 'invalid',
        status: 400,
        message: `Pages cover at most ${MAX_COUNTED_RESOURCES} resources. Narrow the list by words or a parent.`,
        fields: [{ path: 'query.page', message: `must end within ${MAX_COUNTED_RESOURCES} things` }],
      })
    const found = await findResources(database, { ...filters, accessScope }, { page, limit, before })
    const has_more = found.next !== null || (before === undefined && page * limit < found.total)
    return { ...found, page, limit, has_more }
  })

  registerEndpoint(app, adoptResource, async ({ body }, { accessScope }) => {
    await requireWorkspace(pool, body.workspace, accessScope)
    await requirePartsInScope(pool, accessScope, { body: { id: body.id, parent: body.parent } })
    const id = toCanonicalId(body.id)
    await resources.store(body.workspace, { kind: body.kind, id, label: body.label, parent: body.parent })
    const [adopted] = await queryReplies<Resource>(
      pool,
      `SELECT ${RESOURCE_COLUMNS} FROM resources WHERE workspace_id = $1 AND kind = $2 AND id = $3`,
      [body.workspace, body.kind, id],
    )
    if (!adopted) throw new Error('the adopted resource is not there')
    return adopted
  })

  registerEndpoint(app, lookupIdEntry, async ({ query }, { accessScope }) => {
    const data = await lookupId(pool, toCanonicalId(query.id), accessScope)
    return { data, total: data.length }
  })

  registerEndpoint(app, contract.console.listRetrievedDocuments, async ({ query }, { accessScope }) => {
    const { workspace, dataset, days } = query
    await requireWorkspace(pool, workspace, accessScope)
    const since = new Date(Date.now() - days * DAY_MS)
    const { ids, isComplete, ...found } = await findRetrievedDocuments(pool, { workspace, dataset, since }, accessScope)
    return { data: ids.map((id) => ({ id })), total: ids.length, ...found, is_complete: isComplete }
  })

  registerEndpoint(
    app,
    listCalls,
    async ({ query: { before, limit, include_bodies, sort, order, ...filters } }, { accessScope }) => {
      const page = { before, limit, accessScope, sort, order }
      const { ids, total, ...found } = await findCalls(database, filters, page)
      const countedTotal = before === undefined ? total : null
      if (include_bodies !== 'true') {
        const rows = await ledger.listSummaries(ids)
        const contexts = await loadCallContexts(pool, rows, { q: filters.q, accessScope })
        return { data: rows.map((row) => toCall(row, false, contexts.get(row.id))), total: countedTotal, ...found }
      }
      if (sort !== 'started' || order !== 'desc')
        throw invalidFieldError('query.sort', 'must be started, newest first, for a list with bodies')
      const rows = await ledger.listWithBodies(ids)
      const last = rows.at(-1)
      const next = last && rows.length < ids.length ? toCursor({ at: last.created_at, id: last.id }) : found.next
      return { data: rows.map((row) => toCall(row, true)), total: countedTotal, ...found, next }
    },
  )

  registerEndpoint(app, readCallStats, ({ query: { kind, group, zone, entry, ...filters } }, { accessScope }) => {
    if (!isTimeZone(zone)) throw invalidFieldError('query.zone', 'must be the name of a time zone, as Europe/Zurich')
    const entries = entry ?? (kind === 'runs' ? GENERATING_ENTRIES.join(',') : undefined)
    return computeCallStats(database, { ...filters, entry: entries }, { group, zone, accessScope })
  })

  registerEndpoint(app, readCall, async ({ params }, { accessScope }) => {
    const id = Id.safeParse(params.call_id)
    const row = id.success ? await ledger.findWithBody(id.data) : null
    if (!row || !isInScope(accessScope, row))
      throw new ProblemError({ kind: 'invalid', status: 404, message: 'The call was not found.' })
    return toCall(row, true)
  })
}
