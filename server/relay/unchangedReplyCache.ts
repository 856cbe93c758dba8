import type { DriftObservation } from '#domain/contractDrift/observeReply.ts'
import type { PlatformCredential } from '../vault/vault.ts'
import type { UpstreamResponse } from './upstream/upstream.ts'

/** Milliseconds until an unchanged reply is processed again, so that the last-seen times of its resources are updated. */
const CACHE_TTL_MS = 20_000
/** Bytes of one cached reply, and of all of them. */
const MAX_REPLY_BYTES = 256 * 1024
const MAX_CACHE_BYTES = 8 * 1024 * 1024

/** The result of processing a reply: the body without the key, and its drifts. */
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
 * A screen that polls receives the same reply again and again. This cache keeps the result of a read for a short time, so
 * that a reply of the same bytes skips redaction, parsing, drift detection and recording. The platform is called every time:
 * the cache never replaces a request.
 */
export class UnchangedReplyCache {
  readonly #entries = new Map<string, Map<string, CachedReply>>()
  readonly #now: () => number
  #totalBytes = 0

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** The cached result, if the reply equals the last one to that read. */
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

  /** After a change the resources may be gone and be recreated. */
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
