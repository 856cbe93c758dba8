import { preloadAnswer } from '../../run/Answer.tsx'
import { part } from '../../ui/part.tsx'

/** What shows a turn and a run comes with the first of them: a new conversation begins without. */
export const TurnView = part(async () => (await import('./TurnView.tsx')).TurnView)
export const Inspector = part(async () => (await import('../../run/Inspector.tsx')).Inspector)

/** Has them on their way beside the first requests, not after them. */
export function preloadTurns(): void {
  void TurnView.preload()
  void Inspector.preload()
  preloadAnswer()
}
