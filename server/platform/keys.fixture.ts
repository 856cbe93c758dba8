import { APPS } from './apps/catalogue.ts'
import type { PlatformKeys } from './keys.ts'

/** The keys of a platform under test: `key-knowledge`, and `key-` with the id of the application. */
export const KEYS: PlatformKeys = [
  { kind: 'knowledge', app: null, value: 'key-knowledge' },
  ...APPS.map(({ id, mode }) => ({ kind: mode, app: id, value: `key-${id}` })),
]
