import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { KEY_KINDS, type KeyKind } from '#contract/endpoint.ts'
import { EXAMPLES } from './workflow/examples.ts'

/** A bearer key of the built-in platform. `app` is the id of the application that it opens; the knowledge key has none. */
export interface PlatformKey {
  kind: KeyKind
  app: string | null
  value: string
}

/** One key for all knowledge bases, and one for each application. */
export type PlatformKeys = readonly PlatformKey[]

/**
 * The keys by kind, as the environment gives them; each application has the id of its kind. The further workflow examples
 * are applications of their own: their keys are made from the first workflow key, so that they need not be kept.
 */
export const keysOf = (values: Record<KeyKind, string>): PlatformKeys => [
  ...KEY_KINDS.map((kind) => ({ kind, app: kind === 'knowledge' ? null : kind, value: values[kind] })),
  ...EXAMPLES.filter(({ id }) => id !== 'workflow').map(({ id }) => ({
    kind: 'workflow' as const,
    app: id,
    value: furtherKey(values.workflow, id),
  })),
]

const furtherKey = (first: string, app: string): string =>
  `app-${createHmac('sha256', first).update(app).digest('base64url').slice(0, 32)}`

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
