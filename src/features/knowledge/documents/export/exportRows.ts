import type { EndpointInput } from '#contract/endpoint.ts'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import { resourceEndpoints } from '#contract/console/resources.ts'
import { segmentEndpoints } from '#contract/platform/segments.ts'
import type { Key } from '#contract/console/workspaces.ts'
import {
  type ChildChunkRecord,
  filterByStatus,
  toDocumentRecord,
  type DocumentRecord,
  toSegmentRecord,
  type SegmentRecord,
} from '#domain/documentRecord.ts'
import { call } from '../../../../client/http.ts'
import { UTF8_BOM, toCsvLine } from '#domain/csv.ts'

/** Which documents of a list are meant. */
export interface DocumentFilter {
  keyword: string | undefined
  status: string | undefined
}

export interface ExportRequest {
  dataset_id: string
  workspace: string
  knowledge: Key
  /** Some documents, or null for all that the filter finds. */
  documents: readonly DocumentRecord[] | null
  filter: DocumentFilter
  /** Depth: documents only, with their segments, or with child chunks. */
  depth: 'documents' | 'segments' | 'child_chunks'
}

const PAGE_SIZE_ITEMS = 100

/** The rows of an export, streamed page by page: no list is ever complete in memory. */
export async function* readExportRows(exportRequest: ExportRequest, signal: AbortSignal): AsyncGenerator<ExportRow> {
  for await (const document of readDocuments(exportRequest, signal)) {
    yield toDocumentRow(document)
    if (exportRequest.depth === 'documents') continue
    for await (const segment of readSegments(exportRequest, document, signal)) {
      yield toSegmentRow(document, segment)
      if (exportRequest.depth === 'segments') continue
      for await (const child of readChildChunks(exportRequest, document.id, segment.id, signal))
        yield toChildChunkRow(document, segment, child)
    }
  }
}

async function* readDocuments(exportRequest: ExportRequest, signal: AbortSignal): AsyncGenerator<DocumentRecord> {
  if (exportRequest.documents) return yield* exportRequest.documents
  const { dataset_id, knowledge, filter } = exportRequest
  const documents = readAllPages((page) =>
    call(
      documentEndpoints.list,
      { key: knowledge.id, params: { dataset_id }, query: { ...filter, page, limit: PAGE_SIZE_ITEMS } },
      { signal },
    ),
  )
  for await (const document of documents) yield* filterByStatus([document], filter.status)
}

/** From the platform where it lists segments, else those that this console has met. */
async function* readSegments(exportRequest: ExportRequest, { id: document_id }: DocumentRecord, signal: AbortSignal) {
  const { dataset_id, knowledge, workspace } = exportRequest
  if (knowledge.offers.includes('listSegments'))
    return yield* readAllPages<SegmentRecord>((page) =>
      call(
        optionalSegmentEndpoints.listSegments,
        { key: knowledge.id, params: { dataset_id, document_id }, query: { page, limit: PAGE_SIZE_ITEMS } },
        { signal },
      ),
    )
  const known: SegmentRecord[] = []
  for (let before: string | undefined; ;) {
    const query: EndpointInput<typeof resourceEndpoints.listResources>['query'] = {
      kind: 'segment',
      parent: document_id,
      workspace,
      limit: PAGE_SIZE_ITEMS,
      ...(before ? { before } : {}),
    }
    const { data, next } = await call(resourceEndpoints.listResources, { query }, { signal })
    for (const { id, label, payload } of data) known.push(toSegmentRecord(payload) ?? { id, content: label })
    if (next === null) break
    before = next
  }
  yield* known.sort((one, other) => (one.position ?? 0) - (other.position ?? 0))
}

async function* readChildChunks(
  exportRequest: ExportRequest,
  document_id: string,
  segment_id: string,
  signal: AbortSignal,
) {
  const { dataset_id, knowledge } = exportRequest
  yield* readAllPages<ChildChunkRecord>((page) =>
    call(
      segmentEndpoints.listChildChunks,
      { key: knowledge.id, params: { dataset_id, document_id, segment_id }, query: { page, limit: PAGE_SIZE_ITEMS } },
      { signal },
    ),
  )
}

