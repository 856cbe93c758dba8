import type { LoupeProcess } from '#support/loupeProcess.ts'
import { createDocument, toProcessRule } from '../../bench/platform/knowledgeClient.ts'
import {
  createPreparedLoupe,
  type KillOptions,
  openPlatform,
  pollUntil,
  readPages,
  type SendRequest,
} from './consoleClient.ts'

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

/**
 * Adds documents to a real Loupe over HTTP, kills it with `kill -9` while it indexes them, starts it again, and looks for
 * each document that was acknowledged: it must be there, end as `completed`, and have each of its segments once. So many `documents` are added before each kill.
 */
export async function killWhileIndexing({
  cycles,
  documents,
  env = {},
  onCycle,
}: KillOptions<IndexingKillCycle> & { documents: number }): Promise<IndexingKillCycle[]> {
  const loupe = await (await createPreparedLoupe({ PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY, ...env })).start()
  try {
    const all: IndexingKillCycle[] = []
    for (let number = 1; number <= cycles; number++) {
      const cycle = await killOnce(loupe, documents, `Cycle ${number}`)
      onCycle?.(cycle)
      all.push(cycle)
    }
    return all
  } finally {
    await loupe.remove()
  }
}

interface DocumentRecord {
  id: string
  indexing_status: string
  error: string | null
}
const isCompleted = ({ indexing_status }: DocumentRecord): boolean => indexing_status === 'completed'

async function killOnce(loupe: LoupeProcess, documents: number, name: string): Promise<IndexingKillCycle> {
  const send = openPlatform(loupe, KNOWLEDGE_KEY)
  const { id } = await send<{ id: string }>('POST', '/datasets', { name })
  const listDocuments = () => readPages<DocumentRecord>(send, `/datasets/${id}/documents`)
  const countCompleted = async () => (await listDocuments()).filter(isCompleted).length
  // Each kill comes at another point: when the last document is in at the latest, when half of them are at the soonest.
  const acknowledged = await addDocuments(send, id, documents, Math.ceil(documents * (0.5 + 0.5 * Math.random())))
  const minCompleted = Math.ceil(acknowledged.length * 0.4 * Math.random())
  const completed_before_kill = await pollUntil(countCompleted, (count) => count >= minCompleted, { intervalMs: 20 })
  await loupe.kill()
  await loupe.start()
  const isOver = (record: DocumentRecord) => isCompleted(record) || record.indexing_status === 'error'
  const records = await pollUntil(listDocuments, (list) => list.every(isOver), { intervalMs: 200 })
  const problems: string[] = []
  for (const document_id of acknowledged) {
    const record = records.find((one) => one.id === document_id)
    if (!record) problems.push(`${document_id} is lost`)
    else if (!isCompleted(record)) problems.push(`${document_id} ended as ${record.indexing_status}: ${record.error}`)
  }
  // Documents that were cut off before their acknowledgement may exist; then they must be complete as well.
  for (const record of records) problems.push(...(await findWrongSegments(send, id, record.id)))
  await send('DELETE', `/datasets/${id}`)
  return { acknowledged: acknowledged.length, completed_before_kill, problems }
}

/** Adds documents concurrently until enough are acknowledged; the remaining requests stay pending. */
async function addDocuments(send: SendRequest, dataset: string, documents: number, enough: number): Promise<string[]> {
  const acknowledged: string[] = []
  let next = 0
  const reached = Promise.withResolvers<void>()
  const adding = Array.from({ length: MAX_CONCURRENT_UPLOADS }, async () => {
    while (next < documents) {
      const name = `Document ${++next}`
      const text = Array.from({ length: LINES_PER_DOCUMENT }, (_, line) => `Line ${line} of ${name}.`).join('\n')
      try {
        acknowledged.push((await createDocument(send, dataset, name, text, toProcessRule('\n', 50))).document.id)
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

async function findWrongSegments(send: SendRequest, dataset_id: string, document_id: string): Promise<string[]> {
  const path = `/datasets/${dataset_id}/documents/${document_id}/segments?limit=100`
  const { data } = await send<{ data: { position: number }[] }>('GET', path)
  const positions = data.map(({ position }) => position).sort((one, other) => one - other)
  const isWhole = data.length === LINES_PER_DOCUMENT && positions.every((position, index) => position === index + 1)
  return isWhole
    ? []
    : [`${document_id} has ${data.length} segments of ${LINES_PER_DOCUMENT}, at ${positions.join(' ')}`]
}
