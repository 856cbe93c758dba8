import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { Frame } from '#contract/runs.ts'
import { call } from './call.ts'

/** The frames that this page has of a run. `frames` only ever grows at its end: the first `count` of it are this value's. */
export interface FramesView {
  frames: readonly Frame[]
  count: number
  /** More are being read. */
  isReading: boolean
  problem: Problem | null
}

/** What the store needs of the world. */
export interface FramesConditions {
  /** A page may be shorter than `limit`; `total` is how many the run has, 0 while it goes on. */
  read: (run_id: string, after: number, limit: number) => Promise<{ data: Frame[]; total: number }>
  pause: (ms: number) => Promise<void>
}

interface Entry {
  frames: Frame[]
  wanted: number
  /** How many were wanted when the server had no more. */
  exhausted: number
  isBusy: boolean
  view: FramesView
}

/** The most that the server gives at once; the first page is short, so that there is something to see. */
export const PAGE = 5_000
export const FIRST_PAGE = 500
/** Pages that are asked for at a time: while one is read here, the server makes the next. */
const AHEAD = 3
/** A run that goes on is asked again after so many milliseconds, whatever its speed. */
const REST = 250
/** Runs whose frames are kept. */
const KEPT = 3

const NONE: FramesView = { frames: [], count: 0, isReading: false, problem: null }

/**
 * The frames of runs with the server's own times, read page by page and kept for the runs looked at last. The run's line
 * says how many there are; what they are, and when they came, is asked here: a line that was lost has no times of its own.
 */
export class FrameStore {
  readonly #entries = new Map<string, Entry>()
  readonly #watchers = new Map<string, Set<() => void>>()
  readonly #conditions: FramesConditions

  constructor(conditions: FramesConditions) {
    this.#conditions = conditions
  }

  view(run_id: string): FramesView {
    return this.#entries.get(run_id)?.view ?? NONE
  }

  subscribe(run_id: string, listener: () => void): () => void {
    const watchers = this.#watchers.get(run_id) ?? new Set()
    this.#watchers.set(run_id, watchers.add(listener))
    return () => {
      watchers.delete(listener)
      if (watchers.size === 0) this.#watchers.delete(run_id)
    }
  }

  /** Has the run's frames up to number `wanted` read, those that are not here yet. */
  want(run_id: string, wanted: number): void {
    const entry = this.#entries.get(run_id) ?? { frames: [], wanted: 0, exhausted: 0, isBusy: false, view: NONE }
    this.#entries.delete(run_id)
    this.#entries.set(run_id, entry)
    this.#evict()
    entry.wanted = Math.max(entry.wanted, wanted)
    if (!entry.isBusy && lacks(entry)) void this.#read(run_id, entry)
  }

  async #read(run_id: string, entry: Entry): Promise<void> {
    entry.isBusy = true
    this.#show(run_id, entry, null)
    try {
      // Who looks away stops it: what is here is kept.
      while (lacks(entry) && this.#watchers.has(run_id)) {
        const { wanted } = entry
        const pages = await Promise.all(
          pagesOf(entry).map(([after, limit]) => this.#conditions.read(run_id, after, limit)),
        )
        const before = entry.frames.length
        // A page that ends early, because its frames are large, leaves the next one without its beginning: it is read again.
        for (const { data } of pages)
          for (const frame of data) if (frame.seq === entry.frames.length + 1) entry.frames.push(frame)
        if (entry.frames.length === before) entry.exhausted = wanted
        this.#show(run_id, entry, null)
        // More of a run that is over is there at once.
        if (pages.every(({ total }) => entry.frames.length >= total)) await this.#conditions.pause(REST)
      }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      this.#show(run_id, entry, error.problem)
    } finally {
      entry.isBusy = false
    }
  }

  #show(run_id: string, entry: Entry, problem: Problem | null): void {
    const { frames } = entry
    entry.view = { frames, count: frames.length, isReading: problem === null && lacks(entry), problem }
    for (const listener of this.#watchers.get(run_id) ?? []) listener()
  }

  #evict(): void {
    const idle = [...this.#entries.keys()].filter((run_id) => !this.#watchers.has(run_id))
    for (const run_id of idle.slice(0, Math.max(0, this.#entries.size - KEPT))) this.#entries.delete(run_id)
  }
}

/** The pages to ask for, as their `after` and `limit`. */
function pagesOf({ frames, wanted }: Entry): [number, number][] {
  if (frames.length === 0) return [[0, FIRST_PAGE]]
  const count = Math.min(AHEAD, Math.ceil((wanted - frames.length) / PAGE))
  return Array.from({ length: count }, (_, index) => [frames.length + index * PAGE, PAGE])
}

const lacks = ({ frames, wanted, exhausted }: Entry): boolean => frames.length < wanted && wanted > exhausted

const store = new FrameStore({
  read: (run_id, after, limit) => call(contract.console.listFrames, { params: { run_id }, query: { after, limit } }),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
})

/** The frames of a run up to number `wanted`; it may grow. With `run_id` null there are none. */
export function useFrames(run_id: string | null, wanted: number): FramesView & { retry: () => void } {
  const watch = useMemo(
    () => (listener: () => void) => (run_id === null ? () => undefined : store.subscribe(run_id, listener)),
    [run_id],
  )
  const view = useSyncExternalStore(watch, () => (run_id === null ? NONE : store.view(run_id)))
  useEffect(() => {
    if (run_id !== null) store.want(run_id, wanted)
  }, [run_id, wanted])
  return { ...view, retry: () => run_id !== null && store.want(run_id, wanted) }
}
