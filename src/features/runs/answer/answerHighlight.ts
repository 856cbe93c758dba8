import { useEffect, useSyncExternalStore } from 'react'

/** The words of an answer that a selected frame gave: offsets in its text. */
export interface HighlightedRange {
  seq: number
  from: number
  to: number
}

/**
 * What the inspector points at in an answer, and what one points at in the answer for the inspector. They stand in
 * different panes of any screen, so neither has to hand it to the other through everything between.
 */
class HighlightStore {
  readonly #ranges = new Map<string, HighlightedRange>()
  readonly #pickHandlers = new Map<string, (offset: number) => void>()
  readonly #listeners = new Set<() => void>()

  getRange(run_id: string): HighlightedRange | null {
    return this.#ranges.get(run_id) ?? null
  }

  setRange(run_id: string, pointed: HighlightedRange | null): void {
    if (pointed) this.#ranges.set(run_id, pointed)
    else this.#ranges.delete(run_id)
    this.#notify()
  }

  getPickHandler(run_id: string): ((offset: number) => void) | null {
    return this.#pickHandlers.get(run_id) ?? null
  }

  setPickHandler(run_id: string, pick: (offset: number) => void): () => void {
    this.#pickHandlers.set(run_id, pick)
    this.#notify()
    return () => {
      if (this.#pickHandlers.get(run_id) === pick) this.#pickHandlers.delete(run_id)
      this.#notify()
    }
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

const highlightStore = new HighlightStore()
const subscribeToHighlights = (listener: () => void) => highlightStore.subscribe(listener)

/** For an answer: which of its words have the marker, and what choosing a word does; null while nobody asks for it. */
export function useHighlightedRange(run_id: string) {
  const pointed = useSyncExternalStore(subscribeToHighlights, () => highlightStore.getRange(run_id))
  const pick = useSyncExternalStore(subscribeToHighlights, () => highlightStore.getPickHandler(run_id))
  return { pointed, pick }
}

/** For the inspector: puts the marker on words of a run's answer, and hears which words are chosen in it. */
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
