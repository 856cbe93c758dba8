import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { KEY_KINDS, type KeyKind } from '#contract/endpoint.ts'

/** A bearer key of the built-in platform. `app` is the id of the application that it opens; the knowledge key has none. */
export interface PlatformKey {
  kind: KeyKind
  app: string | null
  value: string
}

/** One key for all knowledge bases, and one for each application. */
export type PlatformKeys = readonly PlatformKey[]

/** The keys by kind, as the environment gives them; each application has the id of its kind. */
export const keysOf = (values: Record<KeyKind, string>): PlatformKeys =>
  KEY_KINDS.map((kind) => ({ kind, app: kind === 'knowledge' ? null : kind, value: values[kind] }))

/** A new key: 192 random bits behind a word that says what it opens. */
export const newKey = (kind: KeyKind): string =>
  `${kind === 'knowledge' ? 'dataset' : 'app'}-${randomBytes(24).toString('base64url')}`

/** Finds the key that was given. Digests of equal length are compared, all of them, so that time tells nothing. */
export function findKey(keys: PlatformKeys, given: string): PlatformKey | undefined {
  const digest = sha256(given)
  return keys.reduce<PlatformKey | undefined>(
    (found, key) => (timingSafeEqual(sha256(key.value), digest) ? key : found),
    undefined,
  )
}

const sha256 = (value: string): Buffer => createHash('sha256').update(value).digest()
