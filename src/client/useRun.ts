import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import type { FoldStates } from '#domain/stream/eventFolds.ts'
import { emptyRun } from '#domain/workflowRun/runState.ts'
import type { StreamKind } from '#contract/endpoint.ts'
import { call } from './http.ts'
import { type FoldState, type GeneratingEndpoint, renderThrottle, RunStore, type RunView } from './runStore.ts'
import type { foldStreamEvent, openStream, RunSubscription, StreamListener, StreamSource } from './runStream.ts'

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
 * A run of one entry: `view` is this browser's state of it, with at most one new value per animation frame; null
 * without a run. With `live` the run is watched, even if another tab or person started it.
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

/** Delay before the code is requested again (ms), unless the network returns earlier. */
const RETRY_DELAY_MS = 3_000

interface RunStreamCode {
  openStream: typeof openStream
  foldStreamEvent: typeof foldStreamEvent
}

let loadedCode: RunStreamCode | null = null

/** Loads the code that watches runs and folds their events: no page needs it before its first run. */
async function loadRunStream(): Promise<RunStreamCode> {
  if (loadedCode) return loadedCode
  const [code, { liveConnection }] = await Promise.all([import('./runStream.ts'), import('./live/liveConnection.ts')])
  if (!loadedCode) window.addEventListener('offline', () => liveConnection.disconnect())
  return (loadedCode = code)
}

/** Starts loading that code; a failure is met again by the run that needs it. */
export const preloadRunStream = (): void => void loadRunStream().catch(() => undefined)

/** Folds an event of a stream: events come from a stream that is open, so its code is loaded. */
function foldLoadedEvent(kind: StreamKind, state: FoldState, event: unknown): FoldState {
  return loadedCode ? loadedCode.foldStreamEvent(kind, state, event) : state
}

/**
 * Watches a run as `openStream` does, once its code is loaded. If that fails, a request that would start the run is unsent;
 * a run that the server has is watched as soon as the code loads.
 */
function openLazyStream(source: StreamSource, listener: StreamListener): RunSubscription {
  let stream: RunSubscription | null = null
  let isClosed = false
  let wake = () => undefined as void
  const open = async () => {
    for (let attempt = 1; !isClosed; attempt++) {
      const code = await loadRunStream().catch(() => null)
      if (isClosed) return
      if (code) return void (stream = code.openStream(source, listener))
      if (source.post) return listener.onEnd({ kind: 'unsent' })
      listener.onConnection({ state: 'reconnecting', attempt, retry_at: Date.now() + RETRY_DELAY_MS })
      await new Promise<void>((resolve) => {
        wake = resolve
        setTimeout(resolve, RETRY_DELAY_MS)
      })
    }
  }
  void open()
  return {
    close: () => {
      isClosed = true
      stream?.close()
    },
    retryNow: () => (stream ? stream.retryNow() : wake()),
  }
}
