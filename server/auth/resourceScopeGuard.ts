import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { contract } from '#contract/index.ts'
import type { AccessScope } from './accessScope.ts'
import { requirePartsInScope } from './resourceScope.ts'

const ID_HEADERS = ['run-id', 'run-parent', 'run-origin-id', 'last-event-id']
/** The only path parameter that filters a list. */
const LIST_FILTERED_BY_PARAM = contract.console.listConversationRuns.path

/**
 * Refuses a request with a known id outside the person's scope: in the path, the query, the body or a header. No handler
 * runs and no platform is called. The matched route decides what is checked, not the spelling of the URL. The console's own
 * lists are filtered by scope, so their filters may contain any id. The relay checks the fields of a form (`screenForm`).
 * @throws ProblemError 404, or 400 above the limit
 */
export async function requireIdsInScope(pool: Pool, request: FastifyRequest, accessScope: AccessScope): Promise<void> {
  if (accessScope === null) return
  const { params, query, body } = request
  const { url = '', config } = request.routeOptions
  const isOwnRead = request.method === 'GET' && !url.startsWith('/api/keys/')
  if (isOwnRead) return requirePartsInScope(pool, accessScope, url === LIST_FILTERED_BY_PARAM ? {} : { params })
  await requirePartsInScope(pool, accessScope, {
    params,
    query,
    headers: readIdHeaders(request),
    body: body instanceof Readable || config.isRead ? undefined : body,
  })
}

/** Node joins a repeated header with a comma. */
const readIdHeaders = ({ headers }: FastifyRequest) =>
  Object.fromEntries(
    ID_HEADERS.map((name) => [name, [headers[name] ?? []].flat().flatMap((value) => value.split(/\s*,\s*/))]),
  )
