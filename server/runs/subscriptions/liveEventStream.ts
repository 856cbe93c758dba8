import type { FastifyInstance } from 'fastify'
import { LIVE_EVENTS_PATH, type LiveMessage, LiveStreamRequest } from '#contract/console/liveMessages.ts'
import { ProblemError, toInvalidProblem } from '#contract/problem.ts'
import { createRateLimit } from '../../http/rateLimit.ts'
import type { ConnectionQuota } from './connectionQuota.ts'
import { EventStreamResponse } from './eventStreamResponse.ts'
import type { StreamReply } from './frameSink.ts'
import { LivePage, type LivePageDeps, type PageConnection } from './livePage.ts'

/** A page cannot ping an event stream, so it waits for this. */
const HEARTBEAT_MS = 2_000
/** Milliseconds in which a page may receive the queue when its session ends. */
const CLOSE_TIMEOUT_MS = 5_000

/**
 * The live connection of a page whose WebSocket does not work: an event stream of all its runs, one message per
 * event. The request lists the runs; to change them the page sends another request. So any server can answer it.
 */
export function registerLiveEventStream(app: FastifyInstance, deps: LivePageDeps, quota: ConnectionQuota): void {
  app.post(
    LIVE_EVENTS_PATH,
    { config: { permission: 'read', isRead: true, rateLimit: createRateLimit('read') } },
    async (request, reply) => {
      const body = LiveStreamRequest.safeParse(request.body)
      if (!body.success) throw new ProblemError(toInvalidProblem('body', body.error))
      // The browser may have disconnected meanwhile, and no later event would report it.
      if (reply.raw.destroyed) return reply.hijack()
      quota.add(request, reply.raw)
      reply.hijack()
      const connection = new EventStreamConnection(reply)
      const page = new LivePage(connection, request, deps)
      reply.raw.once('close', () => page.close()).on('error', () => connection.terminate())
      page.send({ alive: true })
      page.watch(body.data.watch)
      return reply
    },
  )
}

class EventStreamConnection implements PageConnection {
  readonly #response: EventStreamResponse

  constructor(reply: StreamReply) {
    this.#response = new EventStreamResponse(reply, { text: toEvent({ alive: true }), intervalMs: HEARTBEAT_MS })
  }

  get isOpen(): boolean {
    return this.#response.isOpen
  }

  get queuedBytes(): number {
    return this.#response.queuedBytes
  }

  send(message: LiveMessage): void {
    this.#response.write(toEvent(message))
  }

  /** The page requests again and gets a 401. */
  closeSignedOut(): void {
    this.#response.end(CLOSE_TIMEOUT_MS)
  }

  terminate(): void {
    this.#response.destroy()
  }
}

/** JSON has no line breaks outside its strings, and escapes those inside. */
const toEvent = (message: LiveMessage): string => `data: ${JSON.stringify(message)}\n\n`
