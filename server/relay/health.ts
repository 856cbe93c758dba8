import type { Problem } from '#contract/problem.ts'
import type { Credential } from '../vault/vault.ts'

/** Milliseconds between two notes of a key that keeps working. */
const NOTE_EVERY = 60_000

type Note = (key_id: string, problem: Problem | null, latency_ms: number | null) => Promise<void>

/** Notes how each key is taken: that it works, now and then, and that it is refused, or works again, at once. */
export class KeyHealth {
  readonly #note: Note
  readonly #now: () => number
  readonly #works = new Map<string, number>()

  constructor(note: Note, now: () => number = Date.now) {
    this.#note = note
    this.#now = now
  }

  /** The platform did what was asked; its answer began after `latency_ms`. */
  works({ key_id }: Pick<Credential, 'key_id'>, latency_ms: number | null): void {
    if (this.#now() - (this.#works.get(key_id) ?? -Infinity) < NOTE_EVERY) return
    this.#works.set(key_id, this.#now())
    void this.#note(key_id, null, latency_ms).catch(() => undefined)
  }

  /** What the platform said to a request; only a 401 speaks of the key. */
  refused({ key_id }: Pick<Credential, 'key_id'>, problem: Problem): void {
    if (problem.upstream?.status !== 401) return
    this.#works.delete(key_id)
    void this.#note(key_id, problem, null).catch(() => undefined)
  }
}
