import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { type Database, openDatabase } from '../../server/db/database.ts'
import { createDataset } from '../../server/platform/datasets/datasetRoutes.ts'
import { addDocument, requireOwnDataset, toTextSource } from '../../server/platform/datasets/documentWrites.ts'
import type { KnowledgeContext } from '../../server/platform/datasets/knowledgeContext.ts'
import { buildSegment } from '../../server/platform/indexing/chunkDocument.ts'
import { hashText, storeVectors } from '../../server/platform/indexing/embedding/vectorStore.ts'
import { type DocumentSegments, storeSegmentRows, toSegmentRows } from '../../server/platform/indexing/segmentStore.ts'
import { openModel } from '../../server/platform/model/model.ts'
import type { PlatformContext } from '../../server/platform/platformContext.ts'
import { retrieve } from '../../server/platform/retrieval/retrieve.ts'
import { createVectorSearch, normalizeVector } from '../../server/platform/retrieval/vectorSearch.ts'
import { copyFilledDatabase } from '../cachedDatabase.ts'
import { listenToStatements } from '../ledger/explainPlans.ts'
import { createRandom, createSegmentText, toVector } from './syntheticTexts.ts'

export const EMBEDDING_MODEL = 'bench-vectors'
const SEGMENTS_PER_DOCUMENT = 1000
const SEGMENTS_PER_TRANSACTION = 250

/** What decides on the rows of a segment. */
const WRITING_CODE = [
  './syntheticTexts.ts',
  '../../server/platform/indexing/chunkDocument.ts',
  '../../server/platform/indexing/keywords.ts',
  '../../server/platform/indexing/segmentStore.ts',
  '../../server/platform/model/language.ts',
  '../../src/domain/keywordSearch/terms.ts',
  '../../src/domain/keywordSearch/termVector.ts',
  '../../server/platform/retrieval/termsVersion.ts',
].map((path) => new URL(path, import.meta.url))

/** Puts a database with one dataset of so many segments, each with a vector, into a folder and gives the dataset's id. */
export const copyFilledPlatform = (folder: string, segments: number): Promise<string> =>
  copyFilledDatabase(folder, `platform-${segments}`, WRITING_CODE, (database) => writeSegments(database, segments))

/** Written through the functions by which the platform writes. */
async function writeSegments(database: Database, segments: number): Promise<string> {
  const random = createRandom(1)
  const context = toContext(database, null)
  const knowing = { ...context, indexingQueue: { runSoon: () => undefined } } as unknown as KnowledgeContext
  const dataset_id = randomUUID()
  await createDataset(context, dataset_id, { name: 'Bench', indexing_technique: 'high_quality' })
  const dataset = await requireOwnDataset(knowing, dataset_id)
  let writing: Promise<void> = Promise.resolve()
  const createTermIndex = await dropTermIndex(database)
  for (let done = 0; done < segments; done += SEGMENTS_PER_DOCUMENT) {
    const title = `Document ${done / SEGMENTS_PER_DOCUMENT + 1}`
    const source = toTextSource(title, 'Its segments were written without a text.')
    const { document } = await addDocument(knowing, dataset, { name: title, source, settings: {} })
    for (let position = 1; position <= SEGMENTS_PER_DOCUMENT; position += SEGMENTS_PER_TRANSACTION) {
      const made = Array.from({ length: SEGMENTS_PER_TRANSACTION }, () =>
        buildSegment({ content: createSegmentText(random), answer: null }, { dataset_id, title }, null),
      )
      const batch = { dataset_id, document_id: document.id, position, began: new Date(), segments: made }
      // The database has a thread of its own: it writes while the next segments are made.
      await writing
      writing = storeBatch(database, batch)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await writing
    await database.pool.query(
      `UPDATE platform.documents SET indexing_status = 'completed', completed_at = now() WHERE id = $1`,
      [document.id],
    )
  }
  await createTermIndex()
  await createVectorSearch(database).ensureIndex(normalizeVector(toVector('')).length)
  await database.pool.query('ANALYZE')
  return dataset_id
}

const storeBatch = (database: Database, batch: DocumentSegments): Promise<void> =>
  database.transaction(async (client) => {
    const rows = toSegmentRows(batch)
    await storeSegmentRows(client, [rows], batch.began)
    const vectors = rows.passages.map(({ id, dataset_id, text }) => ({
      passage_id: id,
      dataset_id,
      text_hash: hashText(text),
      vector: normalizeVector(toVector(text)),
    }))
    await storeVectors(client, vectors, EMBEDDING_MODEL)
  })

/** The search index is built at the end: the same index, in a tenth of the time of row-by-row inserts. */
async function dropTermIndex({ pool }: Database): Promise<() => Promise<unknown>> {
  const { rows } = await pool.query<{ indexdef: string }>(
    `SELECT indexdef FROM pg_indexes WHERE schemaname = 'platform' AND indexname = 'passages_by_terms'`,
  )
  await pool.query('DROP INDEX platform.passages_by_terms')
  return () => pool.query(rows[0]?.indexdef ?? '')
}

const toContext = (database: Database, model: PlatformContext['model']): PlatformContext => ({
  database,
  keys: [],
  model,
  log: pino({ level: 'silent' }),
  clock: Date.now,
  fileLinks: { create: () => '', isValid: () => false },
  retrieve: () => Promise.resolve({ hits: [], search_method: 'keyword_search', fallback: null }),
  extract: () => Promise.reject(new Error('nothing is extracted')),
  countTokens: () => Promise.reject(new Error('no tokens are counted')),
})

export interface StatementRun {
  dataset_id: string
  model_url: string
  questions: string[]
  search_method: string
}

/**
 * Milliseconds that the statements of each question take when they are sent to the database as they are, one after the
 * other on one connection: what the platform sends is written down first, then sent again.
 */
export async function measureStatements(
  folder: string,
  { dataset_id, model_url, questions, search_method }: StatementRun,
): Promise<number[]> {
  const database = await openDatabase({ folder })
  try {
    const statements: [sql: string, values: unknown[] | undefined][] = []
    const heard = listenToStatements(database, (sql, values) => statements.push([sql, values]))
    const context = toContext(heard, openModel({ base_url: model_url, embedding_model: EMBEDDING_MODEL }))
    const durations: number[] = []
    for (const query of questions) {
      statements.length = 0
      const request = { query, dataset_ids: [dataset_id], retrieval_model: { search_method } }
      await retrieve(context, { vectors: createVectorSearch(database) }, request)
      const began = performance.now()
      await database.transaction(async (client) => {
        for (const [sql, values] of statements) await client.query(sql, values)
      })
      durations.push(performance.now() - began)
    }
    // The first question warms up.
    return durations.slice(1)
  } finally {
    await database.close()
  }
}
