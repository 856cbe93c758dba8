import type { ServerResponse } from 'node:http'
import { isStream, type RecordedExchange, toOperation, toPieces } from '../recordings/recordings.ts'
import { isStopped } from '../recordings/recordedEnds.ts'
import { type PlatformScript, sendError } from './scriptedPlatform.ts'

/** Headers that describe the recorded connection, not the reply. */
const CONNECTION_HEADERS = new Set(['connection', 'content-length', 'date', 'transfer-encoding'])

/**
 * Sends a recorded reply: status, headers and body; a stream in the pieces in which it arrived, without the times between
 * them. `beforePiece` may hold a piece back. A stream that was cut or broken off ends with a lost connection.
 */
export async function replayExchange(
  exchange: RecordedExchange,
  response: ServerResponse,
  beforePiece: (index: number) => Promise<void> | void = () => undefined,
): Promise<void> {
  const { status, headers, body, cut, aborted } = exchange.response
  const sent = Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name))
  response.writeHead(status, Object.fromEntries(sent))
  if (!isStream(exchange)) return void response.end(body)
  response.flushHeaders()
  for (const [index, piece] of toPieces(exchange).entries()) {
    await beforePiece(index)
    await new Promise((resolve) => response.write(piece, resolve))
    // A turn of the event loop, so that the pieces do not leave as one.
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (cut || aborted) response.destroy()
  else response.end()
}

/**
 * Answers each request with the exchange that was recorded for its operation: the one of `chosen` names if there is one,
 * else the first success. A stream that its reader stopped waits for the stop before its last piece. An operation that was
 * not recorded is 404, as on a platform that lacks it.
 */
export function replayRecording(
  exchanges: readonly RecordedExchange[],
  chosen: ReadonlySet<string> = new Set(),
): PlatformScript {
  const byOperation = Map.groupBy(exchanges, ({ request }) => toOperation(request))
  let stop = Promise.withResolvers<void>()
  return (seen, response) => {
    const path = seen.path.replace(/^\/v1/, '')
    if (path.endsWith('/stop')) stop.resolve()
    const candidates = byOperation.get(toOperation({ method: seen.method, path, key: null })) ?? []
    const exchange =
      candidates.find(({ name }) => chosen.has(name)) ?? candidates.find((one) => one.response.status < 300)
    if (!exchange) return sendError(response, 404, { code: 'not_found', message: 'Not recorded.', status: 404 })
    if (!isStopped(exchange)) return replayExchange(exchange, response)
    stop = Promise.withResolvers()
    const lastPiece = (exchange.pieces?.length ?? 0) - 1
    return replayExchange(exchange, response, (index) => (index === lastPiece ? stop.promise : undefined))
  }
}
