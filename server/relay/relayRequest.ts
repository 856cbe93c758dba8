import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Pool } from 'pg'
import { z } from 'zod'
import { acceptsKeyKind, type Endpoint, fillPath, Id } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { invalidFieldError } from '#contract/problem.ts'
import { requirePartsInScope } from '../auth/resourceScope.ts'
import { checkRequest } from '../http/endpointRoute.ts'
import { getRateLimit } from '../http/rateLimit.ts'
import type { PlatformCredential, Vault } from '../vault/vault.ts'
import { adaptRequestBody } from './detection/dialect.ts'
import { readIdHeader } from './requestHeaders.ts'

const MAX_JSON_BYTES = 1024 * 1024
const MAX_TEXT_BYTES = 15 * 1024 * 1024

/** A validated request to a platform, in the dialect of its workspace. */
export interface RelayRequest {
  credential: PlatformCredential
  params: Record<string, string>
  query: unknown
  body: unknown
  path: string
}

/** The route of a platform entry, without its handler: `/api/keys/:key_id/<path of the interface>`. */
export const toRelayRoute = (entry: Endpoint): Omit<RouteOptions, 'handler'> => ({
  method: entry.method,
  url: `/api/keys/:key_id${entry.path}`,
  bodyLimit: /-by-text$/.test(entry.path) ? MAX_TEXT_BYTES : MAX_JSON_BYTES,
  config: { permission: entry.permission, rateLimit: getRateLimit(entry) },
})

/**
 * The queries of the entries, open: unknown fields go to the platform unchanged, since released platforms accept some
 * that the interface does not name, such as `user` of operation 13.
 */
const openQueries = new Map<Endpoint, z.ZodType>(
  [...platformEntries.values()].map((entry) => [
    entry,
    entry.query instanceof z.ZodObject ? entry.query.loose() : z.looseObject({}),
  ]),
)

/** Validates everything that can be validated before the platform is called. */
export async function parseRelayRequest(
  name: string,
  entry: Endpoint,
  request: FastifyRequest,
  { vault, pool }: { vault: Vault; pool: Pool },
): Promise<RelayRequest> {
  const { key_id, ...given } = request.params as Record<string, string>
  const id = Id.safeParse(key_id)
  if (!id.success) throw invalidFieldError('params.key_id', 'must be an id in UUID form')
  const { params, query, body } = checkRequest({ ...entry, query: openQueries.get(entry) }, request, given)
  const credential = await vault.getCredential(id.data, request.accessScope)
  if (!acceptsKeyKind(credential.kind, entry.key))
    throw invalidFieldError(
      'params.key_id',
      `must be the id of a ${entry.key} key; “${credential.label}” is a ${credential.kind} key`,
    )
  // Validates the ids again, after parsing: the guard of all routes reads the raw request.
  const headers = {
    'run-id': entry.events ? readIdHeader(request, 'run-id') : null,
    'run-parent': entry.method === 'GET' ? null : readIdHeader(request, 'run-parent'),
    'run-origin-id': entry.events ? readIdHeader(request, 'run-origin-id') : null,
  }
  await requirePartsInScope(pool, request.accessScope, { params, query, body, headers })
  const search = new URLSearchParams()
  for (const [field, value] of Object.entries((query as Record<string, unknown> | undefined) ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(field, String(one))
  const path = fillPath(entry.path, params) + (search.size > 0 ? `?${search}` : '')
  return { credential, params, query, body: adaptRequestBody(name, body, credential.dialect), path }
}
