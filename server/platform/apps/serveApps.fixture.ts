import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Database } from '../../db/database.ts'
import { createWorkerPool } from '../indexing/workerPool.ts'
import { openApps, openAppsDatabase, type OpenApps } from './apps.fixture.ts'

type ServeSettings = Omit<Parameters<typeof openApps>[0], 'database' | 'workerPool'>

/** For a file of tests: one database and one worker pool for all, a platform for each, closed behind it. */
export function setupApps() {
  let store: { database: Database; close: () => Promise<unknown> } | null = null
  let openedApps: OpenApps[] = []
  const workerPool = createWorkerPool()
  beforeAll(async () => {
    store = await openAppsDatabase()
  })
  afterEach(async () => {
    await Promise.all(openedApps.map((platform) => platform.close()))
    openedApps = []
  })
  afterAll(() => Promise.all([store?.close(), workerPool.close()]))
  const database = () => {
    if (!store) throw new Error('the store is not open yet')
    return store.database
  }
  return {
    database,
    serve: async (settings: ServeSettings = {}): Promise<OpenApps> => {
      const platform = await openApps({ database: database(), workerPool, ...settings })
      openedApps.push(platform)
      return platform
    },
  }
}
