import type { Post } from '../database/post.ts'
import type { Runner } from './runner.ts'

/** Milliseconds for which a run is spoken of after another server has said that somebody watches it there. */
const SPOKEN_OF = 10_000

/**
 * Says to the other servers when a run that is watched there has more frames, or has ended. A run that nobody watches
 * elsewhere is not spoken of, so that a server on its own says nothing.
 */
export function herald({ live }: Pick<Runner, 'live'>, post: Post, now = () => performance.now()): void {
  const until = new Map<string, number>()
  post.hear('watched', (ids) => {
    for (const id of ids) {
      const run = live.get(id)
      if (!run) continue
      const isKnown = until.has(id)
      until.set(id, now() + SPOKEN_OF)
      if (isKnown) continue
      // What came before this word was heard.
      post.say('news', [id])
      let leave = () => undefined as void
      leave = run.watch((event) => {
        post.say('news', [id])
        if (!('end' in event) && now() < (until.get(id) ?? 0)) return
        until.delete(id)
        leave()
      })
    }
  })
}
