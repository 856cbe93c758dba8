import { parseLosslessJson } from '#domain/losslessJson.ts'
import type { LiveMessage, LiveRequest } from '#contract/console/liveMessages.ts'
import type { LiveTransport, TransportEnd, TransportListener } from './liveTransport.ts'
import { SilenceMonitor } from './silenceMonitor.ts'

/** The close code when the session has ended. */
const CLOSE_CODE_SIGNED_OUT = 4401

/**
 * The messages over a WebSocket, which uses none of the six HTTP connections that all tabs share. A ping that is answered
 * shows that a proxy passes messages in both directions; a page that receives nothing sends one again.
 */
export class SocketTransport implements LiveTransport {
  readonly kind = 'socket'
  readonly #socket: WebSocket
  readonly #listener: TransportListener
  readonly #monitor: SilenceMonitor
  #pending: LiveRequest[] = [{ ping: true }]
  #hasMessage = false
  #isClosed = false

  /** `silenceTimeoutMs`: milliseconds without a message, also of the handshake, after which the connection is dead. */
  constructor(connect: () => WebSocket, silenceTimeoutMs: number, listener: TransportListener) {
    this.#listener = listener
    const socket = connect()
    this.#socket = socket
    this.#monitor = new SilenceMonitor(
      silenceTimeoutMs,
      () => this.#end('silent'),
      () => this.#sendIfOpen({ ping: true }),
    )
    socket.addEventListener('open', () => {
      for (const request of this.#pending) this.#sendIfOpen(request)
      this.#pending = []
    })
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)))
    socket.addEventListener('close', ({ code }) => this.#end(code === CLOSE_CODE_SIGNED_OUT ? 'signed_out' : 'closed'))
  }

  watch(run_id: string, after: number): void {
    this.#send({ watch: run_id, after })
  }

  unwatch(run_id: string): void {
    this.#send({ unwatch: run_id })
  }

  close(): void {
    this.#isClosed = true
    this.#monitor.stop()
    this.#socket.close()
  }

  #send(request: LiveRequest): void {
    if (this.#socket.readyState === this.#socket.CONNECTING) this.#pending.push(request)
    else this.#sendIfOpen(request)
  }

  #sendIfOpen(request: LiveRequest): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(request))
  }

  #receive(text: string): void {
    if (this.#isClosed) return
    this.#monitor.noteActivity()
    if (!this.#hasMessage) {
      this.#hasMessage = true
      this.#listener.onOpen()
    }
    const message = parseLosslessJson(text) as LiveMessage
    if (!('alive' in message)) this.#listener.onMessage(message)
  }

  #end(end: TransportEnd): void {
    if (this.#isClosed) return
    this.close()
    this.#listener.onEnd(this.#hasMessage || end === 'signed_out' ? end : 'failed')
  }
}
