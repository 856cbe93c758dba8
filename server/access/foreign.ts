import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { contract } from '#contract/index.ts'
import type { Reach } from './reach.ts'
import { requireInScope } from './scope.ts'

/** Headers that hold ids. */
const ID_HEADERS = ['run-id', 'run-parent', 'last-event-id']
/** The one path parameter that filters a list. */
const LIST_BY_PARAM = contract.console.listTurns.path

/**
 * Refuses a request with an id that is known, and only out of this person's reach: in the path, the query, the body or a
 * header. No handler runs, no platform is called. The route decides what is looked at, never the spelling of the address.
 * The console's own lists are filtered by reach, so their filters may hold any id. The relay reads the fields of a form
 * (`screenForm`).
 * @throws ProblemError 404, or 400 above the bound
 */
export async function refuseForeign(pool: Pool, request: FastifyRequest, reach: Reach): Promise<void> {
  if (reach === null) return
  const { params, query, body } = request
  const { url = '' } = request.routeOptions
  const isOwnRead = request.method === 'GET' && !url.startsWith('/api/keys/')
  if (isOwnRead) return requireInScope(pool, reach, url === LIST_BY_PARAM ? {} : { params })
  await requireInScope(pool, reach, {
    params,
    query,
    headers: idHeaders(request),
    body: body instanceof Readable ? undefined : body,
  })
}

/** Node joins a header that comes more than once with a comma. */
const idHeaders = ({ headers }: FastifyRequest) =>
  Object.fromEntries(
    ID_HEADERS.map((name) => [name, [headers[name] ?? []].flat().flatMap((value) => value.split(/\s*,\s*/))]),
  )
