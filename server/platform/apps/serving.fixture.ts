import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Database } from '../../database/database.ts'
import { openWorkshop } from '../indexing/workshop.ts'
import { openApps, openStore, type OpenApps } from './platform.fixture.ts'

type Settings = Omit<Parameters<typeof openApps>[0], 'database' | 'workshop'>

/** For a file of tests: one database and one workshop for all, a platform for each, closed behind it. */
export function serving() {
  let store: { database: Database; close: () => Promise<unknown> } | null = null
  let opened: OpenApps[] = []
  const workshop = openWorkshop()
  beforeAll(async () => {
    store = await openStore()
  })
  afterEach(async () => {
    await Promise.all(opened.map((platform) => platform.close()))
    opened = []
  })
  afterAll(() => Promise.all([store?.close(), workshop.close()]))
  const database = () => {
    if (!store) throw new Error('the store is not open yet')
    return store.database
  }
  return {
    database,
    serve: async (settings: Settings = {}): Promise<OpenApps> => {
      const platform = await openApps({ database: database(), workshop, ...settings })
      opened.push(platform)
      return platform
    },
  }
}
