import type { DriftObservation } from '#domain/contractDrift/observeReply.ts'
import type { PlatformCredential } from '../vault/vault.ts'
import type { UpstreamResponse } from './upstream/upstream.ts'

/** Milliseconds until a reply is looked at again though it says the same: what it names was then seen later. */
const CACHE_TTL_MS = 20_000
/** Bytes of one reply that is held, and of all of them. */
const MAX_REPLY_BYTES = 256 * 1024
const MAX_CACHE_BYTES = 8 * 1024 * 1024

/** What is known of a reply: how it goes on, without the key, and in what it differs from the contract. */
interface ProcessedReply {
  status: number
  said: Buffer
  found: readonly DriftObservation[]
}
interface CachedReply extends ProcessedReply {
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
export class UnchangedReplyCache {
  readonly #entries = new Map<string, Map<string, CachedReply>>()
  readonly #now: () => number
  #totalBytes = 0

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** What is known of a reply, if it says what the last one to that read said. */
  get(
    credential: PlatformCredential,
    path: string,
    { version }: Pick<UpstreamResponse, 'version'>,
    bytes: Buffer,
  ): ProcessedReply | null {
    const cached = this.#entries.get(credential.workspace_id)?.get(toCacheKey(credential, path))
    const isSame =
      cached !== undefined &&
      this.#now() - cached.at < CACHE_TTL_MS &&
      cached.version === version &&
      cached.secret === credential.secret &&
      cached.bytes.equals(bytes)
    return isSame ? cached : null
  }

  set(
    credential: PlatformCredential,
    path: string,
    { version }: Pick<UpstreamResponse, 'version'>,
    bytes: Buffer,
    { status, said, found }: ProcessedReply,
  ): void {
    if (bytes.length > MAX_REPLY_BYTES) return
    const cacheKey = toCacheKey(credential, path)
    const entries = this.#entries.get(credential.workspace_id) ?? new Map<string, CachedReply>()
    this.#totalBytes += 2 * (bytes.length - (entries.get(cacheKey)?.bytes.length ?? 0))
    entries.set(cacheKey, { status, said, found, bytes, version, secret: credential.secret, at: this.#now() })
    this.#entries.set(credential.workspace_id, entries)
    if (this.#totalBytes > MAX_CACHE_BYTES) this.#clear()
  }

  /** Something was changed there: what was seen before may be gone, and be seen anew. */
  delete(workspace_id: string): void {
    for (const { bytes } of this.#entries.get(workspace_id)?.values() ?? []) this.#totalBytes -= 2 * bytes.length
    this.#entries.delete(workspace_id)
  }

  #clear(): void {
    this.#entries.clear()
    this.#totalBytes = 0
  }
}

const toCacheKey = ({ key_id }: PlatformCredential, path: string): string => `${key_id} ${path}`
