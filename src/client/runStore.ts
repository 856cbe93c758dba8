import { type Run, isUnclearStatus } from '#contract/console/runs.ts'
import { KeyedListeners, Listeners } from '#domain/listeners.ts'
import type { Endpoint, StreamKind } from '#contract/endpoint.ts'
import type { EventFold } from '#domain/stream/eventFolds.ts'
import { parseBlockEvent } from '#domain/stream/sseBlock.ts'
import { addFrameTime, NO_FRAME_TIMES, type StreamTimes } from '#domain/stream/streamTimes.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { buildRequest, type CallTarget } from './http.ts'
import type { ReceivedFrame } from './live/liveConnection.ts'
import type { ConnectionState, RunSubscription, StreamEnd, StreamListener, StreamSource } from './runStream.ts'

/** Common state of every fold of a generating entry: the text so far, and whether it is complete. */
export interface FoldState {
  text: string
  reasoning: string
  ended: boolean
  cut?: string[]
}

/** A generating entry: one that answers with a stream of events. */
export type GeneratingEndpoint = Endpoint & { events: StreamKind }

/**
 * A run as this browser sees it. `…_at` are epoch milliseconds of the browser's clock, `…_ms` the server's times, as in the
 * list of frames; null if the event did not happen or this browser did not observe it.
 */
export interface RunView<State = unknown> extends StreamTimes {
  run_id: string
  /** `away` after Stop watching; `refused` and `unsent` if there is nothing to watch. */
  phase: 'watching' | 'away' | 'ended' | 'refused' | 'unsent'
  connection: ConnectionState
  state: State
  /** The number of the last frame. */
  frames: number
  /** The request of this browser and the parent run; null for a run that it only watches. */
  sent: {
    key: string | undefined
    body: unknown
    parent: string | null
    params?: Record<string, string> | undefined
  } | null
  sent_at: number | null
  first_frame_at: number | null
  last_frame_at: number | null
  /** The final row, null before the end. */
  run: Run | null
  problem: Problem | null
}

/** Dependencies of the store; the browser's own by default. */
interface RunStoreDeps {
  now: () => number
  newId: () => string
  open: (source: StreamSource, listener: StreamListener) => RunSubscription
  read: (run_id: string) => Promise<Run>
  getFold: (kind: StreamKind) => EventFold<FoldState>
  /** Calls back in one of the next animation frames, or soon in a hidden tab. */
  scheduleFlush: (flush: () => void) => void
  /** How long a connection without subscribers stays open, in ms. */
  idleTimeoutMs: number
}

interface RunEntry {
  fold: EventFold<FoldState>['fold']
  view: RunView<FoldState>
  next: RunView<FoldState>
  stream: RunSubscription | null
  post: StreamSource['post']
  /** State of the request: `sent` until the server confirms the run, then `known`. */
  sendState: 'unsent' | 'sent' | 'known'
  /** The stream has ended, and its final row is being read: no other stream may open. */
  isEnding: boolean
  idleTimer: ReturnType<typeof setTimeout> | undefined
}

const MAX_IDLE_RUNS = 20

/**
 * The runs of this page, independent of components: leaving a screen and coming back shows the same run without a
 * gap. A connection without subscribers is closed, and resumed after its last frame.
 */
export class RunStore {
  readonly #entries = new Map<string, RunEntry>()
  readonly #listeners = new KeyedListeners()
  readonly #dirty = new Set<RunEntry>()
  readonly #endListeners = new Listeners<[run_id: string]>()
  /** Calls back with a run that has ended for this page. */
  readonly onEnd = this.#endListeners.subscribe
  readonly #deps: RunStoreDeps

  constructor(conditions: RunStoreDeps) {
    this.#deps = conditions
  }

  /** Starts a run under an id that the browser generated, so that a request can never become two runs. */
  start<E extends GeneratingEndpoint>(entry: E, input: CallTarget<E>, run_id = this.#deps.newId()): string {
    const params = input.params as Record<string, string> | undefined
    const sent = { key: input.key, body: input.body, parent: input.parent ?? null, params }
    this.#add(entry, run_id, { sent, sent_at: this.#deps.now() }, buildRequest(entry, input))
    return run_id
  }

  /**
   * Watches a run from its first frame, if it is not watched already. One that was refused, as at the end of the session,
   * is watched again after its last frame.
   */
  watch(generating: GeneratingEndpoint, run_id: string): void {
    const entry = this.#entries.get(run_id)
    if (!entry) return this.#add(generating, run_id, { sent: null, sent_at: null })
    if (entry.next.phase !== 'refused') return
    entry.sendState = 'known'
    this.#update(entry, { phase: 'watching', connection: { state: 'connecting' }, problem: null })
    this.#open(entry)
  }

  view(run_id: string): RunView<FoldState> | null {
    return this.#entries.get(run_id)?.view ?? null
  }

