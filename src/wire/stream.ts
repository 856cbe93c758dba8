import { Run } from '#contract/runs.ts'
import { Problem } from '#contract/problem.ts'
import { type Channel, channel } from './channel.ts'

/** A frame as it arrives: `seq` counts from 1 without gaps, `block` is the platform's event (`#contract/frame.ts`). */
export interface StreamFrame {
  seq: number
  block: string
}

/** How the browser's line to a run stands. `retry_at` is milliseconds since 1970, null while a try is under way. */
export type Line =
  | { state: 'sending' }
  | { state: 'connecting' }
  | { state: 'live' }
  | { state: 'catching_up' }
  | { state: 'reconnecting'; attempt: number; retry_at: number | null }

/** Why a stream is over. `unsent`: the request never reached the console, so it may be sent again. */
export type StreamEnd = { kind: 'ended'; run: Run } | { kind: 'refused'; problem: Problem } | { kind: 'unsent' }

export interface StreamListener {
  onLine(line: Line): void
  onFrame(frame: StreamFrame): void
  onEnd(end: StreamEnd): void
}

/**
 * What to watch: a run after its frame `after`. With `post` the run is begun by sending that, once. While the server is
 * not `known` to have the run, its 404 means that the request never arrived.
 */
export interface StreamSource {
  run_id: string
  after: number
  known: boolean
  post?: { url: string; method: string; headers: Record<string, string>; body?: BodyInit } | undefined
}

export interface StreamConditions {
  now: () => number
  /** Milliseconds before try number `attempt` (1, 2, ...). */
  backoff: (attempt: number) => number
  /** Milliseconds that the console may take to say that it has a run. */
  patience: number
  channel: Pick<Channel, 'watch'>
}

export interface Stream {
  /** Stops watching. The run goes on at the server; nothing is called back any more. */
  close(): void
  /** Ends the wait before the next try. */
  tryNow(): void
}

/** 0.5 s doubling to 15 s, each between half and whole, so that many tabs do not come back in step. */
export const backoffOf = (attempt: number, random: () => number): number =>
  Math.min(15_000, 500 * 2 ** (attempt - 1)) * (0.5 + random() / 2)

const browserConditions: StreamConditions = {
  now: Date.now,
  backoff: (attempt) => backoffOf(attempt, Math.random),
  patience: 60_000,
  channel,
}

/**
 * Watches a run until it ends. The POST that begins a run leaves the browser once and is never repeated, whatever happens
 * to its reply: the console answers it at once (`Prefer: respond-async`), and the run is watched over the page's channel.
 * A lost line is taken up again after the last frame.
 */
export function openStream(
  source: StreamSource,
  listener: StreamListener,
  conditions: StreamConditions = browserConditions,
): Stream {
  const stream = new RunStream(source, listener, conditions)
  void stream.run()
  return stream
}

/** What one try came to: an end, a lost line, or a run that the console does not have. */
type Outcome = StreamEnd | { kind: 'lost' } | { kind: 'missing' }

class RunStream implements Stream {
  readonly #source: StreamSource
  readonly #listener: StreamListener
  readonly #conditions: StreamConditions
  readonly #closing = new AbortController()
  #last: number
  #attempt = 0
  /** True once the server is known to have the run. */
  #known: boolean
  #wake: () => void = () => undefined

  constructor(source: StreamSource, listener: StreamListener, conditions: StreamConditions) {
    this.#source = source
    this.#listener = listener
    this.#conditions = conditions
    this.#last = source.after
    this.#known = source.known
  }

  close(): void {
    this.#closing.abort()
    this.#wake()
  }

  tryNow(): void {
    this.#wake()
  }

  async run(): Promise<void> {
    const { post } = this.#source
    this.#listener.onLine({ state: post ? 'sending' : 'connecting' })
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

  /** Sends what begins the run, once. Null: the console has it. Never rejects. */
  async #send({ url, ...init }: NonNullable<StreamSource['post']>): Promise<Outcome | null> {
    const headers = { ...init.headers, 'run-id': this.#source.run_id, prefer: 'respond-async' }
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(this.#conditions.patience)])
    try {
      const response = await fetch(url, { ...init, headers, signal })
      if (response.ok) {
        this.#known = true
        return null
      }
      // A reply that is not the console's own, but a gateway's before it, does not say whether the run has begun.
      const problem = Problem.safeParse(await response.json())
      return problem.success ? { kind: 'refused', problem: problem.data } : { kind: 'lost' }
    } catch {
      return { kind: 'lost' }
    }
  }

  async #pause(): Promise<void> {
    this.#attempt++
    const delay = this.#conditions.backoff(this.#attempt)
    this.#listener.onLine({
      state: 'reconnecting',
      attempt: this.#attempt,
      retry_at: this.#conditions.now() + delay,
    })
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delay)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    if (!this.#closed) this.#listener.onLine({ state: 'reconnecting', attempt: this.#attempt, retry_at: null })
  }

  /** Watches from the last frame on, as long as the line holds. A run that has `begun` just now has nothing to catch up with. Never rejects. */
  #watch(begun: boolean): Promise<Outcome> {
    this.#wake = () => undefined
    let line: Line['state'] | null = null
    const say = (state: 'live' | 'catching_up') => {
      if (line === state) return
      line = state
      this.#known = true
      this.#listener.onLine({ state })
    }
    if (begun) say('live')
    return new Promise((resolve) => {
      const settle = (outcome: Outcome) => {
        stop()
        this.#closing.signal.removeEventListener('abort', leave)
        resolve(outcome)
      }
      const leave = () => settle({ kind: 'lost' })
      const stop = this.#conditions.channel.watch(this.#source.run_id, this.#last, {
        onFrame: (seq, block) => {
          if (this.#last < seq - 1) return leave()
          if (line === null) say('catching_up')
          this.#take(seq, block)
        },
        onLive: () => say('live'),
        onEnd: (run) => settle(endOf(run)),
        onRefusal: (problem) =>
          settle(problem.status === 404 && !this.#known ? { kind: 'missing' } : { kind: 'refused', problem }),
        onLoss: leave,
      })
      this.#closing.signal.addEventListener('abort', leave)
    })
  }

  /** Hands on a frame that is new; one that was seen before is dropped. */
  #take(seq: number, block: string): void {
    if (seq <= this.#last) return
    this.#last = seq
    this.#attempt = 0
    this.#listener.onFrame({ seq, block })
  }
}

function endOf(told: unknown): StreamEnd {
  const run = Run.safeParse(told)
  if (run.success) return { kind: 'ended', run: run.data }
  return {
    kind: 'refused',
    problem: { kind: 'mismatch', message: 'The console’s server ended the run in unknown words.' },
  }
}
