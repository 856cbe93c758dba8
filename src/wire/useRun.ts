import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { contract } from '#contract/index.ts'
import type { State } from '#contract/endpoint.ts'
import { call } from './call.ts'
import { type Folded, type Generating, Runs, type RunView } from './runs.ts'
import { channel } from './channel.ts'
import { pace } from './pace.ts'
import { openStream } from './stream.ts'

/** The page's one store of runs. */
export const runs = new Runs({
  now: Date.now,
  newId: newRunId,
  open: openStream,
  read: (run_id) => call(contract.console.readRun, { params: { run_id } }),
  soon: (flush) => pace.soon(flush),
  linger: 5_000,
})

// A line that waits for its next try tries at once when the network or the person comes back.
window.addEventListener('online', () => runs.tryNow())
window.addEventListener('offline', () => channel.drop())
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) runs.tryNow()
})

/**
 * A run of one entry: `view` is what this browser has of it, at most one new value per animation frame; null while this
 * browser has nothing of it. With `live` the run is watched (also one that another tab or person began).
 */
export function useRun<E extends Generating>(entry: E, run_id: string | null, live: boolean) {
  const watch = useMemo(
    () => (listener: () => void) => {
      if (run_id === null) return () => undefined
      if (live) runs.attach(entry, run_id)
      return runs.subscribe(run_id, listener)
    },
    [entry, run_id, live],
  )
  const read = () => (run_id === null ? null : runs.view(run_id))
  return useSyncExternalStore(watch, read) as RunView<State<E>> | null
}

/** One plain value of a run's view, so that a component is drawn again only when that changes. */
export function useRunPart<Part extends string | number | boolean | null>(
  run_id: string | null,
  part: (view: RunView<Folded> | null) => Part,
): Part {
  const watch = useMemo(
    () => (listener: () => void) => (run_id === null ? () => undefined : runs.subscribe(run_id, listener)),
    [run_id],
  )
  return useSyncExternalStore(watch, () => part(run_id === null ? null : runs.view(run_id)))
}

/** Calls back when a run that this page watches has ended. */
export function useRunEnd(listener: (run_id: string) => void): void {
  useEffect(() => runs.onEnd(listener), [listener])
}

/** A UUID by `getRandomValues`: `randomUUID` is missing where the console is opened by a plain http:// name. */
export function newRunId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