  all(): RunView<FoldState>[] {
    return [...this.#entries.values()].map(({ view }) => view)
  }

  /** Calls back when the view changes; a run may be subscribed to before this page has it. */
  subscribe(run_id: string, listener: () => void): () => void {
    const unsubscribe = this.#listeners.subscribe(run_id, listener)
    const entry = this.#entries.get(run_id)
    clearTimeout(entry?.idleTimer)
    if (entry && !entry.stream && entry.next.phase === 'watching') this.#open(entry)
    return () => {
      unsubscribe()
      if (this.#listeners.has(run_id)) return
      const left = this.#entries.get(run_id)
      if (left) this.#closeWhenIdle(left)
    }
  }

  /** Closes this browser's connection only. The server continues the run. */
  stopWatching(run_id: string): void {
    const entry = this.#entries.get(run_id)
    if (!entry || entry.next.phase !== 'watching') return
    this.#close(entry)
    this.#update(entry, { phase: 'away', connection: { state: 'connecting' } })
  }

  resumeWatching(run_id: string): void {
    const entry = this.#entries.get(run_id)
    if (!entry || entry.next.phase !== 'away') return
    this.#update(entry, { phase: 'watching' })
    this.#open(entry)
  }

  /** Watches a paused run that continues, after its last frame; its frames are folded into the same state. */
  continueWatching(run_id: string): void {
    const entry = this.#entries.get(run_id)
    if (!entry || entry.next.phase !== 'ended' || entry.next.run?.status !== 'paused') return
    this.#update(entry, { phase: 'watching', connection: { state: 'connecting' }, run: null, problem: null })
    this.#open(entry)
  }

  /** Resends a run that never reached the console, under the same id: if it exists after all, it is joined. */
  resend(run_id: string): void {
    const entry = this.#entries.get(run_id)
    if (!entry || entry.next.phase !== 'unsent') return
    this.#update(entry, { phase: 'watching', connection: { state: 'sending' }, sent_at: this.#deps.now() })
    this.#open(entry)
  }

  retryNow(run_id?: string): void {
    if (run_id !== undefined) return this.#entries.get(run_id)?.stream?.retryNow()
    for (const { stream } of this.#entries.values()) stream?.retryNow()
  }

  /** Removes a run whose question was cancelled before it was sent. */
  remove(run_id: string): void {
    const entry = this.#entries.get(run_id)
    if (entry) this.#close(entry)
    this.#entries.delete(run_id)
  }

  #add(
    generating: GeneratingEndpoint,
    run_id: string,
    sending: Pick<RunView, 'sent' | 'sent_at'>,
    post?: StreamSource['post'],
  ): void {
    const { initial, fold } = this.#deps.getFold(generating.events)
    const view = createView(run_id, initial, sending)
    const entry: RunEntry = {
      fold,
      view,
      next: view,
      stream: null,
      post,
      sendState: post ? 'unsent' : 'known',
      isEnding: false,
      idleTimer: undefined,
    }
    this.#entries.set(view.run_id, entry)
    this.#evict()
    this.#open(entry)
  }

  #open(entry: RunEntry): void {
    if (entry.isEnding) return
    // The request is sent once. From then on the run is watched, whatever the outcome.
    const post = entry.sendState === 'unsent' ? entry.post : undefined
    const known = entry.sendState === 'known'
    if (post) entry.sendState = 'sent'
    entry.stream = this.#deps.open(
      { run_id: entry.next.run_id, after: entry.next.frames, isKnownToServer: known, post },
      {
        onConnection: (line) => {
          if (['live', 'catching_up', 'server_silent'].includes(line.state)) entry.sendState = 'known'
          this.#update(entry, { connection: line })
        },
        onFrame: (frame) => this.#applyFrame(entry, frame),
        onEnd: (end) => void this.#end(entry, end),
      },
    )
  }

