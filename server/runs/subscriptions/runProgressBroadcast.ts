import type { MessageBus } from '../../db/messageBus.ts'
import type { RunExecutor } from '../runExecutor.ts'

/** Milliseconds for which a run is spoken of after another server has said that somebody watches it there. */
const BROADCAST_TTL_MS = 10_000

/**
 * Says to the other servers when a run that is watched there has more frames, or has ended. A run that nobody watches
 * elsewhere is not spoken of, so that a server on its own says nothing.
 */
export function broadcastRunProgress(
  { liveRuns }: Pick<RunExecutor, 'liveRuns'>,
  messageBus: MessageBus,
  now = () => performance.now(),
): void {
  const broadcastUntil = new Map<string, number>()
  messageBus.subscribe('watched', (ids) => {
    for (const id of ids) {
      const run = liveRuns.get(id)
      if (!run) continue
      const isKnown = broadcastUntil.has(id)
      broadcastUntil.set(id, now() + BROADCAST_TTL_MS)
      if (isKnown) continue
      // What came before this word was heard.
      messageBus.publish('news', [id])
      let unsubscribe = () => undefined as void
      unsubscribe = run.subscribe((event) => {
        messageBus.publish('news', [id])
        if (!('end' in event) && now() < (broadcastUntil.get(id) ?? 0)) return
        broadcastUntil.delete(id)
        unsubscribe()
      })
    }
  })
}
