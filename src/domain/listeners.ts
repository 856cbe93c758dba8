/** The listeners of a store. A listener added during a notification hears the next one. */
export class Listeners<Args extends unknown[] = []> {
  readonly #listeners = new Set<(...args: Args) => void>()

  get size(): number {
    return this.#listeners.size
  }

  /** Bound, for `useSyncExternalStore`. @returns a function that unsubscribes */
  readonly subscribe = (listener: (...args: Args) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  notify(...args: Args): void {
    for (const listener of [...this.#listeners]) listener(...args)
  }
}

/** Listeners by key, for a store of many entries: a change of one entry notifies only its own listeners. */
export class KeyedListeners {
  readonly #listenersByKey = new Map<string, Listeners>()

  has(key: string): boolean {
    return this.#listenersByKey.has(key)
  }

  /** @returns a function that unsubscribes */
  subscribe(key: string, listener: () => void): () => void {
    const listeners = this.#listenersByKey.get(key) ?? new Listeners()
    this.#listenersByKey.set(key, listeners)
    const unsubscribe = listeners.subscribe(listener)
    return () => {
      unsubscribe()
      if (listeners.size === 0 && this.#listenersByKey.get(key) === listeners) this.#listenersByKey.delete(key)
    }
  }

  notify(key: string): void {
    this.#listenersByKey.get(key)?.notify()
  }
}
