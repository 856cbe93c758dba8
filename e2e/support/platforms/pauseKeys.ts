/** Seconds for which the released 1.16.0 and 1.16.1 keep each of their three keys after a pause. */
const LIFETIMES_S = { stopped: 600, commands: 3600, pending: 3600 } as const
type PauseKey = keyof typeof LIFETIMES_S

/**
 * The keys that the released 1.16.0 and 1.16.1 set at the pause of a workflow, and by which they abort it when it goes on: the
 * flag of the task and its command with its mark. Both must be gone, or the run does not succeed.
 */
export class PauseKeys {
  #setAt = -Infinity
  readonly #removed = new Set<PauseKey>()

  set(now: number): void {
    this.#setAt = now
    this.#removed.clear()
  }

  remove(...keys: PauseKey[]): void {
    for (const key of keys) this.#removed.add(key)
  }

  /** The error of the record of a run that goes on now; null if it is not aborted. */
  findAbortError(now: number): string | null {
    const has = (key: PauseKey) => !this.#removed.has(key) && now < this.#setAt + LIFETIMES_S[key] * 1000
    if (has('stopped')) return 'Aborted: Client response stream closed before app execution completed'
    return has('commands') && has('pending') ? 'Aborted: App task was stopped' : null
  }
}
