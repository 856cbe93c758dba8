import { documentEndpoints } from '#contract/platform/documents.ts'
import { type DocumentRecord, filterByStatus } from '#domain/documentRecord.ts'
import { call } from '../../../../client/http.ts'

/** The most that the interface lists at once. */
const PAGE_SIZE_ITEMS = 100
const MAX_PARALLEL_READS = 4
/** Longer lists are not read completely; the screen says so. */
export const MAX_WHOLE_LIST_DOCUMENTS = 20_000

export interface WholeDocumentList {
  documents: DocumentRecord[]
  /** Of the platform's list; more than the documents where it is longer than the limit. */
  total: number
  requests: number
  durationMs: number
}

export interface DocumentListTarget {
  keyId: string
  dataset_id: string
  keyword: string | undefined
  status: string | undefined
}

/**
 * All documents of a dataset, page by page and a few at a time, for what the platform does not do: it neither sorts nor
 * filters by anything but name and status. Documents that move between pages meanwhile are counted once.
 * @throws ProblemError if a page is not read.
 */
export async function readAllDocuments(
  { keyId, dataset_id, keyword, status }: DocumentListTarget,
  signal: AbortSignal,
  onProgress: (progress: { read: number; total: number }) => void = () => undefined,
): Promise<WholeDocumentList> {
  const startedAt = performance.now()
  const pages: DocumentRecord[][] = []
  const ids = new Set<string>()
  const readPage = async (page: number) => {
    const query = { keyword, status, page, limit: PAGE_SIZE_ITEMS }
    const reply = await call(documentEndpoints.list, { key: keyId, params: { dataset_id }, query }, { signal })
    pages[page - 1] = reply.data
    const known = ids.size
    for (const { id } of reply.data) ids.add(id)
    return { ...reply, hasNew: ids.size > known }
  }
  const first = await readPage(1)
  const total = first.total ?? first.data.length
  const countPages = (size: number) => Math.ceil(Math.min(total, MAX_WHOLE_LIST_DOCUMENTS) / Math.max(1, size))
  // A platform may return shorter pages than it says, or hide documents within a page. `has_more` is wrong on some.
  const minPages = countPages(Math.max(first.data.length, first.limit ?? PAGE_SIZE_ITEMS))
  let lastPage = countPages(first.data.length)
  let next = 2
  let read = first.data.length
  onProgress({ read, total })
  const readOn = async () => {
    while (next <= lastPage) {
      const page = next++
      const { data, hasNew } = await readPage(page)
      if (page >= minPages && !hasNew) lastPage = Math.min(lastPage, page)
      read += data.length
      onProgress({ read, total })
    }
  }
  await Promise.all(Array.from({ length: MAX_PARALLEL_READS }, readOn))
  const documents = [...new Map(pages.flat().map((document) => [document.id, document])).values()]
  return {
    documents: filterByStatus(documents, status),
    total,
    requests: pages.length,
    durationMs: performance.now() - startedAt,
  }
}

/** So few documents are each searched by name; of more, the whole list is read. */
const MAX_SEARCHED_DOCUMENTS = 10

/**
 * The current records of documents, in the same order; without those that the platform no longer lists. The interface
 * cannot read a single document.
 * @throws ProblemError if the platform does not list the documents
 */
export async function readDocumentsAgain(
  target: Pick<DocumentListTarget, 'keyId' | 'dataset_id'>,
  documents: readonly DocumentRecord[],
  signal: AbortSignal,
): Promise<DocumentRecord[]> {
  const keywords =
    documents.length > MAX_SEARCHED_DOCUMENTS
      ? [undefined]
      : [...new Set(documents.map(({ name }) => name?.slice(0, 255)))]
  const lists = await Promise.all(
    keywords.map((keyword) => readAllDocuments({ ...target, keyword, status: undefined }, signal)),
  )
  const records = new Map(lists.flatMap((list) => list.documents).map((record) => [record.id, record]))
  return documents.flatMap(({ id }) => records.get(id) ?? [])
}
