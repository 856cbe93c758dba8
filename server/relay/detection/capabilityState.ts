import type { CapabilityState } from '#contract/console/workspaces.ts'
import { isReleaseFault } from '#domain/platformKeys/releaseFaults.ts'

/** A platform's reply to an operation, as far as it shows whether the operation is offered. */
export interface OperationReply {
  status: number
  body: unknown
  /** The request named a resource by its id, so a 404 may mean the resource. */
  namesResource: boolean
  /** A valid read: a client error then concerns the operation, not the request. */
  isProbe: boolean
}

const MISSING_ROUTE_STATUSES = [405, 501]
/** Statuses that concern the key or are temporary, not about the operation. */
const PASSING_STATUSES = [401, 408, 429]
const WRONG_APP_CODES = ['not_chat_app', 'not_completion_app', 'not_workflow_app']

/** The state of an operation after a reply, with the platform's message; null where the reply does not show it. */
export function toCapabilityState(reply: OperationReply): { state: CapabilityState; message: string | null } | null {
  const { status, body, namesResource, isProbe } = reply
  if (status < 300) return { state: 'offered', message: null }
  const { code, message: given } = (body ?? {}) as { code?: unknown; message?: unknown }
  const message = typeof given === 'string' ? given : ''
  const hasCode = typeof code === 'string'
  if (hasCode && (status === 400 || status === 404) && isReleaseFault(message, namesResource))
    return { state: 'broken', message }
  if (MISSING_ROUTE_STATUSES.includes(status)) return { state: 'missing', message: message || null }
  if (status === 404) {
    // A router's page or message; a platform replies about an unknown resource in its own error shape.
    const isRouter = !hasCode || /\brequested URL\b|\b(path|route)\b/i.test(message)
    return isRouter || !namesResource ? { state: 'missing', message: hasCode ? message : null } : null
  }
  if (WRONG_APP_CODES.includes(String(code))) return { state: 'refused', message }
  const isRefused = isProbe && status >= 400 && status < 500 && !PASSING_STATUSES.includes(status)
  return isRefused ? { state: 'refused', message: message || `The platform answered ${status}.` } : null
}

/** Whether the parameters, the query or the body of a request name a resource by its id. */
export const namesResource = (params: Record<string, string>, query: unknown, body: unknown): boolean =>
  Object.keys(params).length > 0 ||
  [query, body].some((fields) =>
    Object.entries((fields ?? {}) as object).some(([name, value]) => /_id$/.test(name) && Boolean(value)),
  )
