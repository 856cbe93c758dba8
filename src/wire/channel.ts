import { LIVE_PATH, type LiveMessage, type LiveRequest } from '#contract/live.ts'
import type { Problem } from '#contract/problem.ts'

/** Whoever watches one run. After `onEnd`, `onRefusal` or `onLoss` nothing more comes. */
export interface Watcher {
  onFrame(seq: number, block: string): void
  /** All there is has come; from here on frames come as they are kept. */
  onLive(): void
  /** The run as its row has it, not checked yet. */
  onEnd(run: unknown): void
  onRefusal(problem: Problem): void
  /** The line is lost, or the server lets go of the run: it may be taken up again. */
  onLoss(): void
}

export interface ChannelConditions {
  connect: () => WebSocket
  /** Milliseconds without a word after which the line counts as lost; the server says something each 15 s. */
  silence: number
  /** Milliseconds that a line is kept when no run is watched. */
  linger: number
}

/** The server closes with it when the session is over. */
const SIGNED_OUT = 4401

/**
 * The page's one line to the console for all the runs that it watches: a WebSocket, which takes none of the six
 * connections that a browser has for all its tabs. Nothing is tried again in here; who lost the line asks anew.
 */
export class Channel {
  readonly #conditions: ChannelConditions
  readonly #watchers = new Map<string, Watcher>()
  #socket: WebSocket | null = null
  #watchdog: ReturnType<typeof setInterval> | undefined
  #lingering: ReturnType<typeof setTimeout> | undefined
  #heard = 0

  constructor(conditions: ChannelConditions) {
    this.#conditions = conditions
  }

  /** Watches a run after its frame `after`. @returns what ends it. */
  watch(run_id: string, after: number, watcher: Watcher): () => void {
    clearTimeout(this.#lingering)
    this.#watchers.set(run_id, watcher)
    const socket = this.#open()
    const ask = () => this.#ask({ watch: run_id, after })
    if (socket.readyState === socket.OPEN) ask()
    else socket.addEventListener('open', () => this.#watchers.get(run_id) === watcher && ask())
    return () => {
      if (this.#watchers.get(run_id) !== watcher) return
      this.#watchers.delete(run_id)
      this.#ask({ unwatch: run_id })
      this.#letGo()
    }
  }

  /** Gives the line up: the network has gone, and a socket may not hear of it for long. */
  drop(): void {
    if (this.#socket) this.#lose(this.#socket, 0)
  }

  #open(): WebSocket {
    if (this.#socket) return this.#socket
    const socket = this.#conditions.connect()
    this.#socket = socket
    this.#heard = Date.now()
    socket.addEventListener('message', ({ data }) => {
      if (this.#socket === socket) this.#hear(String(data))
    })
    socket.addEventListener('close', ({ code }) => this.#lose(socket, code))
    const { silence } = this.#conditions
    this.#watchdog = setInterval(() => {
      // A connection that hangs does not close by itself for minutes.
      if (Date.now() - this.#heard > silence) this.#lose(socket, 0)
    }, silence / 4)
    return socket
  }

  #ask(request: LiveRequest): void {
    if (this.#socket?.readyState === this.#socket?.OPEN) this.#socket?.send(JSON.stringify(request))
  }

  #hear(text: string): void {
    this.#heard = Date.now()
    const message = JSON.parse(text) as LiveMessage
    if ('alive' in message) return
    const watcher = this.#watchers.get(message.run)
    if (!watcher) return
    if ('frames' in message) {
      for (const [seq, block] of message.frames) watcher.onFrame(seq, block)
      return
    }
    if ('live' in message) return watcher.onLive()
    this.#watchers.delete(message.run)
    this.#letGo()
    if ('end' in message) watcher.onEnd(message.end)
    else if ('refused' in message) watcher.onRefusal(message.refused)
    else watcher.onLoss()
  }

  #lose(socket: WebSocket, code: number): void {
    if (this.#socket !== socket) return
    this.#socket = null
    clearInterval(this.#watchdog)
    clearTimeout(this.#lingering)
    socket.close()
    const watchers = [...this.#watchers.values()]
    this.#watchers.clear()
    for (const watcher of watchers)
      if (code === SIGNED_OUT)
        watcher.onRefusal({ kind: 'denied', status: 401, message: 'The session has ended. Sign in again.' })
      else watcher.onLoss()
  }

  #letGo(): void {
    if (this.#watchers.size > 0) return
    clearTimeout(this.#lingering)
    this.#lingering = setTimeout(() => this.drop(), this.#conditions.linger)
  }
}

/** The channel of this page. */
export const channel = new Channel({
  connect: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}${LIVE_PATH}`),
  silence: 45_000,
  linger: 30_000,
})
