import type { Observed } from '#contract/observed.ts'
import type { Credential } from '../vault/vault.ts'
import type { Answer } from './upstream.ts'

/** Milliseconds until a reply is looked at again though it says the same: what it names was then seen later. */
const FRESH = 20_000
/** Bytes of one reply that is held, and of all of them. */
const LARGEST = 256 * 1024
const ALL = 8 * 1024 * 1024

/** What is known of a reply: how it goes on, without the key, and in what it differs from the contract. */
interface Known {
  status: number
  said: Buffer
  found: readonly Observed[]
}
interface Held extends Known {
  bytes: Buffer
  version: string | null
  secret: string
  at: number
}

/**
 * A screen that polls hears the same again and again. A reply to a read is held for a little while, so that one of the very
 * same bytes need not be searched for the key, parsed, held against the contract and remembered once more. It is
 * never given instead of asking the platform.
 */
export class Repeats {
  readonly #held = new Map<string, Map<string, Held>>()
  readonly #now: () => number
  #size = 0

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** What is known of a reply, if it says what the last one to that read said. */
  recall(credential: Credential, path: string, { version }: Pick<Answer, 'version'>, bytes: Buffer): Known | null {
    const held = this.#held.get(credential.workspace_id)?.get(placeOf(credential, path))
    const isSame =
      held !== undefined &&
      this.#now() - held.at < FRESH &&
      held.version === version &&
      held.secret === credential.secret &&
      held.bytes.equals(bytes)
    return isSame ? held : null
  }

  hold(
    credential: Credential,
    path: string,
    { version }: Pick<Answer, 'version'>,
    bytes: Buffer,
    { status, said, found }: Known,
  ): void {
    if (bytes.length > LARGEST) return
    const place = placeOf(credential, path)
    const held = this.#held.get(credential.workspace_id) ?? new Map<string, Held>()
    this.#size += 2 * (bytes.length - (held.get(place)?.bytes.length ?? 0))
    held.set(place, { status, said, found, bytes, version, secret: credential.secret, at: this.#now() })
    this.#held.set(credential.workspace_id, held)
    if (this.#size > ALL) this.#clear()
  }

  /** Something was changed there: what was seen before may be gone, and be seen anew. */
  forget(workspace_id: string): void {
    for (const { bytes } of this.#held.get(workspace_id)?.values() ?? []) this.#size -= 2 * bytes.length
    this.#held.delete(workspace_id)
  }

  #clear(): void {
    this.#held.clear()
    this.#size = 0
  }
}

const placeOf = ({ key_id }: Credential, path: string): string => `${key_id} ${path}`
