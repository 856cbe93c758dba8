import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

/** Paths that monitoring requests at intervals. */
const MONITORING_PATH = /^\/(healthz|readyz|metrics)\b/

/** @returns milliseconds since the last request to a server of this process, or since now if there was none */
export function createRequestClock(): () => number {
  let lastRequestAt = performance.now()
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage }
    if (!MONITORING_PATH.test(request.url ?? '')) lastRequestAt = performance.now()
  })
  return () => performance.now() - lastRequestAt
}
