import type { Run } from '#contract/console/runs.ts'
import { Listeners } from '#domain/listeners.ts'
import type { RunStore } from '../../../client/runStore.ts'
import { RUN_ENTRIES } from '../../runs/runEntries.ts'
import { toRunCall } from '../../runs/startRun.ts'
import { runStore } from '../../../client/useRun.ts'

/** Rounds that go out one after another: each when the one before has ended. */
export interface RoundRequest {
  entry: Run['entry']
  /** The board of the rounds. */
  board_id: string
  key: string
  body: Record<string, unknown>
  /** The version of the workflow or chatflow; null or absent for the current one. */
  workflow_id?: string | null
  /** The workspace: rounds that start together on one platform start one after another. */
  platform: string
  ids: readonly string[]
  /** The previous round, which is still running. */
  after?: string | undefined
}

interface RoundQueue extends RoundRequest {
  current: string
  /** Waits for its turn to start. */
  startTimer: ReturnType<typeof setTimeout> | null
  remaining: string[]
  release: () => void
}

/** Between two starts on one platform. Real platforms fail bursts that they could serve a moment later. */
const START_INTERVAL_MS = 400
const MAX_START_INTERVAL_MS = 6_400

type RoundRunner = Pick<RunStore, 'watch' | 'start' | 'subscribe' | 'onEnd' | 'view'>

/**
 * Sends the rounds of a page's boards. The server owns rounds that were sent; this page owns waiting ones, and loses
 * them when it closes.
 */
export class RoundScheduler {
  readonly #runs: RoundRunner
  readonly #queues = new Set<RoundQueue>()
  /** By platform: when the next round may start (Unix ms), and the time between two starts. */
  readonly #nextStartAt = new Map<string, number>()
  readonly #intervalsMs = new Map<string, number>()
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

  /** Rounds that start as soon as their board is saved: until then only this page has them. */
  reserve(ids: readonly string[]): void {
    this.#reserved = [...this.#reserved, ...ids]
    this.#notify()
  }

  /** Sends those of these rounds that are still reserved: others were cancelled while their board was being saved. */
  enqueue(rounds: RoundRequest): void {
    const ids = rounds.ids.filter((id) => this.#reserved.includes(id))
    this.#reserved = this.#reserved.filter((id) => !ids.includes(id))
    if (ids.length > 0) this.#enqueue({ ...rounds, ids })
  }

  #enqueue({ ids, after, ...rounds }: RoundRequest): void {
    const [current, rest] = after === undefined ? [ids[0], ids.slice(1)] : [after, [...ids]]
    if (current === undefined) return
    const queue: RoundQueue = { ...rounds, ids, current, startTimer: null, remaining: rest, release: () => undefined }
    this.#queues.add(queue)
    if (after === undefined) return this.#start(queue)
    this.#runs.watch(RUN_ENTRIES[queue.entry], after)
    this.#watch(queue)
    this.#notify()
  }

  /** Sends the round after this one, however its end was detected: a run without a viewer ends too. */
  isFinished(run_id: string): void {
    for (const queue of [...this.#queues]) if (queue.current === run_id) this.#continue(queue)
  }

  /** Cancels those of these rounds that have not been sent. */
  cancel(ids: readonly string[]): void {
    this.#reserved = this.#reserved.filter((id) => !ids.includes(id))
    for (const queue of this.#queues) {
      queue.remaining = queue.remaining.filter((id) => !ids.includes(id))
      if (queue.startTimer === null || !ids.includes(queue.current)) continue
      clearTimeout(queue.startTimer)
      queue.startTimer = null
      const next = queue.remaining.shift()
      this.#queues.delete(queue)
      if (next !== undefined) this.#enqueue({ ...queue, ids: [next, ...queue.remaining], after: undefined })
    }
    this.#notify()
  }

  /** The platform failed several rounds at once: later ones start half as often. */
  slowDown(platform: string): void {
    const interval = this.#intervalsMs.get(platform) ?? START_INTERVAL_MS
    this.#intervalsMs.set(platform, Math.min(interval * 2, MAX_START_INTERVAL_MS))
  }

  /** Sends the first round of a queue, now or when its turn has come. */
  #start(queue: RoundQueue): void {
    const now = Date.now()
    const startAt = Math.max(now, this.#nextStartAt.get(queue.platform) ?? 0)
    this.#nextStartAt.set(queue.platform, startAt + (this.#intervalsMs.get(queue.platform) ?? START_INTERVAL_MS))
    if (startAt === now) return this.#send(queue)
    queue.startTimer = setTimeout(() => {
      queue.startTimer = null
      this.#send(queue)
    }, startAt - now)
    this.#notify()
  }

  #send(queue: RoundQueue): void {
    const { entry, key, body, workflow_id = null, current, board_id } = queue
    const origin = { kind: 'board' as const, id: board_id }
    this.#runs.start(...toRunCall(entry, { key, body, workflow_id, origin }), current)
    this.#watch(queue)
  }

  /** Observed on every screen: its end sends the next round. */
  #watch(queue: RoundQueue): void {
    queue.release = this.#runs.subscribe(queue.current, () => undefined)
    this.#notify()
  }

  #continue(queue: RoundQueue): void {
    queue.release()
    const next = queue.remaining.shift()
    // If this request did not reach the console, the next one will not either.
    if (next === undefined || this.#runs.view(queue.current)?.phase === 'unsent') this.#queues.delete(queue)
    else {
      queue.current = next
      this.#send(queue)
      return
    }
    this.#notify()
  }

  #notify(): void {
    const unsent = [...this.#queues].flatMap(({ startTimer, current, remaining }) =>
      startTimer === null ? remaining : [current, ...remaining],
    )
    this.#waiting = new Set([...this.#reserved, ...unsent])
    this.#listeners.notify()
  }
}

/** The round scheduler of the page: leaving a board and coming back finds its rounds where they are. */
export const roundScheduler = new RoundScheduler(runStore)
