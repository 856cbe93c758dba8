import type { FastifyRequest } from 'fastify'
import { acceptsKeyKind, type RequiredKey } from '#contract/endpoint.ts'
import { PlatformError } from './platformErrors.ts'
import { findKey, type PlatformKey, type PlatformKeys } from './platformKeys.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The kind of key that a route requires; a route without one is open. */
    keyNeed?: RequiredKey
  }
  interface FastifyRequest {
    caller: PlatformKey | null
  }
}

/** Authenticates a request by its bearer key, before its body is read. */
export function authenticate(keys: PlatformKeys, request: FastifyRequest): void {
  const need = request.routeOptions.config.keyNeed
  if (!need || need === 'none') return
  const key = findKey(keys, parseBearer(request.headers.authorization))
  const wantsKnowledge = need === 'knowledge'
  // A key of the other kind is not found, as upstream: 401, not 403.
  if (!key || (key.kind === 'knowledge') !== wantsKnowledge) throw toUnauthorizedError('The access token is invalid.')
  if (!acceptsKeyKind(key.kind, need)) throw toWrongModeError(need)
  request.caller = key
}

function parseBearer(header: string | undefined): string {
  if (!header) throw toUnauthorizedError('The Authorization header is missing; it must be "Bearer <API_KEY>".')
  const [scheme, token, ...rest] = header.trim().split(/\s+/)
  if (!token || rest.length > 0) throw toUnauthorizedError('The Authorization header must be "Bearer <API_KEY>".')
  if (scheme?.toLowerCase() !== 'bearer') throw toUnauthorizedError('The Authorization scheme must be Bearer.')
  return token
}

const toUnauthorizedError = (message: string) => new PlatformError(401, 'unauthorized', message)

/** The platform's error code for an application of another mode. */
function toWrongModeError(need: RequiredKey): PlatformError {
  if (need === 'chat') return new PlatformError(400, 'not_chat_app', 'The key does not belong to a chat application.')
  if (need === 'workflow')
    return new PlatformError(400, 'not_workflow_app', 'The key does not belong to a workflow application.')
  return new PlatformError(400, 'app_unavailable', 'The key does not belong to a completion application.')
}
