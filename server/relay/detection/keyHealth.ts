import type { Problem } from '#contract/problem.ts'
import type { PlatformCredential } from '../../vault/vault.ts'

/** Milliseconds between two notes of a key that keeps working. */
const SUCCESS_INTERVAL_MS = 60_000

type RecordKeyHealth = (key_id: string, problem: Problem | null, latency_ms: number | null) => Promise<void>

/** Notes how each key is taken: that it works, now and then, and that it is refused, or works again, at once. */
export class KeyHealth {
  readonly #recordHealth: RecordKeyHealth
  readonly #now: () => number
  readonly #lastSuccessAt = new Map<string, number>()

  constructor(note: RecordKeyHealth, now: () => number = Date.now) {
    this.#recordHealth = note
    this.#now = now
  }

  /** The platform did what was asked; its answer began after `latency_ms`. */
  recordSuccess({ key_id }: Pick<PlatformCredential, 'key_id'>, latency_ms: number | null): void {
    if (this.#now() - (this.#lastSuccessAt.get(key_id) ?? -Infinity) < SUCCESS_INTERVAL_MS) return
    this.#lastSuccessAt.set(key_id, this.#now())
    void this.#recordHealth(key_id, null, latency_ms).catch(() => undefined)
  }

  /** What the platform said to a request; only a 401 speaks of the key. */
  recordRefusal({ key_id }: Pick<PlatformCredential, 'key_id'>, problem: Problem): void {
    if (problem.upstream?.status !== 401) return
    this.#lastSuccessAt.delete(key_id)
    void this.#recordHealth(key_id, problem, null).catch(() => undefined)
  }
}
