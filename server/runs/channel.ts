import type { Socket } from 'node:net'
import type { WebSocket } from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIVE_PATH, type LiveMessage, LiveRequest } from '#contract/live.ts'
import { ProblemError } from '#contract/problem.ts'
import { isLive, type Run } from '#contract/runs.ts'
import type { Lines } from '../access/lines.ts'
import { type Reach, sees } from '../access/reach.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { demandOwnPage } from '../plugins/security.ts'
import type { Attachments, Sink } from './attach.ts'
import { GENERATING } from './outcome.ts'
import { Outbox } from './outbox.ts'
import type { Runner } from './runner.ts'

const HEARTBEAT = 15_000
/** How often a browser that is behind is looked at, in milliseconds: a WebSocket does not say when it has room. */
const LOOK = 50
/** Runs that one page may watch at a time. */
const MOST = 500
/** WebSockets that one person may have open on this server at a time: each page has one. */
export const MAX_WEBSOCKETS_PER_PERSON = 100
/** Codes of a close that the browser's side understands (RFC 6455, 7.4.2: 4000 to 4999 are ours). */
const SIGNED_OUT = 4401
const BAD_REQUEST = 4400

interface Parts {
  ledger: Ledger
  runner: Runner
  attachments: Attachments
  lines: Lines
}

/** One WebSocket for all runs that a page watches (`#contract/live.ts`). */
export function channel(app: FastifyInstance, parts: Parts): void {
  const sockets = new Map<string, Set<Socket>>()
  app.get(
    LIVE_PATH,
    {
      websocket: true,
      config: { permission: 'read' },
      // A WebSocket is bound by no same-origin policy: any page could open one with the person's cookie.
      preValidation: async (request) => {
        demandOwnPage(request)
        countSocket(sockets, request)
      },
    },
    (socket, request) => new Page(socket, request, parts).open(),
  )
}

/**
 * Counts the connection of an upgrade for its person until it closes.
 * @throws ProblemError 429 where the person has as many open as one may have; the page tries again with growing delays
 */
function countSocket(sockets: Map<string, Set<Socket>>, { person, raw: { socket } }: FastifyRequest): void {
  if (!person || socket.destroyed) return
  const open = sockets.get(person.id) ?? new Set()
  if (open.has(socket)) return
  if (open.size >= MAX_WEBSOCKETS_PER_PERSON)
    throw new ProblemError({
      kind: 'denied',
      status: 429,
      message: `More than ${MAX_WEBSOCKETS_PER_PERSON} live connections of one person. Close some pages.`,
    })
  sockets.set(person.id, open.add(socket))
  socket.once('close', () => {
    open.delete(socket)
    if (open.size === 0 && sockets.get(person.id) === open) sockets.delete(person.id)
  })
}

class Page {
  readonly #socket: WebSocket
  readonly #request: FastifyRequest
  #reach: Reach
  readonly #parts: Parts
  readonly #outbox = new Outbox((message) => {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message))
  })
  /** Each run with what ends its watch without a word. */
  readonly #watched = new Map<string, () => void>()

  constructor(socket: WebSocket, request: FastifyRequest, parts: Parts) {
    this.#socket = socket
    this.#request = request
    this.#reach = request.reach
    this.#parts = parts
  }

  open(): void {
    const heartbeat = setInterval(() => void this.#beat(), HEARTBEAT)
    const release = this.#parts.lines.hold(this.#request.session, () => void this.#beat())
    this.#socket.on('message', (data: Buffer) => this.#hear(data.toString('utf8')))
    this.#socket.on('error', () => this.#socket.terminate())
    this.#socket.on('close', () => {
      clearInterval(heartbeat)
      release()
      for (const stop of [...this.#watched.values()]) stop()
      this.#outbox.close()
    })
  }

  #say = (message: LiveMessage): void => this.#outbox.say(message)

  /** A session that has ended meanwhile, on this server or another, ends its line. */
  async #beat(): Promise<void> {
    const found = await this.#request.signedIn().catch(() => undefined)
    if (found === null) return this.#socket.close(SIGNED_OUT, 'signed out')
    if (found) this.#reach = found.reach
    this.#say({ alive: true })
  }

  #hear(text: string): void {
    const asked = readRequest(text)
    if (!asked) return this.#socket.close(BAD_REQUEST, 'not understood')
    if ('unwatch' in asked) return this.#watched.get(asked.unwatch)?.()
    if (this.#watched.size >= MOST) return this.#say({ run: asked.watch, left: true })
    this.#watched.get(asked.watch)?.()
    let isGone = false
    this.#watched.set(asked.watch, () => (isGone = true))
    void this.#watch(asked.watch, asked.after, () => isGone).catch((err: unknown) => {
      this.#request.log.error({ err }, 'a run could not be watched')
      this.#watched.delete(asked.watch)
      this.#say({ run: asked.watch, left: true })
    })
  }

  async #watch(run_id: string, after: number, isGone: () => boolean): Promise<void> {
    const { ledger, runner, attachments } = this.#parts
    const row = await ledger.brief(run_id)
    if (isGone() || this.#socket.readyState !== this.#socket.OPEN) return
    if (!row || !GENERATING.includes(row.entry) || !sees(this.#reach, row)) {
      this.#watched.delete(run_id)
      return this.#say({ run: run_id, refused: { kind: 'invalid', status: 404, message: 'There is no such run.' } })
    }
    const sink = new SocketSink(run_id, this.#socket, this.#outbox, () => this.#watched.delete(run_id))
    const from = isLive(row.status) ? after : Math.min(after, row.frames)
    const stop = attachments.watch(sink, run_id, runner.live.get(run_id) ?? null, from, this.#request.session)
    if (sink.isOver) return
    this.#watched.set(run_id, () => {
      // The page has let go of the run, and may watch it anew: a word about the old watch would be taken for the new one.
      sink.isOver = true
      this.#outbox.drop(run_id)
      stop()
    })
  }
}

/** One run on the line that a page's runs share. */
class SocketSink implements Sink {
  readonly #run: string
  readonly #socket: WebSocket
  readonly #outbox: Outbox
  readonly #onLeave: () => void
  isOver = false

  constructor(run: string, socket: WebSocket, outbox: Outbox, onLeave: () => void) {
    this.#run = run
    this.#socket = socket
    this.#outbox = outbox
    this.#onLeave = onLeave
  }

  get waiting(): number {
    return this.#socket.bufferedAmount + this.#outbox.waiting
  }

  frames(frames: { seq: number; block: string }[]): void {
    this.#outbox.frames(this.#run, frames)
  }

  live(): void {
    this.#outbox.say({ run: this.#run, live: true })
  }

  end(run: Run): void {
    this.isOver = true
    this.#outbox.say({ run: this.#run, end: run })
  }

  leave(): void {
    if (!this.isOver) this.#outbox.say({ run: this.#run, left: true })
    this.isOver = true
    this.#onLeave()
  }

  /** A browser that takes nothing is left as a whole: what waits for it waits for all its runs. */
  async drained(limit: number, patience: number): Promise<boolean> {
    let least = this.waiting
    for (let idle = 0; this.waiting > limit; idle += LOOK) {
      if (this.#socket.readyState !== this.#socket.OPEN) return false
      if (this.waiting < least) idle = 0
      least = Math.min(least, this.waiting)
      if (idle > patience) {
        this.#socket.terminate()
        return false
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK))
    }
    return this.#socket.readyState === this.#socket.OPEN
  }
}

function readRequest(text: string): LiveRequest | null {
  try {
    return LiveRequest.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
