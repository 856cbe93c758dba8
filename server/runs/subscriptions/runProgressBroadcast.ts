import type { MessageBus } from '../../db/messageBus.ts'
import type { RunExecutor } from '../runExecutor.ts'

/** Milliseconds for which a run is broadcast after another server has reported a subscriber. */
const BROADCAST_TTL_MS = 10_000

/**
 * Notifies the other servers when a run that is watched there has more frames, or has ended. A run without subscribers
 * elsewhere is not broadcast, so that a single server sends nothing.
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
      // Frames that were stored before this notification arrived.
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
