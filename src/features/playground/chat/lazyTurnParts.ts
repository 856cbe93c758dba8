import { preloadAnswer } from '../../runs/answer/AnswerView.tsx'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'

/** The views of a turn load with the first turn: a new conversation starts without them. */
export const LazyTurnView = lazyWithPreload(async () => (await import('./transcript/TurnView.tsx')).TurnView)
export const LazyRunInspector = lazyWithPreload(
  async () => (await import('../../runs/inspector/RunInspector.tsx')).RunInspector,
)
/** Only a conversation that was begun from a dataset. */
export const LazyAboutNote = lazyWithPreload(async () => (await import('./composer/AboutNote.tsx')).AboutNote)
/** Only chatflows have variables. */
export const LazyVariablesTab = lazyWithPreload(async () => (await import('./variables/VariablesTab.tsx')).VariablesTab)

/** Loads them in parallel with the first requests, not after them. */
export function preloadTurnParts(): void {
  void LazyTurnView.preload()
  void LazyRunInspector.preload()
  preloadAnswer()
}
