import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../db/database.ts'
import { openPlatformDatabase } from '../datasets/platform.fixture.ts'
import { createKeywordSearch } from './keywordSearch.ts'
import { insertPassages, watchPlans } from './passages.fixture.ts'
import { findSearchableDatasets } from './searchableDatasets.ts'
import { readTermStatistics } from './termStatistics.ts'
import { hashTerm, toQueryTerms } from '#domain/keywordSearch/termVector.ts'

const PASSAGE_COUNT = 4000
const dataset = { id: randomUUID() }
let store: Awaited<ReturnType<typeof openPlatformDatabase>>
let database: Database
beforeAll(async () => {
  store = await openPlatformDatabase()
  database = store.database
  await insertPassages(database, dataset.id, texts)
})
afterAll(() => store.close())

/** Every passage has `common`, every third `third`, every fourth `fourth`, and one of a thousand words. */
const texts = Array.from({ length: PASSAGE_COUNT }, (_, index) =>
  ['common', index % 3 === 0 ? 'third' : 'x', index % 4 === 0 ? 'fourth' : 'y', `word${index % 1000}`].join(' '),
)

async function readStatistics(query: string) {
  const { found } = await findSearchableDatasets(database.pool, [dataset.id])
  return readTermStatistics(
    database.pool,
    found,
    toQueryTerms(query).map(({ hash }) => hash),
  )
}

/** Searches, and gives the plan of each query beside what was found. */
async function search(query: string, dataset_ids: string[] | null) {
  const plans: string[] = []
  const statistics = await readStatistics(query)
  const terms = toQueryTerms(query)
  const found = await database.transaction(async (client) => {
    await client.query('SET LOCAL enable_seqscan = off')
    return createKeywordSearch({
      terms,
      dataset_ids,
      document_ids: null,
      statistics,
      limit: 40,
      minimum: 20,
      overlay: null,
    }).find(watchPlans(client, plans))
  })
  return { plans, found }
}

describe('keyword search', () => {
  it('knows how often words stand in a dataset', async () => {
    const { passages, counts, exact } = await readStatistics('common third nowhere')
    expect(passages).toBe(PASSAGE_COUNT)
    expect(exact).toBe(true)
    expect(counts.get(hashTerm('common'))).toBe(PASSAGE_COUNT)
    expect(counts.get(hashTerm('third'))).toBe(Math.ceil(PASSAGE_COUNT / 3))
    expect(counts.has(hashTerm('nowhere'))).toBe(false)
  })

  it.each([
    'common',
    'common third',
    'third fourth word7',
    'word1 word2 word3 word4',
    'nowhere to be found',
    'common nowhere',
  ])('goes through the index for “%s”', async (query) => {
    for (const dataset_ids of [null, [dataset.id]]) {
      const { plans } = await search(query, dataset_ids)
      for (const plan of plans) {
        expect(plan).toContain('Bitmap Index Scan on passages_by_terms')
        expect(plan).not.toContain('Seq Scan on passages')
      }
    }
  })

  it('finds the passages that have most of the rarest words', async () => {
    const { found } = await search('common third fourth word12', [dataset.id])
    // 12 is divisible by three and four: of its four passages, those at 12 and 3012 have all words.
    expect(found[0]?.score).toBeGreaterThan(found[3]?.score ?? 1)
    expect(found[0]?.score).toBeCloseTo(found[1]?.score ?? 0)
    for (const { score } of found) expect(score > 0 && score < 1).toBe(true)
  })

  it('gives better passages a higher score, however good they are', async () => {
    const texts = [1, 2, 4, 8].map((count) => 'heron '.repeat(count))
    const id = randomUUID()
    await insertPassages(database, id, [
      ...texts,
      ...Array.from({ length: 50 }, (_, index) => `filler ${index} and more`),
    ])
    const { found: datasets } = await findSearchableDatasets(database.pool, [id])
    const terms = toQueryTerms('heron')
    const hashes = terms.map(({ hash }) => hash)
    const statistics = await readTermStatistics(database.pool, datasets, hashes)
    const input = { terms, dataset_ids: [id], document_ids: null, statistics, limit: 10, minimum: 5, overlay: null }
    const passages = await database.transaction((client) => createKeywordSearch(input).find(client))
    const scores = passages.map(({ score }) => score)
    expect(new Set(scores).size).toBe(texts.length)
    for (const score of scores) expect(score > 0 && score < 1).toBe(true)
  })

  it('finds nothing in another dataset', async () => {
    expect((await search('common', [randomUUID()])).found).toEqual([])
  })
})
