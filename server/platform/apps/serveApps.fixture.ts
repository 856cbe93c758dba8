import { afterAll, afterEach, beforeAll } from 'vitest'
import { eq } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { openModel } from '../model/model.ts'
import { startModelEndpoint, type EndpointBehaviour, type ModelEndpoint } from '../model/modelEndpoint.fixture.ts'
import { messages } from './schema.ts'
import { createWorkerPool } from '../indexing/workerPool.ts'
import { openApps, openAppsDatabase, type OpenApps } from './apps.fixture.ts'

type ServeSettings = Omit<Parameters<typeof openApps>[0], 'database' | 'workerPool'>

/** For a file of tests: one database and one worker pool for all, a platform for each, closed behind it. */
export function setupApps() {
  let store: { database: Database; close: () => Promise<unknown> } | null = null
  let openedApps: OpenApps[] = []
  let endpoints: ModelEndpoint[] = []
  const workerPool = createWorkerPool()
  beforeAll(async () => {
    store = await openAppsDatabase()
  })
  afterEach(async () => {
    await Promise.all(openedApps.map((platform) => platform.close()))
    await Promise.all(endpoints.map((endpoint) => endpoint.close()))
    openedApps = []
    endpoints = []
  })
  afterAll(() => Promise.all([store?.close(), workerPool.close()]))
  const database = () => {
    if (!store) throw new Error('the store is not open yet')
    return store.database
  }
  const serve = async (settings: ServeSettings = {}): Promise<OpenApps> => {
    const platform = await openApps({ database: database(), workerPool, ...settings })
    openedApps.push(platform)
    return platform
  }
  return {
    database,
    serve,
    /** A platform with a model that behaves so, and what the model was sent. */
    serveModel: async (behaviour: EndpointBehaviour, settings: ServeSettings = {}, embedding_model?: string) => {
      const endpoint = await startModelEndpoint(behaviour)
      endpoints.push(endpoint)
      const model = openModel({
        base_url: endpoint.url,
        name: 'small',
        ...(embedding_model ? { embedding_model } : {}),
      })
      return { endpoint, platform: await serve({ model, ...settings }) }
    },
    /** The stored row of a message. */
    readMessageRow: async (id: unknown) =>
      (
        await database()
          .db.select()
          .from(messages)
          .where(eq(messages.id, String(id)))
      )[0],
  }
}
