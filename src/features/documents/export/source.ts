import type { Key } from '#contract/console.ts'
import type { Input } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import {
  type ChildChunkRecord,
  documentOf,
  type DocumentRecord,
  segmentOf,
  type SegmentRecord,
} from '#contract/records.ts'
import { call } from '../../../wire/call.ts'
import type { Row } from './format.ts'

/** Which documents of a list are meant. */
export interface Filter {
  keyword: string | undefined
  status: string | undefined
}

export interface Order {
  dataset_id: string
  workspace: string
  knowledge: Key
  /** One document, or null for all that the filter finds. */
  document: DocumentRecord | null
  filter: Filter
  /** How deep: documents alone, with their segments, with the child chunks of these. */
  depth: 'documents' | 'segments' | 'child_chunks'
}

const PAGE = 100

/** The rows of an export, read page by page while they are written: no list is ever held whole. */
export async function* rowsOf(order: Order, signal: AbortSignal): AsyncGenerator<Row> {
  for await (const document of documentsOf(order, signal)) {
    yield documentRow(document)
    if (order.depth === 'documents') continue
    for await (const segment of segmentsOf(order, document, signal)) {
      yield segmentRow(document, segment)
      if (order.depth === 'segments') continue
      for await (const child of childrenOf(order, document.id, segment.id, signal))
        yield childRow(document, segment, child)
    }
  }
}

async function* documentsOf(order: Order, signal: AbortSignal): AsyncGenerator<DocumentRecord> {
  if (order.document) return yield order.document
  const { dataset_id, knowledge, filter } = order
  yield* pages((page) =>
    call(
      contract.documents.list,
      { key: knowledge.id, params: { dataset_id }, query: { ...filter, page, limit: PAGE } },
      { signal },
    ),
  )
}

/** From the platform where it lists segments, else those that this console has met. */
async function* segmentsOf(order: Order, { id: document_id }: DocumentRecord, signal: AbortSignal) {
  const { dataset_id, knowledge, workspace } = order
  if (knowledge.offers.includes('listSegments'))
    return yield* pages<SegmentRecord>((page) =>
      call(
        contract.adjacent.listSegments,
        { key: knowledge.id, params: { dataset_id, document_id }, query: { page, limit: PAGE } },
        { signal },
      ),
    )
  const known: SegmentRecord[] = []
  for (let before: string | undefined; ;) {
    const query: Input<typeof contract.console.listThings>['query'] = {
      kind: 'segment',
      parent: document_id,
      workspace,
      limit: PAGE,
      ...(before ? { before } : {}),
    }
    const { data, next } = await call(contract.console.listThings, { query }, { signal })
    for (const { id, label, payload } of data) known.push(segmentOf(payload) ?? { id, content: label })
    if (next === null) break
    before = next
  }
  yield* known.sort((one, other) => (one.position ?? 0) - (other.position ?? 0))
}

async function* childrenOf(order: Order, document_id: string, segment_id: string, signal: AbortSignal) {
  const { dataset_id, knowledge } = order
  yield* pages<ChildChunkRecord>((page) =>
    call(
      contract.segments.listChildChunks,
      { key: knowledge.id, params: { dataset_id, document_id, segment_id }, query: { page, limit: PAGE } },
      { signal },
    ),
  )
}

/** All items of a paged list, by its total: `has_more` is wrong on some platforms, and an empty page ends it for certain. */
async function* pages<Item>(
  read: (page: number) => Promise<{ data: Item[]; total?: number | null | undefined }>,
): AsyncGenerator<Item> {
  for (let page = 1, seen = 0; ; page++) {
    const { data, total } = await read(page)
    yield* data
    seen += data.length
    if (data.length === 0 || seen >= (total ?? Infinity) || (total == null && data.length < PAGE)) return
  }
}

const nothing = {
  content: null,
  answer: null,
  keywords: [],
  word_count: null,
  tokens: null,
  hit_count: null,
  status: null,
  enabled: null,
  created_at: null,
  error: null,
  segment_id: null,
}

const documentRow = (record: DocumentRecord): Row => ({
  ...nothing,
  kind: 'document',
  document_id: record.id,
  document_name: record.name ?? null,
  id: record.id,
  position: record.position ?? null,
  word_count: record.word_count ?? null,
  tokens: record.tokens ?? null,
  hit_count: record.hit_count ?? null,
  status: record.indexing_status ?? null,
  enabled: record.enabled ?? null,
  created_at: record.created_at ?? null,
  error: record.error ?? null,
  record: documentOf(record) ?? record,
})

const segmentRow = (document: DocumentRecord, record: SegmentRecord): Row => ({
  ...nothing,
  kind: 'segment',
  document_id: document.id,
  document_name: document.name ?? null,
  id: record.id,
  segment_id: record.id,
  position: record.position ?? null,
  content: record.content ?? null,
  answer: record.answer ?? null,
  keywords: record.keywords ?? [],
  word_count: record.word_count ?? null,
  tokens: record.tokens ?? null,
  hit_count: record.hit_count ?? null,
  status: record.status ?? null,
  enabled: record.enabled ?? null,
  created_at: record.created_at ?? null,
  error: record.error ?? null,
  record,
})

const childRow = (document: DocumentRecord, segment: SegmentRecord, record: ChildChunkRecord): Row => ({
  ...nothing,
  kind: 'child_chunk',
  document_id: document.id,
  document_name: document.name ?? null,
  id: record.id,
  segment_id: segment.id,
  position: typeof record['position'] === 'number' ? record['position'] : null,
  content: record.content ?? null,
  word_count: record.word_count ?? null,
  tokens: record.tokens ?? null,
  status: record.status ?? null,
  created_at: record.created_at ?? null,
  error: record.error ?? null,
  record,
})
