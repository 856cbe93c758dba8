import { type Database, openDatabase } from '../../db/database.ts'
import { startPostgresql } from '../../db/postgresql.testing.ts'
import { openPlatform, type OpenPlatform } from './platform.fixture.ts'

/** Two platforms, each with connections of its own, on one new PostgreSQL. */
export async function openTwoPlatforms() {
  const postgresql = await startPostgresql()
  const open = async (): Promise<{ database: Database; platform: OpenPlatform }> => {
    const database = await openDatabase({ url: postgresql.url, folder: 'unused' })
    return { database, platform: await openPlatform(database) }
  }
  const first = await open()
  const second = await open()
  return {
    first,
    second,
    async close(): Promise<void> {
      for (const { platform } of [first, second]) await platform.close()
      for (const { database } of [first, second]) await database.close()
      await postgresql.stop()
    },
  }
}
export type TwoPlatforms = Awaited<ReturnType<typeof openTwoPlatforms>>
