import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { openEmptyDatabase } from '../../server/db/embedded/databasePool.testing.ts'
import { TEST_KEYS } from '../../server/platform/platformKeys.fixture.ts'
import { buildPlatform } from '../../server/platform/platform.ts'
import type { PlatformUnderTest } from './conformanceSuite.ts'

/** The built-in platform on an empty database. */
export async function startBuiltinPlatform(): Promise<{ platform: PlatformUnderTest; stop: () => Promise<void> }> {
  const database = await openEmptyDatabase()
  const log = pino({ level: 'silent' })
  const app = await buildPlatform({ database, keys: TEST_KEYS, model: null, log, version: '0' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const keys = { knowledge: 'key-knowledge', chat: 'key-chat', completion: 'key-completion', workflow: 'key-workflow' }
  return {
    platform: { base: `http://127.0.0.1:${port}/v1`, keys },
    stop: async () => {
      await app.close()
      await database.close()
    },
  }
}
