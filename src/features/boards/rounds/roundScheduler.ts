import type { Run } from '#contract/console/runs.ts'
import { Listeners } from '#domain/listeners.ts'
import type { CallTarget } from '../../../client/http.ts'
import type { RunStore } from '../../../client/runStore.ts'
import { RUN_ENTRIES } from '../../runs/runEntries.ts'

/** Rounds that go out one after another: each when the one before has ended. */
export interface RoundRequest {
  entry: Run['entry']
  key: string
  body: Record<string, unknown>
  ids: readonly string[]
  /** The round before them, which goes on. */
  after?: string | undefined
}

interface RoundQueue extends RoundRequest {
  current: string
  remaining: string[]
  release: () => void
}

type RoundRunner = Pick<RunStore, 'watch' | 'start' | 'subscribe' | 'onEnd' | 'view'>

/**
 * Sends the rounds of a page's boards. The server owns a round that was sent; this page owns one that waits, and
 * loses it when it closes.
 */
export class RoundScheduler {
  readonly #runs: RoundRunner
  readonly #queues = new Set<RoundQueue>()
  #reserved: readonly string[] = []
  readonly #listeners = new Listeners()
  #waiting: ReadonlySet<string> = new Set()

  constructor(runs: RoundRunner) {
    this.#runs = runs
    runs.onEnd((run_id) => this.isFinished(run_id))
  }

  readonly subscribe = this.#listeners.subscribe

  /** The rounds that wait here for the one before them. */
  readonly waiting = (): ReadonlySet<string> => this.#waiting

  /** Rounds that start as soon as they are saved: until then only this page has them. */
  reserve(ids: readonly string[]): void {
    this.#reserved = [...this.#reserved, ...ids]
    this.#notify()
  }

  enqueue({ ids, after, ...rounds }: RoundRequest): void {
    const [current, rest] = after === undefined ? [ids[0], ids.slice(1)] : [after, [...ids]]
    this.#reserved = this.#reserved.filter((id) => !ids.includes(id))
    if (current === undefined) return
    const lane: RoundQueue = { ...rounds, ids, current, remaining: rest, release: () => undefined }
    this.#queues.add(lane)
    if (after === undefined) return this.#send(lane)
    this.#runs.watch(RUN_ENTRIES[lane.entry], after)
    this.#watch(lane)
    this.#notify()
  }

  /** Sends the round after this one, however its end was detected: a run without a viewer ends too. */
  isFinished(run_id: string): void {
    for (const lane of [...this.#queues]) if (lane.current === run_id) this.#continue(lane)
  }

  /** Gives up those of these rounds that have not left. */
  cancel(ids: readonly string[]): void {
    this.#reserved = this.#reserved.filter((id) => !ids.includes(id))
    for (const lane of this.#queues) lane.remaining = lane.remaining.filter((id) => !ids.includes(id))
    this.#notify()
  }

  #send(lane: RoundQueue): void {
    const { entry, key, body, current } = lane
    this.#runs.start(
      RUN_ENTRIES[entry],
      { key, body } as unknown as CallTarget<(typeof RUN_ENTRIES)[typeof entry]>,
      current,
    )
    this.#watch(lane)
  }

  /** Observed on every screen: its end sends the next round. */
  #watch(lane: RoundQueue): void {
    lane.release = this.#runs.subscribe(lane.current, () => undefined)
    this.#notify()
  }

  #continue(lane: RoundQueue): void {
    lane.release()
    const next = lane.remaining.shift()
    // If this request did not reach the console, the next one will not either.
    if (next === undefined || this.#runs.view(lane.current)?.phase === 'unsent') this.#queues.delete(lane)
    else {
      lane.current = next
      this.#send(lane)
      return
    }
    this.#notify()
  }

  #notify(): void {
    this.#waiting = new Set([...this.#reserved, ...[...this.#queues].flatMap(({ remaining }) => remaining)])
    this.#listeners.notify()
  }
}
