import type { Run } from '#contract/runs.ts'
import type { Endpoint, Events } from '#contract/endpoint.ts'
import { eventOf } from '#contract/frame.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { requestOf, type Target } from './call.ts'
import type { Line, Stream, StreamEnd, StreamFrame, StreamListener, StreamSource } from './stream.ts'

/** What every fold of a generating entry has: the words so far, and whether the last one was said. */
export interface Folded {
  text: string
  reasoning: string
  ended: boolean
}

/** A generating entry: one with events, whose fold gives the state that is shown. */
export type Generating<State extends Folded = Folded> = Endpoint & { events: Events<State> | undefined }

/**
 * A run as this browser sees it. Times are milliseconds since 1970 by the browser's clock; null where it did not happen
 * or where this browser was not there.
 */
export interface RunView<State = unknown> {
  run_id: string
  /** `away` after Stop watching, `refused` and `unsent` where there is nothing to watch. */
  phase: 'watching' | 'away' | 'ended' | 'refused' | 'unsent'
  line: Line
  state: State
  /** The number of the last frame. */
  frames: number
  /** What was sent from this browser, and the run that it was made from; null for a run that it only watches. */
  sent: { key: string | undefined; body: unknown; parent: string | null } | null
  sent_at: number | null
  first_frame_at: number | null
  first_token_at: number | null
  last_frame_at: number | null
  /** The row as it stood at the end, null before. */
  run: Run | null
  problem: Problem | null
}

/** What the store needs of the world; the browser's own by default. */
export interface RunConditions {
  now: () => number
  newId: () => string
  open: (source: StreamSource, listener: StreamListener) => Stream
  read: (run_id: string) => Promise<Run>
  /** Calls back before one of the next pictures is drawn, or soon where none is (a hidden tab). */
  soon: (flush: () => void) => void
  /** Milliseconds that a connection nobody looks at is held open. */
  linger: number
}

interface Entry {
  events: Events<Folded>
  view: RunView<Folded>
  next: RunView<Folded>
  stream: Stream | null
  post: StreamSource['post']
  /** Whether the request has left: `sent` until the server shows that it has the run, `known` from then on. */
  passage: 'unsent' | 'sent' | 'known'
  lingering: ReturnType<typeof setTimeout> | undefined
}

const KEPT = 20

/**
 * The runs that this page knows, apart from any component: leaving a screen and coming back shows the same run, without a
 * gap. A connection that nobody looks at is let go, and taken up again after its last frame.
 */
export class Runs {
  readonly #entries = new Map<string, Entry>()
  readonly #watchers = new Map<string, Set<() => void>>()
  readonly #dirty = new Set<Entry>()
  readonly #endListeners = new Set<(run_id: string) => void>()
  readonly #conditions: RunConditions

  constructor(conditions: RunConditions) {
    this.#conditions = conditions
  }

