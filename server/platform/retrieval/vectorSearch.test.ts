import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import { openDatabase, type Database } from '../../db/database.ts'
import { startPostgresql } from '../../db/postgresql.testing.ts'
import { openPlatformDatabase } from '../datasets/platform.fixture.ts'
import { insertPassages, watchPlans } from './passages.fixture.ts'
import { toSqlArray, createVectorSearch, normalizeVector } from './vectorSearch.ts'

const dataset_id = randomUUID()
const PASSAGE_COUNT = 600
let store: Awaited<ReturnType<typeof openPlatformDatabase>>
let database: Database
/** A vector for each passage, all around the circle. */
const vectors = Array.from({ length: PASSAGE_COUNT }, (_, index) =>
  normalizeVector([Math.cos(index / 100), Math.sin(index / 100), 0.1]),
)
let ids: string[]
beforeAll(async () => {
  store = await openPlatformDatabase()
  database = store.database
  ids = await insertPassages(
    database,
    dataset_id,
    Array.from({ length: PASSAGE_COUNT }, (_, index) => `passage ${index}`),
  )
  await createVectorSearch(database).ensureIndex(3)
  await database.pool.query(
    `INSERT INTO platform.embeddings (passage_id, dataset_id, model, vector)
     SELECT passage_id, $1, 'circle', vector::real[] FROM unnest($2::uuid[], $3::text[]) AS row (passage_id, vector)`,
    [dataset_id, ids, vectors.map(toSqlArray)],
  )
})
afterAll(() => store.close())

const toVectorQuery = (index: number) => ({
  vector: vectors[index] ?? [],
  model: 'circle',
  dataset_ids: [dataset_id],
  document_ids: null,
  hidden: [],
  limit: 10,
})

describe('vectors', () => {
  it('gives the nearest passages, nearest first', async () => {
    const found = await database.transaction((client) =>
      createVectorSearch(database).findNearest(client, toVectorQuery(250)),
    )
    expect(found).toHaveLength(10)
    expect(found[0]).toMatchObject({ id: ids[250], score: expect.closeTo(1, 4) as number })
    expect(new Set(found.map(({ id }) => Math.abs(ids.indexOf(id) - 250) <= 6))).toEqual(new Set([true]))
  })

  it('goes along the index', async () => {
    const plans: string[] = []
    await database.transaction(async (client) => {
      await client.query('SET LOCAL enable_seqscan = off')
      const store = createVectorSearch(database)
      await store.findNearest(client, toVectorQuery(1))
      await store.findNearest(watchPlans(client, plans), toVectorQuery(1))
    })
    expect(plans.join()).toContain('Index Scan using embeddings_by_3_dimensions')
    expect(plans.join()).not.toContain('Sort')
  })

  it('gives the same without pgvector, one by one', async () => {
    const store = createVectorSearch(database)
    const found = await database.transaction(async (client) => {
      const withoutExtension = {
        query: (sql: string, values: unknown[]) =>
          sql.includes('pg_extension') ? { rowCount: 0, rows: [] } : client.query(sql, values),
      } as unknown as PoolClient
      return store.findNearest(withoutExtension, toVectorQuery(250))
    })
    expect(found[0]).toMatchObject({ id: ids[250], score: expect.closeTo(1, 4) as number })
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((one, other) => other - one))
  })

  it('scores given passages, and no others', async () => {
    const wanted = [ids[3] ?? '', ids[400] ?? '']
    const scores = await database.transaction((client) =>
      createVectorSearch(database).scorePassages(client, vectors[3] ?? [], 'circle', wanted),
    )
    expect([...scores.keys()].sort()).toEqual(wanted.sort())
    expect(scores.get(ids[3] ?? '')).toBeCloseTo(1, 4)
    const others = await database.transaction((client) =>
      createVectorSearch(database).scorePassages(client, vectors[3] ?? [], 'another model', wanted),
    )
    expect(others.size).toBe(0)
  })

  it('makes vectors one long, and leaves those of nothing', () => {
    expect(normalizeVector([3, 4])).toEqual([0.6, 0.8])
    expect(normalizeVector([0, 0])).toEqual([0, 0])
  })
})

describeWith(requirements.pgvector)('servers that share a PostgreSQL', () => {
  it('create the index of a new length at once', async () => {
    const postgresql = await startPostgresql()
    const servers = await Promise.all(
      Array.from({ length: 5 }, () => openDatabase({ url: postgresql.url, folder: 'unused' })),
    )
    try {
      const [first] = servers
      await Promise.all(servers.map((server) => createVectorSearch(server).ensureIndex(7)))
      const made = await first?.pool.query(`SELECT 1 FROM pg_indexes WHERE indexname = 'embeddings_by_7_dimensions'`)
      expect(made?.rowCount).toBe(1)
    } finally {
      await Promise.all(servers.map((server) => server.close()))
      await postgresql.stop()
    }
  })
})
