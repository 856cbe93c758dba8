import type { z } from 'zod'
import { type Endpoint, fillPath } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import type { Segment } from '#contract/platform/schemas.ts'
import { fetchJson } from '../../relay/upstream/fetchJson.ts'
import type { UpstreamClient } from '../../relay/upstream/upstream.ts'
import type { PlatformCredential } from '../../vault/vault.ts'
import { parseBySchema } from '#domain/losslessJson.ts'

export interface ListedDocument {
  id: string
  name: string
  segments: z.output<typeof Segment>[]
}

/** Null if it is too large for an estimate. */
export type ListedDataset = readonly ListedDocument[] | null

const PAGE_SIZE_ROWS = 100
const MAX_LISTED_SEGMENTS = 20_000
const MAX_LISTED_DOCUMENTS = 1_000
const MAX_LISTED_CHARS = 20_000_000

/** @throws ProblemError */
export async function listDataset(
  upstream: UpstreamClient,
  credential: PlatformCredential,
  dataset_id: string,
): Promise<ListedDataset> {
  const documents: ListedDocument[] = []
  let [segments, chars] = [0, 0]
  for await (const document of listAll(upstream, credential, contract.documents.list, { dataset_id })) {
    if (document.enabled === false || document.archived === true) continue
    if (documents.length >= MAX_LISTED_DOCUMENTS) return null
    const listed: ListedDocument = { id: document.id, name: document.name ?? '', segments: [] }
    documents.push(listed)
    const params = { dataset_id, document_id: document.id }
    for await (const segment of listAll(upstream, credential, contract.adjacent.listSegments, params)) {
      segments++
      chars += (segment.content ?? '').length
      if (segments > MAX_LISTED_SEGMENTS || chars > MAX_LISTED_CHARS) return null
      listed.segments.push(segment)
    }
  }
  return documents
}

interface ListEntry<Item> extends Endpoint {
  reply: z.ZodType<{ data: Item[]; has_more?: boolean | null | undefined }>
}

async function* listAll<Item>(
  upstream: UpstreamClient,
  credential: PlatformCredential,
  { path, reply }: ListEntry<Item>,
  params: Record<string, string>,
): AsyncGenerator<Item> {
  for (let page = 1; ; page++) {
    const query = `?page=${page}&limit=${PAGE_SIZE_ROWS}`
    const body = await fetchJson(upstream, credential, { path: fillPath(path, params) + query })
    const parsed = parseBySchema(reply, body)
    if (!parsed.success) throw new ProblemError({ kind: 'mismatch', message: 'The platform returned no list.' })
    yield* parsed.data.data
    if (parsed.data.has_more !== true || parsed.data.data.length === 0) return
  }
}