  /** Begins a run: the id is made in this browser, here or before, so the same request can never become two runs. */
  begin<E extends Generating>(entry: E, input: Target<E>, run_id = this.#conditions.newId()): string {
    const sent = { key: input.key, body: input.body, parent: input.parent ?? null }
    const view = viewOf(run_id, entry.events, sent, this.#conditions.now())
    this.#add(entry, view, requestOf(entry, input))
    return run_id
  }

  /** Watches a run from its first frame, if it is not watched already. */
  attach(entry: Generating, run_id: string): void {
    if (this.#entries.has(run_id)) return
    this.#add(entry, viewOf(run_id, entry.events, null, null))
  }

  view(run_id: string): RunView<Folded> | null {
    return this.#entries.get(run_id)?.view ?? null
  }

  all(): RunView<Folded>[] {
    return [...this.#entries.values()].map(({ view }) => view)
  }

  /** Calls back when the view changes; a run may be subscribed to before this page has it. */
  subscribe(run_id: string, listener: () => void): () => void {
    const watchers = this.#watchers.get(run_id) ?? new Set()
    this.#watchers.set(run_id, watchers.add(listener))
    const entry = this.#entries.get(run_id)
    clearTimeout(entry?.lingering)
    if (entry && !entry.stream && entry.next.phase === 'watching') this.#open(entry)
    return () => {
      watchers.delete(listener)
      if (watchers.size > 0) return
      this.#watchers.delete(run_id)
      const left = this.#entries.get(run_id)
      if (left) this.#letGo(left)
    }
  }

  onEnd(listener: (run_id: string) => void): () => void {
    this.#endListeners.add(listener)
    return () => this.#endListeners.delete(listener)
  }

  /** Closes this browser's line only. The server reads on. */
  stopWatching(run_id: string): void {
    const entry = this.#entries.get(run_id)
    if (!entry || entry.next.phase !== 'watching') return
    this.#close(entry)
    this.#change(entry, { phase: 'away', line: { state: 'connecting' } })
  }

  watchAgain(run_id: string): void {
    const entry = this.#entries.get(run_id)
    if (!entry || entry.next.phase !== 'away') return
    this.#change(entry, { phase: 'watching' })
    this.#open(entry)
  }

  /** Sends a run that never reached the console, under the id that it has: should it be there after all, it is joined. */
  sendAgain(run_id: string): void {
    const entry = this.#entries.get(run_id)
    if (!entry || entry.next.phase !== 'unsent') return
    this.#change(entry, { phase: 'watching', line: { state: 'sending' }, sent_at: this.#conditions.now() })
    this.#open(entry)
  }

  tryNow(run_id?: string): void {
    if (run_id !== undefined) return this.#entries.get(run_id)?.stream?.tryNow()
    for (const { stream } of this.#entries.values()) stream?.tryNow()
  }

  /** Takes a run out, for a question that is given up before it was sent. */
  forget(run_id: string): void {
    const entry = this.#entries.get(run_id)
    if (entry) this.#close(entry)
    this.#entries.delete(run_id)
  }

  #add(generating: Generating, view: RunView<Folded>, post?: StreamSource['post']): void {
    if (!generating.events) throw new TypeError(`${generating.path} does not generate`)
    const entry: Entry = {
      events: generating.events,
      view,
      next: view,
      stream: null,
      post,
      passage: post ? 'unsent' : 'known',
      lingering: undefined,
    }
    this.#entries.set(view.run_id, entry)
    this.#evict()
    this.#open(entry)
  }

  #open(entry: Entry): void {
    // The request leaves once. From then on the run is watched, whatever came of it.
    const post = entry.passage === 'unsent' ? entry.post : undefined
    const known = entry.passage === 'known'
    if (post) entry.passage = 'sent'
    entry.stream = this.#conditions.open(
      { run_id: entry.next.run_id, after: entry.next.frames, known, post },
      {
        onLine: (line) => {
          if (line.state === 'live' || line.state === 'catching_up') entry.passage = 'known'
          this.#change(entry, { line })
        },
        onFrame: (frame) => this.#take(entry, frame),
        onEnd: (end) => void this.#end(entry, end),
      },
    )
  }

  #take(entry: Entry, { seq, block }: StreamFrame): void {
    const now = this.#conditions.now()
    const event = eventOf(block)
    const state = event === undefined ? entry.next.state : entry.events.fold(entry.next.state, event)
    const { first_frame_at, first_token_at } = entry.next
    const spoken = state.text !== '' || state.reasoning !== ''
    this.#change(entry, {
      state,
      frames: seq,
      first_frame_at: first_frame_at ?? now,
      first_token_at: first_token_at ?? (spoken ? now : null),
      last_frame_at: now,
    })
  }

  async #end(entry: Entry, end: StreamEnd): Promise<void> {
    entry.stream = null
    if (end.kind === 'unsent') {
      entry.passage = 'unsent'
      this.#change(entry, { phase: 'unsent' })
    }
    if (end.kind === 'refused') this.#change(entry, { phase: 'refused', problem: end.problem })
    if (end.kind === 'ended') await this.#settle(entry, end.run)
    this.#flush()
    for (const listener of this.#endListeners) listener(entry.next.run_id)
    this.#evict()
  }

  /**
   * The end of a run. What its frames do not say is read from the row: a reply that came whole has no frames, and of a
   * workflow whose stream broke off the platform was asked how it ended.
   */
  async #settle(entry: Entry, ended: Run): Promise<void> {
    let run = ended
    if (!entry.next.state.ended && !run.problem && run.status !== 'interrupted' && run.status !== 'unknown')
      run = await this.#conditions.read(run.id).catch((error: unknown) => {
        if (!(error instanceof ProblemError)) throw error
        return ended
      })
    const state = (run.answer as Folded | null | undefined) ?? entry.next.state
    this.#change(entry, { phase: 'ended', run, problem: run.problem, state })
  }

  #change(entry: Entry, change: Partial<RunView<Folded>>): void {
    entry.next = { ...entry.next, ...change }
    if (this.#dirty.size === 0) this.#conditions.soon(() => this.#flush())
    this.#dirty.add(entry)
  }

  #flush(): void {
    const dirty = [...this.#dirty]
    this.#dirty.clear()
    for (const entry of dirty) {
      entry.view = entry.next
      for (const listener of this.#watchers.get(entry.view.run_id) ?? []) listener()
    }
  }

  #letGo(entry: Entry): void {
    clearTimeout(entry.lingering)
    entry.lingering = setTimeout(() => {
      // To cut a POST that is under way could lose it.
      if (entry.next.line.state === 'sending' && entry.next.phase === 'watching') return this.#letGo(entry)
      this.#close(entry)
      this.#evict()
    }, this.#conditions.linger)
  }

  #close(entry: Entry): void {
    clearTimeout(entry.lingering)
    entry.stream?.close()
    entry.stream = null
  }

  /** Forgets the oldest runs that nobody looks at and that the server can tell again. */
  #evict(): void {
    const idle = [...this.#entries.entries()].filter(
      ([run_id, { stream, next }]) => !this.#watchers.has(run_id) && !stream && next.phase !== 'unsent',
    )
    for (const [run_id] of idle.slice(0, Math.max(0, idle.length - KEPT))) this.#entries.delete(run_id)
  }
}

function viewOf(
  run_id: string,
  events: Events<Folded> | undefined,
  sent: RunView['sent'],
  sent_at: number | null,
): RunView<Folded> {
  return {
    run_id,
    phase: 'watching',
    line: { state: sent ? 'sending' : 'connecting' },
    state: events?.initial ?? { text: '', reasoning: '', ended: false },
    frames: 0,
    sent,
    sent_at,
    first_frame_at: null,
    first_token_at: null,
    last_frame_at: null,
    run: null,
    problem: null,
  }
}
