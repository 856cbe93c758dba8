import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { openDatabase, type Database } from '../../server/db/database.ts'
import type { PlatformContext } from '../../server/platform/platformContext.ts'
import { createDataset } from '../../server/platform/datasets/datasetRoutes.ts'
import type { KnowledgeContext } from '../../server/platform/datasets/knowledgeContext.ts'
import { addDocument, requireOwnDataset, toTextSource } from '../../server/platform/datasets/documentWrites.ts'
import { buildSegment } from '../../server/platform/indexing/chunkDocument.ts'
import { storeSegmentRows, toSegmentRows, type DocumentSegments } from '../../server/platform/indexing/segmentStore.ts'
import { hashText, storeVectors } from '../../server/platform/indexing/embedding/vectorStore.ts'
import { openModel } from '../../server/platform/model/model.ts'
import { retrieve } from '../../server/platform/retrieval/retrieve.ts'
import { createVectorSearch, normalizeVector } from '../../server/platform/retrieval/vectorSearch.ts'
import { createRandom, createSegmentText, toVector, type RandomSource } from './syntheticTexts.ts'

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
]

/** Where the texts of the segments come from. */
export interface SegmentSource {
  createText: (random: RandomSource) => string
  /** Changes with the texts. */
  fingerprint: string
  /** Whether each segment gets a vector. */
  hasVectors: boolean
}

const SYNTHETIC_SEGMENTS: SegmentSource = { createText: createSegmentText, fingerprint: '', hasVectors: true }

/**
 * Puts a database with one dataset of so many segments into a folder and gives the dataset's id. The segments are written
 * through the functions by which the platform writes; that takes minutes, so it is done once for a schema and a set of
 * texts, kept, and copied.
 */
export async function copyFilledPlatform(
  folder: string,
  segments: number,
  source: SegmentSource = SYNTHETIC_SEGMENTS,
): Promise<string> {
  const cachedFolder = join(tmpdir(), `loupe-bench-${segments}-${fingerprint(source)}`)
  if (!existsSync(cachedFolder)) await createFilledFolder(cachedFolder, segments, source)
  for (const name of ['database', 'marker.json'])
    cpSync(join(cachedFolder, name), join(folder, name), { recursive: true })
  return readFileSync(join(cachedFolder, 'dataset'), 'utf8')
}

/** Written to a temporary folder and moved when complete. */
async function createFilledFolder(cachedFolder: string, segments: number, source: SegmentSource): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-bench-'))
  const database = await openDatabase({ folder })
  try {
    writeFileSync(join(folder, 'dataset'), await writeSegments(database, segments, source))
  } finally {
    await database.close()
  }
  renameSync(folder, cachedFolder)
}

function fingerprint(source: SegmentSource): string {
  const migrations = new URL('../../server/db/migrations/', import.meta.url)
  const files = readdirSync(migrations).filter((name) => name.endsWith('.sql'))
  const texts = [
    ...files.map((name) => new URL(name, migrations)),
    ...WRITING_CODE.map((name) => new URL(name, import.meta.url)),
  ]
  const hash = createHash('sha256').update(source.fingerprint)
  for (const text of texts) hash.update(readFileSync(text))
  return hash.digest('hex').slice(0, 16)
}

async function writeSegments(database: Database, segments: number, source: SegmentSource): Promise<string> {
  const random = createRandom(1)
  const context = toContext(database, null)
  const knowing = { ...context, indexingQueue: { runSoon: () => undefined } } as unknown as KnowledgeContext
  const dataset_id = randomUUID()
  await createDataset(context, dataset_id, {
    name: 'Bench',
    indexing_technique: source.hasVectors ? 'high_quality' : 'economy',
  })
  const dataset = await requireOwnDataset(knowing, dataset_id)
  const vectors = createVectorSearch(database)
  let writing: Promise<void> = Promise.resolve()
  const remake = await dropTermIndex(database)
  for (let done = 0; done < segments; done += SEGMENTS_PER_DOCUMENT) {
    const title = `Document ${done / SEGMENTS_PER_DOCUMENT + 1}`
    const { document } = await addDocument(knowing, dataset, {
      name: title,
      source: toTextSource(title, 'Its segments were written without a text.'),
      settings: {},
    })
    for (let position = 1; position <= SEGMENTS_PER_DOCUMENT; position += SEGMENTS_PER_TRANSACTION) {
      const made = Array.from({ length: SEGMENTS_PER_TRANSACTION }, () =>
        buildSegment({ content: source.createText(random), answer: null }, { dataset_id, title }, null),
      )
      const batch = { dataset_id, document_id: document.id, position, began: new Date(), segments: made }
      // The database has a thread of its own: it writes while the next segments are made.
      await writing
      writing = storeBatch(database, batch, source.hasVectors)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await writing
    await database.pool.query(
      `UPDATE platform.documents SET indexing_status = 'completed', completed_at = now() WHERE id = $1`,
      [document.id],
    )
  }
  await remake()
  if (source.hasVectors) await vectors.ensureIndex(normalizeVector(toVector('')).length)
  await database.pool.query('ANALYZE')
  return dataset_id
}

const storeBatch = (database: Database, batch: DocumentSegments, hasVectors: boolean): Promise<void> =>
  database.transaction(async (client) => {
    const rows = toSegmentRows(batch)
    await storeSegmentRows(client, [rows], batch.began)
    if (!hasVectors) return
    const vectors = rows.passages.map(({ id, dataset_id, text }) => ({
      passage_id: id,
      dataset_id,
      text_hash: hashText(text),
      vector: normalizeVector(toVector(text)),
    }))
    await storeVectors(client, vectors, EMBEDDING_MODEL)
  })

/** The search indexes are built at the end: the same indexes, in a tenth of the time of row-by-row inserts. */
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

interface RecordedStatement {
  text: string
  values: unknown[] | undefined
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
    const statements: RecordedStatement[] = []
    const heard = recordStatements(database, statements)
    const context = toContext(heard, openModel({ base_url: model_url, embedding_model: EMBEDDING_MODEL }))
    const retrieval = { vectors: createVectorSearch(database) }
    const durations: number[] = []
    for (const [index, query] of questions.entries()) {
      statements.length = 0
      await retrieve(context, retrieval, { query, dataset_ids: [dataset_id], retrieval_model: { search_method } })
      const client = await database.pool.connect()
      const began = performance.now()
      for (const { text, values } of statements) await client.query(text, values)
      // The first question warms up.
      if (index > 0) durations.push(performance.now() - began)
      client.release()
    }
    return durations
  } finally {
    await database.close()
  }
}

export interface StatementRun {
  dataset_id: string
  model_url: string
  questions: string[]
  search_method: string
}

/** The database; records every statement. */
function recordStatements(database: Database, statements: RecordedStatement[]): Database {
  const hear = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(real, name) {
        const member = Reflect.get(real, name) as unknown
        if (typeof member !== 'function') return member
        return (...given: unknown[]) => {
          if (name === 'query') statements.push({ text: String(given[0]), values: given[1] as unknown[] | undefined })
          return (member as (...all: unknown[]) => unknown).apply(real, given)
        }
      },
    })
  return {
    ...database,
    pool: hear(database.pool),
    transaction: async (work) => {
      statements.push({ text: 'BEGIN', values: undefined })
      const result = await database.transaction((client) => work(hear(client)))
      statements.push({ text: 'COMMIT', values: undefined })
      return result
    },
  }
}
