import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { open, type Database } from '../server/database/database.ts'
import type { PlatformContext } from '../server/platform/context.ts'
import { demandDataset } from '../server/platform/datasets/dataset-record.ts'
import { createDataset } from '../server/platform/datasets/datasets.ts'
import type { Knowledge } from '../server/platform/datasets/knowledge.ts'
import { addDocument, textSource } from '../server/platform/datasets/writing.ts'
import { makeSegment, type MadeSegment } from '../server/platform/indexing/making.ts'
import { storeSegments, storeVectors, type Place } from '../server/platform/indexing/store.ts'
import { openModel } from '../server/platform/model/model.ts'
import { newStatistics } from '../server/platform/retrieval/statistics.ts'
import { retrieve } from '../server/platform/retrieval/retrieve.ts'
import { newVectors, unit } from '../server/platform/retrieval/vectors.ts'
import { newRandom, segmentText, vectorOf } from './platform-texts.ts'

export const EMBEDDING_MODEL = 'bench-vectors'
const SEGMENTS_OF_A_DOCUMENT = 1000
const AT_ONCE = 250

/**
 * Puts a database with one dataset of so many segments into a folder and gives the dataset's id. The segments are written
 * through the functions by which the platform writes; that takes minutes, so it is done once for a schema and a set of
 * texts, kept, and copied.
 */
export async function copyFilled(folder: string, segments: number): Promise<string> {
  const kept = join(tmpdir(), `loupe-bench-${segments}-${fingerprint()}`)
  if (!existsSync(kept)) await fill(kept, segments)
  for (const name of ['database', 'marker.json']) cpSync(join(kept, name), join(folder, name), { recursive: true })
  return readFileSync(join(kept, 'dataset'), 'utf8')
}

/** Made aside and moved into place when it is whole. */
async function fill(kept: string, segments: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-bench-'))
  const database = await open({ folder })
  try {
    writeFileSync(join(folder, 'dataset'), await write(database, segments))
  } finally {
    await database.close()
  }
  renameSync(folder, kept)
}

function fingerprint(): string {
  const migrations = new URL('../server/database/migrations/', import.meta.url)
  const files = readdirSync(migrations).filter((name) => name.endsWith('.sql'))
  const texts = [
    ...files.map((name) => new URL(name, migrations)),
    ...['./platform-texts.ts', '../server/platform/retrieval/bag.ts'].map((name) => new URL(name, import.meta.url)),
  ]
  const hash = createHash('sha256')
  for (const text of texts) hash.update(readFileSync(text))
  return hash.digest('hex').slice(0, 16)
}

async function write(database: Database, segments: number): Promise<string> {
  const random = newRandom(1)
  const context = contextOf(database, null)
  const knowing = { ...context, queue: { wake: () => undefined } } as unknown as Knowledge
  const dataset_id = randomUUID()
  await createDataset(context, dataset_id, { name: 'Bench', indexing_technique: 'high_quality' })
  const dataset = await demandDataset(database.pool, dataset_id)
  const vectors = newVectors(database.pool)
  let writing: Promise<void> = Promise.resolve()
  const remake = await withoutTerms(database)
  for (let done = 0; done < segments; done += SEGMENTS_OF_A_DOCUMENT) {
    const title = `Document ${done / SEGMENTS_OF_A_DOCUMENT + 1}`
    const { document } = await addDocument(knowing, dataset, {
      name: title,
      source: textSource(title, 'Its segments were written without a text.'),
      settings: {},
    })
    for (let position = 1; position <= SEGMENTS_OF_A_DOCUMENT; position += AT_ONCE) {
      const made = Array.from({ length: AT_ONCE }, () =>
        makeSegment({ content: segmentText(random), answer: null }, { dataset_id, title }),
      )
      const now = new Date()
      const place = { dataset_id, document_id: document.id, position, began: now, now }
      // The database has a thread of its own: it writes while the next segments are made.
      await writing
      writing = store(database, made, place)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await writing
    await database.pool.query(
      `UPDATE platform.documents SET indexing_status = 'completed', completed_at = now() WHERE id = $1`,
      [document.id],
    )
  }
  await remake()
  await vectors.prepare(unit(vectorOf('')).length)
  await database.pool.query('ANALYZE')
  return dataset_id
}

const store = (database: Database, made: MadeSegment[], place: Place): Promise<void> =>
  database.transaction(async (client) => {
    const { units } = await storeSegments(client, made, place)
    const rows = units.map(({ id, text }) => ({ id, vector: unit(vectorOf(text)) }))
    await storeVectors(client, rows, { dataset_id: place.dataset_id, model: EMBEDDING_MODEL })
  })

/** The indexes of search are made when all is there: the same indexes, in a tenth of the time that row by row takes. */
async function withoutTerms({ pool }: Database): Promise<() => Promise<unknown>> {
  const { rows } = await pool.query<{ indexdef: string }>(
    `SELECT indexdef FROM pg_indexes WHERE schemaname = 'platform' AND indexname = 'passages_by_terms'`,
  )
  await pool.query('DROP INDEX platform.passages_by_terms')
  return () => pool.query(rows[0]?.indexdef ?? '')
}

const contextOf = (database: Database, model: PlatformContext['model']): PlatformContext => ({
  database,
  keys: [],
  model,
  log: pino({ level: 'silent' }),
  clock: Date.now,
  retrieve: () => Promise.resolve([]),
  extract: () => Promise.reject(new Error('nothing is extracted')),
  countTokens: () => Promise.reject(new Error('no tokens are counted')),
})

interface Statement {
  text: string
  values: unknown[] | undefined
}

/**
 * Milliseconds that the statements of each question take when they are sent to the database as they are, one after the
 * other on one connection: what the platform sends is written down first, then sent again.
 */
export async function measureStatements(
  folder: string,
  { dataset_id, model_url, questions, search_method }: Direct,
): Promise<number[]> {
  const database = await open({ folder })
  try {
    const said: Statement[] = []
    const heard = listen(database, said)
    const context = contextOf(heard, openModel({ base_url: model_url, embedding_model: EMBEDDING_MODEL }))
    const retrieval = { statistics: newStatistics(database.pool, Date.now), vectors: newVectors(database.pool) }
    const taken: number[] = []
    for (const [index, query] of questions.entries()) {
      said.length = 0
      await retrieve(context, retrieval, { query, dataset_ids: [dataset_id], retrieval_model: { search_method } })
      const client = await database.pool.connect()
      const began = performance.now()
      for (const { text, values } of said) await client.query(text, values)
      // The first question warms up.
      if (index > 0) taken.push(performance.now() - began)
      client.release()
    }
    return taken
  } finally {
    await database.close()
  }
}

export interface Direct {
  dataset_id: string
  model_url: string
  questions: string[]
  search_method: string
}

/** The database, with every statement written down. */
function listen(database: Database, said: Statement[]): Database {
  const hear = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(real, name) {
        const member = Reflect.get(real, name) as unknown
        if (typeof member !== 'function') return member
        return (...given: unknown[]) => {
          if (name === 'query') said.push({ text: String(given[0]), values: given[1] as unknown[] | undefined })
          return (member as (...all: unknown[]) => unknown).apply(real, given)
        }
      },
    })
  return {
    ...database,
    pool: hear(database.pool),
    transaction: async (work) => {
      said.push({ text: 'BEGIN', values: undefined })
      const result = await database.transaction((client) => work(hear(client)))
      said.push({ text: 'COMMIT', values: undefined })
      return result
    },
  }
}
