import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { contract } from '#contract/index.ts'
import type { AccessScope } from './accessScope.ts'
import { requirePartsInScope } from './resourceScope.ts'

/** Headers that hold ids. */
const ID_HEADERS = ['run-id', 'run-parent', 'last-event-id']
/** The one path parameter that filters a list. */
const LIST_FILTERED_BY_PARAM = contract.console.listConversationRuns.path

/**
 * Refuses a request with an id that is known, and only out of this person's reach: in the path, the query, the body or a
 * header. No handler runs, no platform is called. The route decides what is looked at, never the spelling of the address.
 * The console's own lists are filtered by reach, so their filters may hold any id. The relay reads the fields of a form
 * (`screenForm`).
 * @throws ProblemError 404, or 400 above the bound
 */
export async function requireIdsInScope(pool: Pool, request: FastifyRequest, accessScope: AccessScope): Promise<void> {
  if (accessScope === null) return
  const { params, query, body } = request
  const { url = '' } = request.routeOptions
  const isOwnRead = request.method === 'GET' && !url.startsWith('/api/keys/')
  if (isOwnRead) return requirePartsInScope(pool, accessScope, url === LIST_FILTERED_BY_PARAM ? {} : { params })
  await requirePartsInScope(pool, accessScope, {
    params,
    query,
    headers: readIdHeaders(request),
    body: body instanceof Readable ? undefined : body,
  })
}

/** Node joins a header that comes more than once with a comma. */
const readIdHeaders = ({ headers }: FastifyRequest) =>
  Object.fromEntries(
    ID_HEADERS.map((name) => [name, [headers[name] ?? []].flat().flatMap((value) => value.split(/\s*,\s*/))]),
  )
