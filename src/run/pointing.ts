import { useEffect, useSyncExternalStore } from 'react'

/** The words of an answer that a selected frame gave: offsets in its text. */
export interface Pointed {
  seq: number
  from: number
  to: number
}

/**
 * What the inspector points at in an answer, and what one points at in the answer for the inspector. They stand in
 * different panes of any screen, so neither has to hand it to the other through everything between.
 */
class Pointing {
  readonly #pointed = new Map<string, Pointed>()
  readonly #picks = new Map<string, (offset: number) => void>()
  readonly #watchers = new Set<() => void>()

  at(run_id: string): Pointed | null {
    return this.#pointed.get(run_id) ?? null
  }

  point(run_id: string, pointed: Pointed | null): void {
    if (pointed) this.#pointed.set(run_id, pointed)
    else this.#pointed.delete(run_id)
    this.#tell()
  }

  pickOf(run_id: string): ((offset: number) => void) | null {
    return this.#picks.get(run_id) ?? null
  }

  takePicks(run_id: string, pick: (offset: number) => void): () => void {
    this.#picks.set(run_id, pick)
    this.#tell()
    return () => {
      if (this.#picks.get(run_id) === pick) this.#picks.delete(run_id)
      this.#tell()
    }
  }

  subscribe(listener: () => void): () => void {
    this.#watchers.add(listener)
    return () => this.#watchers.delete(listener)
  }

  #tell(): void {
    for (const listener of this.#watchers) listener()
  }
}

const pointing = new Pointing()
const watch = (listener: () => void) => pointing.subscribe(listener)

/** For an answer: which of its words have the marker, and what choosing a word does; null while nobody asks for it. */
export function usePointed(run_id: string) {
  const pointed = useSyncExternalStore(watch, () => pointing.at(run_id))
  const pick = useSyncExternalStore(watch, () => pointing.pickOf(run_id))
  return { pointed, pick }
}

/** For the inspector: puts the marker on words of a run's answer, and hears which words are chosen in it. */
export function usePointing(run_id: string, pointed: Pointed | null, onPick: (offset: number) => void): void {
  const { seq, from, to } = pointed ?? { seq: 0, from: 0, to: 0 }
  useEffect(() => {
    pointing.point(run_id, seq > 0 ? { seq, from, to } : null)
    return () => pointing.point(run_id, null)
  }, [run_id, seq, from, to])
  useEffect(() => pointing.takePicks(run_id, onPick), [run_id, onPick])
}