/** All items of a paged list, by its total: `has_more` is wrong on some platforms, and an empty page ends it for certain. */
async function* readAllPages<Item>(
  read: (page: number) => Promise<{ data: Item[]; total?: number | null | undefined }>,
): AsyncGenerator<Item> {
  for (let page = 1, seen = 0; ; page++) {
    const { data, total } = await read(page)
    yield* data
    seen += data.length
    if (data.length === 0 || seen >= (total ?? Infinity) || (total == null && data.length < PAGE_SIZE_ITEMS)) return
  }
}

const emptyExportRow = {
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

const toDocumentRow = (record: DocumentRecord): ExportRow => ({
  ...emptyExportRow,
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
  record: toDocumentRecord(record) ?? record,
})

const toSegmentRow = (document: DocumentRecord, record: SegmentRecord): ExportRow => ({
  ...emptyExportRow,
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

const toChildChunkRow = (document: DocumentRecord, segment: SegmentRecord, record: ChildChunkRecord): ExportRow => ({
  ...emptyExportRow,
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

export const DOCUMENT_EXPORT_FORMATS = ['jsonl', 'csv', 'md'] as const
export type DocumentExportFormat = (typeof DOCUMENT_EXPORT_FORMATS)[number]

/** One line of an export: a document, one of its segments, or a child chunk of one. */
export interface ExportRow {
  kind: 'document' | 'segment' | 'child_chunk'
  document_id: string
  document_name: string | null
  id: string
  position: number | null
  content: string | null
  answer: string | null
  keywords: readonly string[]
  word_count: number | null
  tokens: number | null
  hit_count: number | null
  status: string | null
  enabled: boolean | null
  created_at: number | null
  error: string | null
  segment_id: string | null
  /** The record as the platform sent it; in JSONL only. */
  record: unknown
}

const DOCUMENT_EXPORT_COLUMNS = [
  'kind',
  'document_id',
  'document_name',
  'segment_id',
  'id',
  'position',
  'content',
  'answer',
  'keywords',
  'word_count',
  'tokens',
  'hit_count',
  'status',
  'enabled',
  'created_at',
  'error',
] as const satisfies readonly (keyof ExportRow)[]

/** The text before the first row. */
export const toExportHeader = (format: DocumentExportFormat): string =>
  format === 'csv' ? UTF8_BOM + toCsvLine(DOCUMENT_EXPORT_COLUMNS) : ''

/** One row of the file with its line end. */
export function formatExportRow(format: DocumentExportFormat, row: ExportRow): string {
  if (format === 'jsonl') return `${JSON.stringify(row)}\n`
  if (format === 'csv')
    return toCsvLine(DOCUMENT_EXPORT_COLUMNS.map((name) => (name === 'keywords' ? row.keywords.join('; ') : row[name])))
  return toMarkdown(row)
}

function toMarkdown({ kind, document_name, id, position, content, answer, keywords }: ExportRow): string {
  if (kind === 'document') return `# ${escapeLine(document_name ?? id)}\n\n\`${id}\`\n\n`
  const head = kind === 'segment' ? `## Segment ${position ?? ''}`.trim() : `### Child chunk ${position ?? ''}`.trim()
  const fence = '`'.repeat(Math.max(3, getLongestBacktickRun(content ?? '') + 1))
  return [
    `${head}\n\n\`${id}\`\n`,
    `${fence}text\n${content ?? ''}\n${fence}\n`,
    answer ? `**Answer:** ${escapeLine(answer)}\n` : '',
    keywords.length > 0 ? `Keywords: ${keywords.map(escapeLine).join(', ')}\n` : '',
  ]
    .filter(Boolean)
    .concat('')
    .join('\n')
}

/** Text that is not ours on one line, with what Markdown or HTML would read in it set apart. */
const escapeLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|]/g, '\\$&')
const getLongestBacktickRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
