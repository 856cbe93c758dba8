import { setTimeout as wait } from 'node:timers/promises'
import type { LoupeProcess } from '#support/loupeProcess.ts'
import { createPreparedLoupe } from './consoleClient.ts'

export interface IndexingKillOptions {
  /** Number of kills, and of documents added before each. */
  cycles: number
  documents: number
  /** Additional environment of the server. */
  env?: Record<string, string>
  tell: (cycle: IndexingKillCycle) => void
}

/** Result of one kill. */
export interface IndexingKillCycle {
  /** Documents that the platform had acknowledged, and those of them that were indexed at the kill. */
  acknowledged: number
  completed_before_kill: number
  /** Errors found afterwards, one line per document. */
  problems: string[]
}

const KNOWLEDGE_KEY = 'knowledge-of-the-killing'
const MAX_CONCURRENT_UPLOADS = 4
const LINES_PER_DOCUMENT = 90
const INDEXING_TIMEOUT_MS = 120_000
const process_rule = {
  mode: 'custom',
  rules: { pre_processing_rules: [], segmentation: { separator: '\n', max_tokens: 50 } },
}

/**
 * Adds documents to a real Loupe over HTTP, kills it with `kill -9` while it indexes them, starts it again, and looks for
 * each document that was acknowledged: it must be there, end as `completed`, and have each of its segments once.
 */
export async function killWhileIndexing({
  cycles,
  documents,
  env = {},
  tell,
}: IndexingKillOptions): Promise<IndexingKillCycle[]> {
  const loupe = await (await createPreparedLoupe({ PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY, ...env })).start()
  try {
    const all: IndexingKillCycle[] = []
    for (let number = 1; number <= cycles; number++) {
      const cycle = await killOnce(loupe, documents, number)
      tell(cycle)
      all.push(cycle)
    }
    return all
  } finally {
    await loupe.remove()
  }
}

async function killOnce(loupe: LoupeProcess, documents: number, number: number): Promise<IndexingKillCycle> {
  const dataset_id = (await send<{ id: string }>(loupe, 'POST', '/datasets', { name: `Cycle ${number}` })).id
  // Each kill comes at another point: when the last document is in at the latest, when half of them are at the soonest.
  const enough = Math.ceil(documents * (0.5 + 0.5 * Math.random()))
  const acknowledged = await addDocuments(loupe, dataset_id, documents, enough)
  const completed_before = await waitForIndexed(loupe, dataset_id, Math.ceil(acknowledged.length * 0.4 * Math.random()))
  await loupe.kill()
  await loupe.start()
  const found = new Map((await waitForAll(loupe, dataset_id)).map((record) => [record.id, record]))
  const problems: string[] = []
  for (const id of acknowledged) {
    const record = found.get(id)
    if (!record) problems.push(`${id} is lost`)
    else if (!isCompleted(record)) problems.push(`${id} ended as ${record.indexing_status}: ${record.error}`)
  }
  // Documents that were cut off before their acknowledgement may exist; then they must be complete as well.
  for (const { id } of found.values()) problems.push(...(await findWrongSegments(loupe, dataset_id, id)))
  await send(loupe, 'DELETE', `/datasets/${dataset_id}`)
  return { acknowledged: acknowledged.length, completed_before_kill: completed_before, problems }
}

/** Adds documents concurrently until enough are acknowledged; the remaining requests stay pending. */
async function addDocuments(
  loupe: LoupeProcess,
  dataset_id: string,
  documents: number,
  enough: number,
): Promise<string[]> {
  const acknowledged: string[] = []
  let next = 0
  const reached = Promise.withResolvers<void>()
  const adding = Array.from({ length: MAX_CONCURRENT_UPLOADS }, async () => {
    while (next < documents) {
      const name = `Document ${++next}`
      const body = { name, text: createText(name), indexing_technique: 'economy', process_rule }
      const path = `/datasets/${dataset_id}/document/create-by-text`
      try {
        acknowledged.push((await send<{ document: { id: string } }>(loupe, 'POST', path, body)).document.id)
      } catch (error) {
        // The kill aborts pending requests: that is not a refusal.
        if (error instanceof TypeError) return
        throw error
      }
      if (acknowledged.length === enough) reached.resolve()
    }
  })
  await Promise.race([reached.promise, Promise.all(adding)])
  return acknowledged
}

/** Waits until the given number of documents are indexed, and returns the actual number. */
async function waitForIndexed(loupe: LoupeProcess, dataset_id: string, minIndexed: number): Promise<number> {
  for (;;) {
    const completed = (await listDocuments(loupe, dataset_id)).filter(isCompleted).length
    if (completed >= minIndexed) return completed
    await wait(20)
  }
}

const createText = (name: string): string =>
  Array.from({ length: LINES_PER_DOCUMENT }, (_, line) => `Line ${line} of ${name}.`).join('\n')

interface DocumentRecord {
  id: string
  indexing_status: string
  error: string | null
}
interface Page<Item> {
  data: Item[]
  total: number
  has_more: boolean
}

const isCompleted = ({ indexing_status }: DocumentRecord): boolean => indexing_status === 'completed'
const isFinished = (record: DocumentRecord): boolean => isCompleted(record) || record.indexing_status === 'error'

async function listDocuments(loupe: LoupeProcess, dataset_id: string): Promise<DocumentRecord[]> {
  const all: DocumentRecord[] = []
  for (let page = 1; ; page++) {
    const path = `/datasets/${dataset_id}/documents?limit=100&page=${page}`
    const { data, has_more } = await send<Page<DocumentRecord>>(loupe, 'GET', path)
    all.push(...data)
    if (!has_more) return all
  }
}

async function waitForAll(loupe: LoupeProcess, dataset_id: string): Promise<DocumentRecord[]> {
  const deadline = Date.now() + INDEXING_TIMEOUT_MS
  for (;;) {
    const records = await listDocuments(loupe, dataset_id)
    if (records.every(isFinished) || Date.now() > deadline) return records
    await wait(200)
  }
}

async function findWrongSegments(loupe: LoupeProcess, dataset_id: string, document_id: string): Promise<string[]> {
  const path = `/datasets/${dataset_id}/documents/${document_id}/segments?limit=100`
  const { data } = await send<Page<{ position: number; content: string }>>(loupe, 'GET', path)
  const positions = data.map(({ position }) => position).sort((one, other) => one - other)
  const isWhole = data.length === LINES_PER_DOCUMENT && positions.every((position, index) => position === index + 1)
  return isWhole
    ? []
    : [`${document_id} has ${data.length} segments of ${LINES_PER_DOCUMENT}, at ${positions.join(' ')}`]
}

async function send<T>(loupe: LoupeProcess, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(loupe.platform + path, {
    method,
    headers: { authorization: `Bearer ${KNOWLEDGE_KEY}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return (text ? JSON.parse(text) : null) as T
}
