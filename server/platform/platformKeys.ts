import { createHash, timingSafeEqual } from 'node:crypto'
import type { KeyKind } from '#contract/endpoint.ts'

/** A bearer key of the built-in platform. `app` is the id of its application; the knowledge key has none. */
export interface PlatformKey {
  kind: KeyKind
  app: string | null
  value: string
}

/** One key for all knowledge bases, and one for each application. */
export type PlatformKeys = readonly PlatformKey[]

/** Finds a key in constant time: compares digests of equal length, always all of them. */
export function findKey(keys: PlatformKeys, given: string): PlatformKey | undefined {
  const digest = sha256(given)
  return keys.reduce<PlatformKey | undefined>(
    (found, key) => (timingSafeEqual(sha256(key.value), digest) ? key : found),
    undefined,
  )
}

const sha256 = (value: string): Buffer => createHash('sha256').update(value).digest()
