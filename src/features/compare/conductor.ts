import type { Run } from '#contract/runs.ts'
import type { Target } from '../../wire/call.ts'
import type { Runs } from '../../wire/runs.ts'
import { ENTRIES } from '../../run/entries.ts'

/** Rounds that go out one after another: each when the one before has ended. */
export interface Rounds {
  entry: Run['entry']
  key: string
  body: Record<string, unknown>
  ids: readonly string[]
  /** The round before them, which goes on. */
  after?: string | undefined
}

interface Lane extends Rounds {
  current: string
  rest: string[]
  release: () => void
}

type Player = Pick<Runs, 'attach' | 'begin' | 'subscribe' | 'onEnd' | 'view'>

/**
 * Sends the rounds of a page's boards. A round that has left is the server's; one that waits for the round before it is
 * this page's, and leaves with it.
 */
export class Conductor {
  readonly #runs: Player
  readonly #lanes = new Set<Lane>()
  #planned: readonly string[] = []
  readonly #listeners = new Set<() => void>()
  #waiting: ReadonlySet<string> = new Set()

  constructor(runs: Player) {
    this.#runs = runs
    runs.onEnd((run_id) => this.over(run_id))
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The rounds that wait here for the one before them. */
  readonly waiting = (): ReadonlySet<string> => this.#waiting

  /** Rounds that will be played as soon as they are kept: until then nobody else has them. */
  plan(ids: readonly string[]): void {
    this.#planned = [...this.#planned, ...ids]
    this.#tell()
  }

  play({ ids, after, ...rounds }: Rounds): void {
    const [current, rest] = after === undefined ? [ids[0], ids.slice(1)] : [after, [...ids]]
    this.#planned = this.#planned.filter((id) => !ids.includes(id))
    if (current === undefined) return
    const lane: Lane = { ...rounds, ids, current, rest, release: () => undefined }
    this.#lanes.add(lane)
    if (after === undefined) return this.#send(lane)
    this.#runs.attach(ENTRIES[lane.entry], after)
    this.#watch(lane)
    this.#tell()
  }

  /** Sends what waits for this round, however its end was learned: a run that nobody watches any more ends all the same. */
  over(run_id: string): void {
    for (const lane of [...this.#lanes]) if (lane.current === run_id) this.#goOn(lane)
  }

  /** Gives up those of these rounds that have not left. */
  hold(ids: readonly string[]): void {
    this.#planned = this.#planned.filter((id) => !ids.includes(id))
    for (const lane of this.#lanes) lane.rest = lane.rest.filter((id) => !ids.includes(id))
    this.#tell()
  }

  #send(lane: Lane): void {
    const { entry, key, body, current } = lane
    this.#runs.begin(ENTRIES[entry], { key, body } as unknown as Target<(typeof ENTRIES)[typeof entry]>, current)
    this.#watch(lane)
  }

  /** Watched whatever is on the screen: its end sends the next round. */
  #watch(lane: Lane): void {
    lane.release = this.#runs.subscribe(lane.current, () => undefined)
    this.#tell()
  }

  #goOn(lane: Lane): void {
    lane.release()
    const next = lane.rest.shift()
    // What did not reach the console will not reach it for the next round either.
    if (next === undefined || this.#runs.view(lane.current)?.phase === 'unsent') this.#lanes.delete(lane)
    else {
      lane.current = next
      this.#send(lane)
      return
    }
    this.#tell()
  }

  #tell(): void {
    this.#waiting = new Set([...this.#planned, ...[...this.#lanes].flatMap(({ rest }) => rest)])
    for (const listener of this.#listeners) listener()
  }
}
