import type { StreamKind } from '#contract/endpoint.ts'
import type { FoldState } from './runStore.ts'
import type { foldStreamEvent, openStream, RunSubscription, StreamListener, StreamSource } from './runStream.ts'

/** Delay before the code is requested again (ms), unless the network returns earlier. */
const RETRY_DELAY_MS = 3_000

interface RunStreamCode {
  openStream: typeof openStream
  foldStreamEvent: typeof foldStreamEvent
}

let loadedCode: RunStreamCode | null = null

/** Loads the code that watches runs and folds their events: no page needs it before its first run. */
export async function loadRunStream(): Promise<RunStreamCode> {
  if (loadedCode) return loadedCode
  const [code, { liveConnection }] = await Promise.all([import('./runStream.ts'), import('./live/liveConnection.ts')])
  if (!loadedCode) window.addEventListener('offline', () => liveConnection.disconnect())
  return (loadedCode = code)
}

/** Starts loading that code; a failure is met again by the run that needs it. */
export const preloadRunStream = (): void => void loadRunStream().catch(() => undefined)

/** Folds an event of a stream: events come from a stream that is open, so its code is loaded. */
export function foldLoadedEvent(kind: StreamKind, state: FoldState, event: unknown): FoldState {
  return loadedCode ? loadedCode.foldStreamEvent(kind, state, event) : state
}

/**
 * Watches a run as `openStream` does, once its code is loaded. If that fails, a request that would start the run is unsent;
 * a run that the server has is watched as soon as the code loads.
 */
export function openLazyStream(source: StreamSource, listener: StreamListener): RunSubscription {
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
