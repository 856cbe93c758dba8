import type { WebSocket } from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import { LIVE_PATH, type LiveMessage, LiveRequest } from '#contract/console/liveMessages.ts'
import { ProblemError } from '#contract/problem.ts'
import { requireSameOrigin } from '../../http/security.ts'
import type { ConnectionQuota } from './connectionQuota.ts'
import { LivePage, type LivePageDeps, type PageConnection } from './livePage.ts'

/** Close codes for the browser's client (RFC 6455, 7.4.2: 4000 to 4999 are for private use). */
const CLOSE_CODE_SIGNED_OUT = 4401
const CLOSE_CODE_BAD_REQUEST = 4400
/** A page with more bytes queued gets no reply to its ping: the queue shows that the connection works. */
const PING_QUEUE_LIMIT_BYTES = 64 * 1024

/** One WebSocket for all runs that a page watches (`#contract/console/liveMessages.ts`). */
export function registerLiveSocket(app: FastifyInstance, deps: LivePageDeps, quota: ConnectionQuota): void {
  // The plugin would accept the handshake on any other path and then close the connection.
  app.addHook('onRequest', async (request) => {
    if (request.ws && request.routeOptions.url !== LIVE_PATH)
      throw new ProblemError({ kind: 'invalid', status: 400, message: 'This path does not accept WebSockets.' })
  })
  app.get(
    LIVE_PATH,
    {
      websocket: true,
      config: { permission: 'read' },
      // The same-origin policy does not cover WebSockets: any page could open one with the person's cookie.
      preValidation: async (request) => {
        requireSameOrigin(request)
        quota.add(request, request.raw.socket)
      },
    },
    (socket, request) => servePage(socket, new LivePage(new SocketConnection(socket), request, deps)),
  )
}

function servePage(socket: WebSocket, page: LivePage): void {
  socket.on('message', (data: Buffer) => {
    const request = parseLiveRequest(data.toString('utf8'))
    if (!request) socket.close(CLOSE_CODE_BAD_REQUEST, 'not understood')
    else if ('watch' in request) page.watch([{ run: request.watch, after: request.after }])
    else if ('unwatch' in request) page.unwatch(request.unwatch)
    else if (socket.bufferedAmount < PING_QUEUE_LIMIT_BYTES) page.send({ alive: true })
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => page.close())
}

class SocketConnection implements PageConnection {
  readonly #socket: WebSocket

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  get queuedBytes(): number {
    return this.#socket.bufferedAmount
  }

  send(message: LiveMessage): void {
    this.#socket.send(JSON.stringify(message))
  }

  closeSignedOut(): void {
    this.#socket.close(CLOSE_CODE_SIGNED_OUT, 'signed out')
  }

  terminate(): void {
    this.#socket.terminate()
  }
}

function parseLiveRequest(text: string): LiveRequest | null {
  try {
    return LiveRequest.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
