import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import type { FoldStates } from '#domain/stream/eventFolds.ts'
import { emptyRun } from '#domain/workflowRun/runState.ts'
import { call } from './http.ts'
import { type FoldState, type GeneratingEndpoint, RunStore, type RunView } from './runStore.ts'
import { foldLoadedEvent, openLazyStream } from './lazyRunStream.ts'
import { renderThrottle } from './renderThrottle.ts'

const INITIAL_STATES: FoldStates = { answer: emptyAnswer, workflow: emptyRun }

/** The run store of this page. */
export const runStore = new RunStore({
  now: Date.now,
  newId: newRunId,
  open: openLazyStream,
  read: (run_id) => call(runEndpoints.readRun, { params: { run_id } }),
  getFold: (kind) => ({
    initial: INITIAL_STATES[kind],
    fold: (state, event) => foldLoadedEvent(kind, state, event),
  }),
  scheduleFlush: (flush) => renderThrottle.schedule(flush),
  idleTimeoutMs: 5_000,
})

// A connection that waits for its next attempt retries at once when the network or the tab is back.
window.addEventListener('online', () => runStore.retryNow())
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) runStore.retryNow()
})

/**
 * A run of one entry: `view` is this browser's state of it, with at most one new value per animation frame; null while
 * there is none. With `live` the run is watched, also one that another tab or person started.
 */
export function useRun<E extends GeneratingEndpoint>(entry: E, run_id: string | null, live: boolean) {
  const watch = useMemo(
    () => (listener: () => void) => {
      if (run_id === null) return () => undefined
      if (live) runStore.watch(entry, run_id)
      return runStore.subscribe(run_id, listener)
    },
    [entry, run_id, live],
  )
  const read = () => (run_id === null ? null : runStore.view(run_id))
  return useSyncExternalStore(watch, read) as RunView<FoldStates[E['events']]> | null
}

/** Selects one primitive value of a run's view, so that a component re-renders only when it changes. */
export function useRunPart<Part extends string | number | boolean | null>(
  run_id: string | null,
  part: (view: RunView<FoldState> | null) => Part,
): Part {
  const watch = useMemo(
    () => (listener: () => void) => (run_id === null ? () => undefined : runStore.subscribe(run_id, listener)),
    [run_id],
  )
  return useSyncExternalStore(watch, () => part(run_id === null ? null : runStore.view(run_id)))
}

/** Calls back when a watched run has ended. */
export function useRunEnd(listener: (run_id: string) => void): void {
  useEffect(() => runStore.onEnd(listener), [listener])
}

/** A UUID by `getRandomValues`: `randomUUID` is missing where the console is opened by a plain http:// name. */
export function newRunId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
