import { type EventSourceMessage, EventStreamContentType, fetchEventSource } from '@microsoft/fetch-event-source'
import { Run } from '#contract/runs.ts'
import { Problem } from '#contract/problem.ts'
import { problemOf } from './call.ts'

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
export type StreamEnd =
  | { kind: 'ended'; run: Run }
  | { kind: 'replied'; reply: unknown }
  | { kind: 'refused'; problem: Problem }
  | { kind: 'unsent' }

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
  /** Milliseconds without a byte after which the line counts as lost; the server sends a comment every 15 s. */
  silence: number
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
  silence: 45_000,
}

/**
 * Watches a run until it ends. A lost line is taken up again after the last frame by `GET /api/runs/:run_id/events`; the
 * POST that begins a run leaves the browser once and is never repeated, whatever happens to its reply.
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

/** What one connection came to: an end, or a lost line (then perhaps the server's wish when to come back, in ms). */
type Outcome = StreamEnd | { kind: 'lost'; wait?: number } | { kind: 'missing' }

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
    let outcome = post ? await this.#send(post) : await this.#resume()
    for (let misses = 0; !this.#closed;) {
      // Asked twice: the request may have reached the server just after the first answer.
      if (outcome.kind === 'missing' && ++misses > 1) outcome = { kind: 'unsent' }
      if (outcome.kind !== 'lost' && outcome.kind !== 'missing') return this.#listener.onEnd(outcome)
      await this.#pause(outcome.kind === 'lost' ? outcome.wait : undefined)
      if (!this.#closed) outcome = await this.#resume()
    }
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted
  }

  #send(post: NonNullable<StreamSource['post']>): Promise<Outcome> {
    const { url, ...init } = post
    return this.#connect(url, { ...init, headers: { ...init.headers, 'run-id': this.#source.run_id } }, true)
  }

  #resume(): Promise<Outcome> {
    const headers: Record<string, string> = this.#last > 0 ? { 'last-event-id': String(this.#last) } : {}
    return this.#connect(`/api/runs/${this.#source.run_id}/events`, { headers }, false)
  }

  async #pause(wished = 0): Promise<void> {
    this.#attempt++
    const delay = Math.max(this.#conditions.backoff(this.#attempt), wished)
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

  /** One connection, to its end. Never rejects. */
  async #connect(url: string, init: Omit<RequestInit, 'headers'> & Headers, sends: boolean): Promise<Outcome> {
    const connection = new AbortController()
    const abort = () => connection.abort()
    this.#closing.signal.addEventListener('abort', abort)
    let heard = this.#conditions.now()
    let end: StreamEnd | null = null
    let behind = false
    // Before its first byte a POST may take as long as the platform does (a blocking run: 100 s).
    let patience = this.#conditions.silence * (sends ? 4 : 1)
    const watchdog = setInterval(() => {
      if (this.#conditions.now() - heard > patience) abort()
    }, this.#conditions.silence / 4)
    try {
      await fetchEventSource(url, {
        ...init,
        signal: connection.signal,
        openWhenHidden: true,
        onopen: async (response) => {
          heard = this.#conditions.now()
          patience = this.#conditions.silence
          await accept(response, sends)
          this.#known = true
          this.#listener.onLine({ state: sends ? 'live' : 'catching_up' })
          behind = !sends
        },
        onmessage: (message) => {
          heard = this.#conditions.now()
          if (connection.signal.aborted) return
          end = endOf(message)
          const verdict = end ? 'over' : this.#take(message)
          if (verdict !== 'on') return abort()
          // The server says nothing but comments once a browser has all that there is.
          if (behind && message.id === '') {
            behind = false
            this.#listener.onLine({ state: 'live' })
          }
        },
        // Without this the library tries again for ever, and would send a POST twice.
        onerror: (error: unknown) => {
          throw error
        },
      })
      return end ?? { kind: 'lost' }
    } catch (reason) {
      return this.#outcomeOf(reason, sends)
    } finally {
      clearInterval(watchdog)
      this.#closing.signal.removeEventListener('abort', abort)
    }
  }

  /** Hands on a frame that is new; one seen before is dropped, one after a gap means that the line must be taken up again. */
  #take(message: EventSourceMessage): 'on' | 'gap' {
    const seq = Number(message.id)
    if (!Number.isInteger(seq) || seq <= this.#last) return 'on'
    if (seq > this.#last + 1) return 'gap'
    this.#last = seq
    this.#attempt = 0
    this.#listener.onFrame({ seq, block: blockOf(message) })
    return 'on'
  }

  #outcomeOf(reason: unknown, sends: boolean): Outcome {
    if (reason instanceof WholeReply) return { kind: 'replied', reply: reason.reply }
    if (!(reason instanceof Refusal)) return { kind: 'lost' }
    const { status, problem } = reason
    if (sends) return problem ? { kind: 'refused', problem } : { kind: 'lost' }
    if (status === 404 && !this.#known) return { kind: 'missing' }
    if (status === 429 || status >= 500) return { kind: 'lost', wait: (problem?.retry_after ?? 0) * 1000 }
    return { kind: 'refused', problem: problem ?? problemOf(status, null) }
  }
}

interface Headers {
  headers: Record<string, string>
}

/** The reply came whole, as JSON: a blocking run, or a platform that does not stream. */
class WholeReply extends Error {
  readonly reply: unknown
  constructor(reply: unknown) {
    super('a whole reply')
    this.reply = reply
  }
}

/** A reply that is not 2xx. `problem` is null when its body is not the console's, but a gateway's before it. */
class Refusal extends Error {
  readonly status: number
  readonly problem: Problem | null
  constructor(status: number, problem: Problem | null) {
    super('refused')
    this.status = status
    this.problem = problem
  }
}

/** Lets an event stream through. @throws WholeReply, Refusal */
async function accept(response: Response, sends: boolean): Promise<void> {
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && type.startsWith(EventStreamContentType)) return
  const body: unknown = await response.json().catch(() => null)
  if (response.ok && sends && type.startsWith('application/json')) throw new WholeReply(body)
  const problem = Problem.safeParse(body)
  throw new Refusal(response.ok ? 502 : response.status, problem.success ? problem.data : null)
}

/** The last block of a run has no id, so a platform's own event of that name can never be taken for it. */
function endOf(message: EventSourceMessage): StreamEnd | null {
  if (message.event !== 'loupe.run' || message.id !== '') return null
  const run = Run.safeParse(JSON.parse(message.data))
  if (run.success) return { kind: 'ended', run: run.data }
  return {
    kind: 'refused',
    problem: { kind: 'mismatch', message: 'The console’s server ended the run in unknown words.' },
  }
}

function blockOf({ event, data }: EventSourceMessage): string {
  if (event === '' && !data.includes('\n')) return data === '' ? '' : `data: ${data}`
  const lines = data === '' ? [] : data.split('\n').map((line) => `data: ${line}`)
  return [...(event ? [`event: ${event}`] : []), ...lines].join('\n')
}
