import { Run } from '#contract/console/runs.ts'
import type { StreamKind } from '#contract/endpoint.ts'
import { Problem } from '#contract/problem.ts'
import { type EventFold, eventFolds } from '#domain/stream/eventFolds.ts'
import { type LiveConnection, liveConnection, type ReceivedFrame } from './live/liveConnection.ts'

/** State of the browser's connection to a run. `retry_at` is in epoch milliseconds, null during an attempt. */
export type ConnectionState =
  | { state: 'sending' }
  | { state: 'connecting' }
  | { state: 'live' }
  | { state: 'catching_up' }
  | { state: 'server_silent' }
  | { state: 'reconnecting'; attempt: number; retry_at: number | null }

/** A server that stops may be asked again until a balancer, or its successor, has noticed. */
const MAX_SEND_ATTEMPTS = 10

/** Why a stream ended. `unsent`: the request never reached the console, so it may be sent again. */
export type StreamEnd = { kind: 'ended'; run: Run } | { kind: 'refused'; problem: Problem } | { kind: 'unsent' }

export interface StreamListener {
  onConnection(line: ConnectionState): void
  onFrame(frame: ReceivedFrame): void
  onEnd(end: StreamEnd): void
}

/**
 * What to watch: a run after its frame `after`. With `post`, that request starts the run, once. While the run is not
 * `known`, a 404 means that the request never arrived.
 */
export interface StreamSource {
  run_id: string
  after: number
  isKnownToServer: boolean
  post?: { url: string; method: string; headers: Record<string, string>; body?: BodyInit } | undefined
}

export interface RunStreamDeps {
  now: () => number
  /** Delay in ms before attempt number `attempt` (1, 2, ...). */
  backoffMs: (attempt: number) => number
  /** Timeout in ms for the console to confirm a run. */
  postTimeoutMs: number
  waitSeconds: (seconds: number) => Promise<void>
  connection: Pick<LiveConnection, 'watch'>
}

export interface RunSubscription {
  /** Stops watching. The run continues at the server; no callback follows. */
  close(): void
  /** Ends the delay before the next attempt. */
  retryNow(): void
}

/** Exponential backoff from 0.5 s to 15 s with 50 % jitter, so that many tabs do not reconnect at once. */
export const getBackoffMs = (attempt: number, random: () => number): number =>
  Math.min(15_000, 500 * 2 ** (attempt - 1)) * (0.5 + random() / 2)

const browserDeps: RunStreamDeps = {
  now: Date.now,
  backoffMs: (attempt) => getBackoffMs(attempt, Math.random),
  postTimeoutMs: 60_000,
  waitSeconds: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
  connection: liveConnection,
}

/**
 * Watches a run until it ends. The console answers the POST that starts a run immediately (`Prefer: respond-async`), and the
 * run is watched over the page's WebSocket. The POST is repeated only where the console itself answers 503, as while a server
 * stops: nothing was sent then, and the `Run-Id` is the same. A lost connection is resumed after the last frame.
 */
export function openStream(
  source: StreamSource,
  listener: StreamListener,
  deps: RunStreamDeps = browserDeps,
): RunSubscription {
  const stream = new RunStream(source, listener, deps)
  void stream.run()
  return stream
}

/** Folds an event of a stream into the state of its run. */
export function foldStreamEvent<State>(kind: StreamKind, state: State, event: unknown): State {
  const { fold }: EventFold<State> = eventFolds[kind] as EventFold<State>
  return fold(state, event)
}

/** The result of one attempt: an end, a lost connection, or a run unknown to the console. */
type AttemptOutcome = StreamEnd | { kind: 'lost' } | { kind: 'missing' }

class RunStream implements RunSubscription {
  readonly #source: StreamSource
  readonly #listener: StreamListener
  readonly #deps: RunStreamDeps
  readonly #closing = new AbortController()
  #last: number
  #attempt = 0
  /** True once the server is known to have the run. */
  #isKnownToServer: boolean
  #wake: () => void = () => undefined

  constructor(source: StreamSource, listener: StreamListener, conditions: RunStreamDeps) {
    this.#source = source
    this.#listener = listener
    this.#deps = conditions
    this.#last = source.after
    this.#isKnownToServer = source.isKnownToServer
  }

  close(): void {
    this.#closing.abort()
    this.#wake()
  }

  retryNow(): void {
    this.#wake()
  }