  #applyFrame(entry: RunEntry, { seq, block, at }: ReceivedFrame): void {
    const now = this.#deps.now()
    const event = parseBlockEvent(block)
    const state = event === undefined ? entry.next.state : entry.fold(entry.next.state, event)
    const spoken = state.text !== '' || state.reasoning !== ''
    this.#update(entry, {
      state,
      frames: seq,
      first_frame_at: entry.next.first_frame_at ?? now,
      last_frame_at: now,
      ...addFrameTime(entry.next, at, spoken),
    })
  }

  async #end(entry: RunEntry, end: StreamEnd): Promise<void> {
    entry.stream = null
    if (end.kind === 'unsent') {
      entry.sendState = 'unsent'
      this.#update(entry, { phase: 'unsent' })
    }
    if (end.kind === 'refused') this.#update(entry, { phase: 'refused', problem: end.problem })
    if (end.kind === 'ended') await this.#applyEnd(entry, end.run)
    this.#flush()
    this.#endListeners.notify(entry.next.run_id)
    this.#evict()
  }

  /**
   * The end of a run. Fields that the frames lack are read from the row: a blocking reply has no frames, and after a
   * broken or cut workflow stream the server has the final state, or the text that was not seen, from the platform.
   */
  async #applyEnd(entry: RunEntry, ended: Run): Promise<void> {
    let run = ended
    entry.isEnding = true
    const isUnresolved = run.problem || isUnclearStatus(run.status)
    if (!isUnresolved && (!entry.next.state.ended || entry.next.state.cut || run.gaps?.length))
      run = await this.#deps.read(run.id).catch((error: unknown) => {
        if (!(error instanceof ProblemError)) throw error
        return ended
      })
    const state = (run.answer as FoldState | null | undefined) ?? entry.next.state
    entry.isEnding = false
    this.#update(entry, { phase: 'ended', run, problem: run.problem, state })
  }

  #update(entry: RunEntry, change: Partial<RunView<FoldState>>): void {
    entry.next = { ...entry.next, ...change }
    if (this.#dirty.size === 0) this.#deps.scheduleFlush(() => this.#flush())
    this.#dirty.add(entry)
  }

  #flush(): void {
    const dirty = [...this.#dirty]
    this.#dirty.clear()
    for (const entry of dirty) {
      entry.view = entry.next
      this.#listeners.notify(entry.view.run_id)
    }
  }

  #closeWhenIdle(entry: RunEntry): void {
    clearTimeout(entry.idleTimer)
    entry.idleTimer = setTimeout(() => {
      // Aborting a pending POST could lose the run.
      if (entry.next.connection.state === 'sending' && entry.next.phase === 'watching')
        return this.#closeWhenIdle(entry)
      this.#close(entry)
      this.#evict()
    }, this.#deps.idleTimeoutMs)
  }

  #close(entry: RunEntry): void {
    clearTimeout(entry.idleTimer)
    entry.stream?.close()
    entry.stream = null
  }

  /** Evicts the oldest runs without subscribers that the server can return again. */
  #evict(): void {
    const idle = [...this.#entries.entries()].filter(
      ([run_id, { stream, next }]) => !this.#listeners.has(run_id) && !stream && next.phase !== 'unsent',
    )
    for (const [run_id] of idle.slice(0, Math.max(0, idle.length - MAX_IDLE_RUNS))) this.#entries.delete(run_id)
  }
}

function createView(
  run_id: string,
  state: FoldState,
  { sent, sent_at }: Pick<RunView, 'sent' | 'sent_at'>,
): RunView<FoldState> {
  return {
    run_id,
    phase: 'watching',
    connection: { state: sent ? 'sending' : 'connecting' },
    state,
    frames: 0,
    sent,
    sent_at,
    first_frame_at: null,
    last_frame_at: null,
    ...NO_FRAME_TIMES,
    run: null,
    problem: null,
  }
}

/** The page's clock and scheduler. Hidden tabs get no animation frames, so `frame` falls back to a timer. */
interface RenderThrottleDeps {
  now: () => number
  setTimer: (delay: number, then: () => void) => void
  /** Before the next paint. */
  beforePaint: (then: () => void) => void
  afterPaint: (then: () => void) => void
}

/** Minimum ms between renders (25 per second). */
const MIN_RENDER_INTERVAL_MS = 40
/** Maximum share of time for rendering; the rest is for input. */
const MAX_RENDER_TIME_SHARE = 1 / 4

/**
 * Throttles rendering of streamed data: soon, but never so often that the page is busy. The delay adapts to the
 * duration of the last render.
 */
export class RenderThrottle {
  readonly #deps: RenderThrottleDeps
  #nextRenderAt = 0

  constructor(conditions: RenderThrottleDeps) {
    this.#deps = conditions
  }

  schedule(draw: () => void): void {
    const { now, setTimer, beforePaint, afterPaint } = this.#deps
    const wait = this.#nextRenderAt - now()
    const begin = () =>
      beforePaint(() => {
        const began = now()
        draw()
        afterPaint(() => {
          this.#nextRenderAt = began + Math.max(MIN_RENDER_INTERVAL_MS, (now() - began) / MAX_RENDER_TIME_SHARE)
        })
      })
    if (wait > 0) setTimer(wait, begin)
    else begin()
  }
}

/** The render throttle of this page. */
export const renderThrottle = new RenderThrottle({
  now: () => performance.now(),
  setTimer: (delay, then) => void setTimeout(then, delay),
  beforePaint: (then) => {
    let done = false
    const once = () => {
      if (done) return
      done = true
      cancelAnimationFrame(request)
      clearTimeout(timer)
      then()
    }
    const request = requestAnimationFrame(once)
    const timer = setTimeout(once, 250)
  },
  afterPaint: (then) => void setTimeout(then),
})
