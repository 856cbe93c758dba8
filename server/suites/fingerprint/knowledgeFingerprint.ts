import { createHash } from 'node:crypto'
import { contract } from '#contract/index.ts'
import { fillPath, PathSegmentId } from '#contract/endpoint.ts'
import type { DatasetFingerprint, DocumentFingerprint } from '#contract/console/experiments/experimentFingerprints.ts'
import { toStorableText } from '../../db/storableText.ts'
import type { UpstreamClient } from '../../relay/upstream/upstream.ts'
import type { PlatformCredential } from '../../vault/vault.ts'
import { isJsonContainer } from '#domain/losslessJson.ts'
import { ProblemError } from '#contract/problem.ts'
import { fetchJson } from '../../relay/upstream/fetchJson.ts'

/** The JSON at a path of the platform; null if it is not available. */
async function readPlatformJson(
  upstream: UpstreamClient,
  credential: PlatformCredential,
  path: string,
  request_id: string,
): Promise<unknown> {
  try {
    return await fetchJson(upstream, credential, { path }, request_id)
  } catch (error) {
    if (error instanceof ProblemError) return null
    throw error
  }
}

const PAGE_SIZE = 100

/** The items of a list, up to a number of pages; null if it cannot be read. `isWhole` is false if there are more. */
async function readPlatformList(
  readPage: (query: string) => Promise<unknown>,
  maxPages: number,
): Promise<{ items: Record<string, unknown>[]; isWhole: boolean; pages: number } | null> {
  const items: Record<string, unknown>[] = []
  for (let page = 1; page <= maxPages; page++) {
    const reply = (await readPage(`page=${page}&limit=${PAGE_SIZE}`)) as { data?: unknown; has_more?: unknown } | null
    if (!reply || !Array.isArray(reply.data)) return null
    items.push(...(reply.data as Record<string, unknown>[]).filter((item) => typeof item === 'object' && item !== null))
    if (reply.has_more !== true) return { items, isWhole: true, pages: page }
  }
  return { items, isWhole: false, pages: maxPages }
}

/** Pages of 100: of documents of a dataset, and of segments of all its documents. */
const MAX_DOCUMENT_PAGES = 10
const MAX_SEGMENT_PAGES = 50
/** Time limit for listing; anything after that is not listed. */
const MAX_READING_MS = 60_000

/** The fields of a document's record about its content, without times of indexing and hit counts. */
const DOCUMENT_FIELDS = ['name', 'word_count', 'tokens', 'enabled', 'archived', 'doc_form', 'updated_at', 'segment_count', 'indexing_status'] // prettier-ignore
const SEGMENT_FIELDS = ['id', 'index_node_hash', 'content', 'answer', 'keywords', 'enabled']
const SETTING_FIELDS = ['indexing_technique', 'embedding_model', 'embedding_model_provider', 'retrieval_model_dict']

/**
 * The current state of a dataset, with a hash for each document. Anything that cannot be listed is named, and not
 * part of the hash.
 */
export async function takeDatasetFingerprint(
  upstream: UpstreamClient,
  credential: PlatformCredential,
  dataset_id: string,
  request_id: string,
): Promise<{ dataset: DatasetFingerprint; documents: DocumentFingerprint[] }> {
  const deadline = Date.now() + MAX_READING_MS
  const read = (path: string) =>
    Date.now() < deadline ? readPlatformJson(upstream, credential, path, request_id) : Promise.resolve(null)
  const params = { dataset_id }
  const record = (await read(fillPath(contract.adjacent.readDataset.path, params))) as Record<string, unknown> | null
  const documentsPath = fillPath(contract.documents.list.path, params)
  const listed = await readPlatformList((query) => read(`${documentsPath}?${query}`), MAX_DOCUMENT_PAGES)
  const unknown = [
    ...(record ? [] : ['settings']),
    ...(!listed ? ['documents'] : listed.isWhole ? [] : ['further_documents']),
  ]
  const documents: DocumentFingerprint[] = []
  let pagesLeft = MAX_SEGMENT_PAGES
  for (const document of listed?.items ?? []) {
    const id = PathSegmentId.safeParse(document.id).data
    if (id === undefined) continue
    const path = fillPath(contract.adjacent.listSegments.path, { dataset_id, document_id: id })
    const segments = pagesLeft > 0 ? await readPlatformList((query) => read(`${path}?${query}`), pagesLeft) : null
    // After one refused list, as over its rate limit, the platform is not asked for others: the experiment needs its
    // answers.
    pagesLeft = segments ? pagesLeft - segments.pages : 0
    const isWhole = segments?.isWhole === true
    const parts = isWhole ? segments.items.map((segment) => pickFields(segment, SEGMENT_FIELDS)) : []
    documents.push({
      dataset_id,
      id,
      name: toStorableText(typeof document.name === 'string' ? document.name : id, MAX_NAME_CHARS) ?? '',
      hash: toHash([pickFields(document, DOCUMENT_FIELDS), parts]),
      has_segments: isWhole,
    })
  }
  if (documents.some(({ has_segments }) => !has_segments)) unknown.push('segments')
  const settings = record ? toHash(pickFields(record, SETTING_FIELDS)) : null
  const hash = listed ? toHash(documents.map((document) => [document.id, document.hash]).sort()) : null
  const dataset = { dataset_id, hash, settings, documents: listed ? documents.length : null, unknown }
  return { dataset, documents }
}

const MAX_NAME_CHARS = 200

const pickFields = (record: Record<string, unknown>, names: readonly string[]): unknown[] =>
  names.map((name) => sortFields(record[name] ?? null))

/** The order of fields does not matter. */
function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields)
  if (!isJsonContainer(value)) return value
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, part]) => [name, sortFields(part)])
}

const HASH_CHARS = 16

export const toHash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, HASH_CHARS)