  async run(): Promise<void> {
    const { post } = this.#source
    this.#listener.onConnection({ state: post ? 'sending' : 'connecting' })
    let outcome = (post && (await this.#send(post))) ?? (await this.#watch(post !== undefined))
    for (let misses = 0; !this.#closed;) {
      // Asked twice: the request may have reached the server just after the first answer.
      if (outcome.kind === 'missing' && ++misses > 1) outcome = { kind: 'unsent' }
      if (outcome.kind !== 'lost' && outcome.kind !== 'missing') return this.#listener.onEnd(outcome)
      await this.#pause()
      if (!this.#closed) outcome = await this.#watch(false)
    }
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted
  }

  /** Sends the request that starts the run. Null: the console has it. Never rejects. */
  async #send(post: NonNullable<StreamSource['post']>): Promise<AttemptOutcome | null> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#sendOnce(post)
      const retryAfter = outcome?.kind === 'refused' && outcome.problem.status === 503 && outcome.problem.retry_after
      if (!retryAfter || attempt === MAX_SEND_ATTEMPTS || this.#closed) return outcome
      await this.#deps.waitSeconds(retryAfter)
    }
  }

  async #sendOnce({ url, ...init }: NonNullable<StreamSource['post']>): Promise<AttemptOutcome | null> {
    const headers = { ...init.headers, 'run-id': this.#source.run_id, prefer: 'respond-async' }
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#deps.postTimeoutMs)])
    try {
      const response = await fetch(url, { ...init, headers, signal })
      if (response.ok) {
        this.#isKnownToServer = true
        return null
      }
      // A reply of a gateway in front of the console does not show whether the run has started.
      const problem = Problem.safeParse(await response.json())
      return problem.success ? { kind: 'refused', problem: problem.data } : { kind: 'lost' }
    } catch {
      return { kind: 'lost' }
    }
  }

  async #pause(): Promise<void> {
    this.#attempt++
    const delay = this.#deps.backoffMs(this.#attempt)
    this.#listener.onConnection({
      state: 'reconnecting',
      attempt: this.#attempt,
      retry_at: this.#deps.now() + delay,
    })
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delay)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    if (!this.#closed) this.#listener.onConnection({ state: 'reconnecting', attempt: this.#attempt, retry_at: null })
  }

  /**
   * Watches from the last frame on while the connection lasts. A run that has `begun` just now has no earlier frames.
   * Never rejects.
   */
  #watch(hasJustStarted: boolean): Promise<AttemptOutcome> {
    this.#wake = () => undefined
    let reportedState: ConnectionState['state'] | null = null
    const setState = (state: 'live' | 'catching_up' | 'server_silent') => {
      if (reportedState === state) return
      reportedState = state
      this.#isKnownToServer = true
      this.#listener.onConnection({ state })
    }
    if (hasJustStarted) setState('live')
    return new Promise((resolve) => {
      const finish = (outcome: AttemptOutcome) => {
        stop()
        this.#closing.signal.removeEventListener('abort', loseConnection)
        resolve(outcome)
      }
      const loseConnection = () => finish({ kind: 'lost' })
      const stop = this.#deps.connection.watch(this.#source.run_id, this.#last, {
        onFrame: (frame) => {
          if (this.#last < frame.seq - 1) return loseConnection()
          if (reportedState === null) setState('catching_up')
          this.#take(frame)
        },
        onLive: () => setState('live'),
        onServerSilent: (isSilent) => setState(isSilent ? 'server_silent' : 'live'),
        onEnd: (run) => finish(parseEnd(run)),
        onRefused: (problem) =>
          finish(problem.status === 404 && !this.#isKnownToServer ? { kind: 'missing' } : { kind: 'refused', problem }),
        onConnectionLost: loseConnection,
      })
      this.#closing.signal.addEventListener('abort', loseConnection)
    })
  }

  /** Emits a new frame; duplicates are dropped. */
  #take(frame: ReceivedFrame): void {
    if (frame.seq <= this.#last) return
    this.#last = frame.seq
    this.#attempt = 0
    this.#listener.onFrame(frame)
  }
}

function parseEnd(message: unknown): StreamEnd {
  const run = Run.safeParse(message)
  if (run.success) return { kind: 'ended', run: run.data }
  return {
    kind: 'refused',
    problem: { kind: 'mismatch', message: 'Invalid end-of-run message.' },
  }
}
