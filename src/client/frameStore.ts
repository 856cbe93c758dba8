import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { KeyedListeners } from '#domain/listeners.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { Frame } from '#contract/console/runs.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { maskFormTokenText } from '#domain/workflowRun/formTokens.ts'
import { call } from './http.ts'

/** The loaded frames of a run. `frames` is append-only; the first `count` belong to this value. */
export interface FramesView {
  frames: readonly Frame[]
  count: number
  /** More are loading. */
  isReading: boolean
  problem: Problem | null
}

/** Dependencies of the store. */
export interface FrameStoreDeps {
  /** A page may be shorter than `limit`; `total` is the number of frames of the run, 0 while it is active. */
  read: (run_id: string, after: number, limit: number) => Promise<{ data: Frame[]; total: number }>
  pause: (ms: number) => Promise<void>
}

interface FrameEntry {
  frames: Frame[]
  requested: number
  /** How many were requested when the server had no more. */
  exhausted: number
  isBusy: boolean
  view: FramesView
}

/** Maximum page size of the server; the first page is small, so that it appears early. */
export const FRAME_PAGE_SIZE = 5_000
export const FIRST_FRAME_PAGE_SIZE = 500
/** Concurrent page requests: the server prepares the next page while this one is read. */
const MAX_PARALLEL_PAGES = 3
/** Poll interval of an active run, in ms. */
const LIVE_POLL_INTERVAL_MS = 250
/** Maximum runs whose frames are cached. */
const MAX_CACHED_RUNS = 3

const NO_FRAMES: FramesView = { frames: [], count: 0, isReading: false, problem: null }

/**
 * Cache of frames with the server's timestamps, loaded page by page for the most recent runs. Frames of the live
 * connection have no server timestamps, so they are read from the API.
 */
export class FrameStore {
  readonly #entries = new Map<string, FrameEntry>()
  readonly #listeners = new KeyedListeners()
  readonly #deps: FrameStoreDeps

  constructor(conditions: FrameStoreDeps) {
    this.#deps = conditions
  }

  view(run_id: string): FramesView {
    return this.#entries.get(run_id)?.view ?? NO_FRAMES
  }

  subscribe(run_id: string, listener: () => void): () => void {
    return this.#listeners.subscribe(run_id, listener)
  }

  /** Loads the missing frames of the run up to number `wanted`. */
  load(run_id: string, requested: number): void {
    const entry = this.#entries.get(run_id) ?? {
      frames: [],
      requested: 0,
      exhausted: 0,
      isBusy: false,
      view: NO_FRAMES,
    }
    this.#entries.delete(run_id)
    this.#entries.set(run_id, entry)
    this.#evict()
    entry.requested = Math.max(entry.requested, requested)
    if (!entry.isBusy && isIncomplete(entry)) void this.#read(run_id, entry)
  }

  async #read(run_id: string, entry: FrameEntry): Promise<void> {
    entry.isBusy = true
    this.#publish(run_id, entry, null)
    try {
      // Unsubscribing stops it; loaded frames are kept.
      while (isIncomplete(entry) && this.#listeners.has(run_id)) {
        const { requested } = entry
        const pages = await Promise.all(
          listNextPages(entry).map(([after, limit]) => this.#deps.read(run_id, after, limit)),
        )
        const before = entry.frames.length
        // A page can end early because its frames are large; then the next page is read again from there.
        for (const { data } of pages)
          for (const frame of data) if (frame.seq === entry.frames.length + 1) entry.frames.push(frame)
        if (entry.frames.length === before) entry.exhausted = requested
        this.#publish(run_id, entry, null)
        // More frames of an ended run are available at once.
        if (pages.every(({ total }) => entry.frames.length >= total)) await this.#deps.pause(LIVE_POLL_INTERVAL_MS)
      }
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      this.#publish(run_id, entry, error.problem)
    } finally {
      entry.isBusy = false
    }
  }

  #publish(run_id: string, entry: FrameEntry, problem: Problem | null): void {
    const { frames } = entry
    entry.view = { frames, count: frames.length, isReading: problem === null && isIncomplete(entry), problem }
    this.#listeners.notify(run_id)
  }

  #evict(): void {
    const idle = [...this.#entries.keys()].filter((run_id) => !this.#listeners.has(run_id))
    for (const run_id of idle.slice(0, Math.max(0, this.#entries.size - MAX_CACHED_RUNS))) this.#entries.delete(run_id)
  }
}

/** The pages to request, as `after` and `limit`. */
function listNextPages({ frames, requested }: FrameEntry): [number, number][] {
  if (frames.length === 0) return [[0, FIRST_FRAME_PAGE_SIZE]]
  const count = Math.min(MAX_PARALLEL_PAGES, Math.ceil((requested - frames.length) / FRAME_PAGE_SIZE))
  return Array.from({ length: count }, (_, index) => [frames.length + index * FRAME_PAGE_SIZE, FRAME_PAGE_SIZE])
}

const isIncomplete = ({ frames, requested, exhausted }: FrameEntry): boolean =>
  frames.length < requested && requested > exhausted

const frameStore = new FrameStore({
  read: async (run_id, after, limit) => {
    const page = await call(runEndpoints.listFrames, { params: { run_id }, query: { after, limit } })
    return { ...page, data: page.data.map((frame) => ({ ...frame, block: maskFormTokenText(frame.block) })) }
  },
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
})

/** The frames of a run up to number `wanted`, which may grow. None with `run_id` null. */
export function useFrames(run_id: string | null, requested: number): FramesView & { retry: () => void } {
  const watch = useMemo(
    () => (listener: () => void) => (run_id === null ? () => undefined : frameStore.subscribe(run_id, listener)),
    [run_id],
  )
  const view = useSyncExternalStore(watch, () => (run_id === null ? NO_FRAMES : frameStore.view(run_id)))
  useEffect(() => {
    if (run_id !== null) frameStore.load(run_id, requested)
  }, [run_id, requested])
  return { ...view, retry: () => run_id !== null && frameStore.load(run_id, requested) }
}
