import { preloadAnswer } from '../../runs/answer/AnswerView.tsx'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'

/** What shows a turn and a run comes with the first of them: a new conversation begins without. */
export const LazyTurnView = lazyWithPreload(async () => (await import('./transcript/TurnView.tsx')).TurnView)
export const LazyRunInspector = lazyWithPreload(
  async () => (await import('../../runs/inspector/RunInspector.tsx')).RunInspector,
)

/** Has them on their way beside the first requests, not after them. */
export function preloadTurnParts(): void {
  void LazyTurnView.preload()
  void LazyRunInspector.preload()
  preloadAnswer()
}
