import { useEffect, useSyncExternalStore } from 'react'
import { Listeners } from '#domain/listeners.ts'

/** The range of an answer from the selected frame: offsets in its text. */
interface HighlightedRange {
  seq: number
  from: number
  to: number
}

/**
 * Shares the highlight between the answer and the inspector. They are in different panes of any screen, so a store
 * replaces props through every level.
 */
class HighlightStore {
  readonly #ranges = new Map<string, HighlightedRange>()
  readonly #pickHandlers = new Map<string, (offset: number) => void>()
  readonly #listeners = new Listeners()
  readonly subscribe = this.#listeners.subscribe

  getRange(run_id: string): HighlightedRange | null {
    return this.#ranges.get(run_id) ?? null
  }

  setRange(run_id: string, pointed: HighlightedRange | null): void {
    if (pointed) this.#ranges.set(run_id, pointed)
    else this.#ranges.delete(run_id)
    this.#listeners.notify()
  }

  getPickHandler(run_id: string): ((offset: number) => void) | null {
    return this.#pickHandlers.get(run_id) ?? null
  }

  setPickHandler(run_id: string, pick: (offset: number) => void): () => void {
    this.#pickHandlers.set(run_id, pick)
    this.#listeners.notify()
    return () => {
      if (this.#pickHandlers.get(run_id) === pick) this.#pickHandlers.delete(run_id)
      this.#listeners.notify()
    }
  }
}

const highlightStore = new HighlightStore()

/** For an answer: its highlighted range, and the click handler for a word; null without an inspector. */
export function useHighlightedRange(run_id: string) {
  const pointed = useSyncExternalStore(highlightStore.subscribe, () => highlightStore.getRange(run_id))
  const pick = useSyncExternalStore(highlightStore.subscribe, () => highlightStore.getPickHandler(run_id))
  return { pointed, pick }
}

/** For the inspector: highlights a range of a run's answer, and receives clicks on its words. */
export function useHighlightControl(
  run_id: string,
  range: HighlightedRange | null,
  onPick: (offset: number) => void,
): void {
  const { seq, from, to } = range ?? { seq: 0, from: 0, to: 0 }
  useEffect(() => {
    highlightStore.setRange(run_id, seq > 0 ? { seq, from, to } : null)
    return () => highlightStore.setRange(run_id, null)
  }, [run_id, seq, from, to])
  useEffect(() => highlightStore.setPickHandler(run_id, onPick), [run_id, onPick])
}
