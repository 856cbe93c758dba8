import type { Problem } from '#contract/problem.ts'
import type { PlatformCredential } from '../../vault/vault.ts'

/** Milliseconds between two updates for a key that keeps working. */
const SUCCESS_INTERVAL_MS = 60_000

type RecordKeyHealth = (key_id: string, problem: Problem | null, latency_ms: number | null) => Promise<void>

/** Records the health of each key: successes at intervals; a rejection, or a success after one, immediately. */
export class KeyHealth {
  readonly #recordHealth: RecordKeyHealth
  readonly #now: () => number
  readonly #lastSuccessAt = new Map<string, number>()

  constructor(note: RecordKeyHealth, now: () => number = Date.now) {
    this.#recordHealth = note
    this.#now = now
  }

  /** The platform accepted the request; its response began after `latency_ms`. */
  recordSuccess({ key_id }: Pick<PlatformCredential, 'key_id'>, latency_ms: number | null): void {
    if (this.#now() - (this.#lastSuccessAt.get(key_id) ?? -Infinity) < SUCCESS_INTERVAL_MS) return
    this.#lastSuccessAt.set(key_id, this.#now())
    void this.#recordHealth(key_id, null, latency_ms).catch(() => undefined)
  }

  /** The platform's error response; only a 401 concerns the key. */
  recordRefusal({ key_id }: Pick<PlatformCredential, 'key_id'>, problem: Problem): void {
    if (problem.upstream?.status !== 401) return
    this.#lastSuccessAt.delete(key_id)
    void this.#recordHealth(key_id, problem, null).catch(() => undefined)
  }
}
