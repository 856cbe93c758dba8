import { APPS } from './apps/appCatalogue.ts'
import type { PlatformKeys } from './platformKeys.ts'

/** The keys of a platform under test: `key-knowledge`, and `key-` with the id of the application. */
export const TEST_KEYS: PlatformKeys = [
  { kind: 'knowledge', app: null, value: 'key-knowledge' },
  ...APPS.map(({ id, mode }) => ({
    kind: mode === 'advanced-chat' ? ('chat' as const) : mode,
    app: id,
    value: `key-${id}`,
  })),
]
