import { setTimeout as wait } from 'node:timers/promises'
import type { LoupeProcess } from '#support/loupeProcess.ts'
import { readCpuMs } from './cpuTime.ts'
import type { IndexedText } from './okapiIndex.ts'

export const KNOWLEDGE_KEY = 'knowledge-of-the-bench'
const CONCURRENT_CREATES = 4
const POLL_INTERVAL_MS = 100
const DOCUMENTS_PER_PAGE = 100
/** Maximum characters of a query that `/retrieve` accepts. */
const MAX_QUERY_CHARS = 250

/** A dataset of the built-in platform that holds the documents of a collection. */
export interface CollectionDataset {
  id: string
  /** Id in the collection by the platform's document id. */
  idByDocument: ReadonlyMap<string, string>
}

export interface LoadedDataset extends CollectionDataset {
  documentsPerSecond: number
  /** CPU time of the server. */
  cpuMsPerDocument: number
}

/** A segment that was found, with the id of its document in the collection. */
export interface RetrievedSegment {
  id: string
  content: string
  answer: string | null
  score: number
}

/**
 * Creates a dataset and one document for each text, four at a time, under names that say nothing about the text. The time
 * is taken from the first request until all documents are available.
 * @throws Error if a document is not indexed.
 */
export async function loadDataset(
  loupe: LoupeProcess,
  name: string,
  texts: readonly IndexedText[],
  indexing_technique: 'economy' | 'high_quality' = 'economy',
): Promise<LoadedDataset> {
  const { id } = await send<{ id: string }>(loupe, '/datasets', { name, indexing_technique })
  const idByDocument = new Map<string, string>()
  const waiting = [...texts.entries()].reverse()
  const began = performance.now()
  const cpuMs = readCpuMs(loupe)
  const createNext = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [index, text] = next
      const { document } = await send<{ document: { id: string } }>(loupe, `/datasets/${id}/document/create-by-text`, {
        name: `x${index + 1}`,
        text: text.text,
        indexing_technique,
        process_rule: { mode: 'automatic' },
      })
      idByDocument.set(document.id, text.id)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_CREATES }, createNext))
  await waitUntilAvailable(loupe, id, texts.length)
  return {
    id,
    idByDocument,
    documentsPerSecond: (texts.length * 1000) / (performance.now() - began),
    cpuMsPerDocument: (readCpuMs(loupe) - cpuMs) / texts.length,
  }
}

/** Page by page: a document that is available stays so. */
async function waitUntilAvailable(loupe: LoupeProcess, dataset_id: string, count: number): Promise<void> {
  for (let page = 1; (page - 1) * DOCUMENTS_PER_PAGE < count; page++) {
    for (;;) {
      const { data } = await send<{ data: { name: string; indexing_status: string; error: string | null }[] }>(
        loupe,
        `/datasets/${dataset_id}/documents?page=${page}&limit=${DOCUMENTS_PER_PAGE}`,
      )
      const failed = data.find(({ indexing_status }) => indexing_status === 'error')
      if (failed) throw new Error(`${failed.name} was not indexed: ${failed.error}`)
      if (data.length > 0 && data.every(({ indexing_status }) => indexing_status === 'completed')) break
      await wait(POLL_INTERVAL_MS)
    }
  }
}

/** The best segments of a dataset for a query, best first; a query that is too long is cut at a word. */
export async function retrieveSegments(
  loupe: LoupeProcess,
  { id, idByDocument }: CollectionDataset,
  query: string,
  top_k: number,
): Promise<RetrievedSegment[]> {
  const { records } = await send<{
    records: { segment: { content: string; answer: string | null; document: { id: string } }; score: number }[]
  }>(loupe, `/datasets/${id}/retrieve`, {
    query: truncateQuery(query),
    retrieval_model: {
      search_method: 'keyword_search',
      reranking_enable: false,
      top_k,
      score_threshold_enabled: false,
    },
  })
  return records.map(({ segment, score }) => ({
    id: idByDocument.get(segment.document.id) ?? '',
    content: segment.content,
    answer: segment.answer,
    score,
  }))
}

export function truncateQuery(query: string): string {
  if (query.length <= MAX_QUERY_CHARS) return query
  const end = query.lastIndexOf(' ', MAX_QUERY_CHARS)
  return query.slice(0, end > 0 ? end : MAX_QUERY_CHARS)
}

/** A GET, or a POST of the body. @throws Error for every status but 2xx. */
async function send<T>(loupe: LoupeProcess, path: string, body?: unknown): Promise<T> {
  const response = await fetch(loupe.platform + path, {
    headers: { authorization: `Bearer ${KNOWLEDGE_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}
