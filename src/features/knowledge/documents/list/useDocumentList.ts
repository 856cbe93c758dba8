import { paths } from '#domain/paths.ts'
import { useMemo, useState } from 'react'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { type DocumentRecord, filterByStatus, isIndexingFinal } from '#domain/documentRecord.ts'
import { useIndexingWatch } from '../../indexing/useIndexingWatch.ts'
import { useColumnVisibility } from '../../../../components/data/useColumnVisibility.ts'
import { useSearchParamState } from '../../../../components/hooks/useSearchParamState.ts'
import { useRead } from '../../../../client/query.ts'
import { useDataset } from '../../useDataset.ts'
import { useWorkspace } from '../../../../client/useWorkspace.ts'
import { useDocumentsWithDrafts } from '../../chunkDrafts.ts'
import { filterDocuments, hasDocumentFilters, parseDocumentFilters } from './documentFilters.ts'
import { parseDocumentSort, type SortColumn, sortDocuments, toggleSort } from './documentSort.ts'
import { INITIALLY_HIDDEN_COLUMNS, useDocumentColumns } from './useDocumentColumns.tsx'
import type { Problem, ProblemError } from '#contract/problem.ts'
import { idLookupEndpoints } from '#contract/console/resources.ts'
import { callEndpoints } from '#contract/console/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { type DocumentListTarget, readAllDocuments, type WholeDocumentList } from './readAllDocuments.ts'

const INDEXING_POLL_INTERVAL_MS = 1000
const DEFAULT_PAGE_SIZE_ITEMS = 20

export type DocumentListState = ReturnType<typeof useDocumentList>

/** A page of a list: what the platform gave, or a part of the whole list that was sorted and filtered here. */
export interface DocumentListPage {
  data: DocumentRecord[]
  total: number
  page: number
  limit: number
}

/** The page of a dataset's documents that the URL names, and what is known of the dataset. */
export function useDocumentList(dataset_id: string, { renamed }: { renamed: string | null }) {
  const { workspace, findKey, isLoading, problem: workspaceProblem, retry } = useWorkspace()
  const params = useSearchParamState()
  const key = findKey('knowledge')
  const dataset = useDataset(dataset_id, workspace?.id, key)
  const [keyword, status] = [params.get('keyword'), params.get('status')]
  const { sort, filters } = useListParams(params.get)
  const hasOwnFilters = hasDocumentFilters(filters)
  const needsWholeList = sort !== null || hasOwnFilters
  const target = { keyId: key?.id ?? '', dataset_id, keyword, status }
  const whole = useWholeDocumentList(needsWholeList && key ? target : null)
  const read = useRead(
    documentEndpoints.list,
    {
      key: key?.id,
      params: { dataset_id },
      query: { keyword, status, page: params.get('page'), limit: params.get('limit') },
    },
    {
      enabled: !needsWholeList,
      pollIntervalMs: (reply) =>
        reply?.data.some((document) => !isIndexingFinal(document)) ? INDEXING_POLL_INTERVAL_MS : false,
    },
  )
  const draftDocuments = useDocumentsWithDrafts()
  const retrieved = useRetrievedDocuments(dataset_id, workspace?.id, filters.unretrievedDays)
  const updateTimes = useUpdateTimes(dataset_id, workspace?.id)
  const isFilterKnown = filters.unretrievedDays === null || retrieved.documents !== null
  const listed = needsWholeList && isFilterKnown ? whole.data?.documents : undefined
  const sorted = useMemo(() => {
    const passed =
      listed && filterDocuments(listed, filters, { draftDocuments, retrievedDocuments: retrieved.documents })
    return passed && sort ? sortDocuments(passed, sort, updateTimes.getUpdatedAt) : passed
  }, [listed, sort, filters, draftDocuments, retrieved.documents, updateTimes.getUpdatedAt])
  const wanted = {
    page: Number(params.get('page') ?? 1),
    limit: Number(params.get('limit') ?? DEFAULT_PAGE_SIZE_ITEMS),
  }
  // The platform's page has not passed the filters that only the browser has.
  const given = read.data && !hasOwnFilters ? toPage(read.data, wanted) : undefined
  const page = sorted ? cutPage(sorted, wanted) : given
  const rows = page && filterByStatus(page.data, status)
  const source = needsWholeList ? whole : read
  const indexingWatch = useIndexingWatch(`indexing.${dataset_id}`, page?.data ?? [], source.dataUpdatedAt)
  const columns = useColumnVisibility(
    'documents',
    useDocumentColumns({
      dataset_id,
      workspace: workspace?.id,
      knowledge: key,
      watchedDocuments: indexingWatch.watch.documents,
      draftDocuments,
      getUpdatedAt: updateTimes.getUpdatedAt,
      renamed: workspace?.builtin ? renamed : null,
      onRenamed: () => params.set({ rename: null }),
      sort,
      onSort: (column: SortColumn) => params.set({ sort: toggleSort(sort, column) }),
    }),
    INITIALLY_HIDDEN_COLUMNS,
  )
  const problem = workspaceProblem ?? source.error?.problem ?? (hasOwnFilters ? retrieved.problem : null)
  const total = page?.total ?? 0
  return {
    dataset_id,
    name: dataset.name ?? dataset_id.slice(0, 8),
    toDocumentPath: (id: string) => paths.document(dataset_id, id, workspace ? { workspace: workspace.id } : {}),
    workspace,
    key,
    dataset,
    params,
    keyword,
    status,
    sort,
    filters,
    isFiltered: Boolean(keyword ?? status) || hasOwnFilters,
    page,
    rows,
    /** All documents that pass the filters, where all were read. */
    all: sorted,
    /** What an export of the list holds; null for all that the platform finds, undefined while the filtered ones are read. */
    exportable: hasOwnFilters ? sorted && filterByStatus(sorted, status) : null,
    whole: needsWholeList ? whole : null,
    retrieved,
    /** The rows of the page do not have the requested status, so it is filtered here. */
    isStatusIgnored: rows !== undefined && rows.length < (page?.data.length ?? 0),
    total,
    isEmpty: page !== undefined && !problem && total === 0,
    isLoading,
    problem,
    isFetching: source.isFetching,
    updatedAt: source.dataUpdatedAt,
    refetch: () => void source.refetch(),
    retry: () => (workspaceProblem ? retry() : void source.refetch()),
    hasNoKey: !key && !isLoading && !workspaceProblem,
    indexingWatch,
    columns,
  }
}

/** The order and the filters in the URL; the same objects until it changes, since a long list is sorted by them. */
function useListParams(get: (name: string) => string | undefined) {
  const [sort, metadata, drafts] = [get('sort'), get('metadata'), get('drafts')]
  const [losses, unretrieved] = [get('losses'), get('unretrieved')]
  return useMemo(
    () => ({ sort: parseDocumentSort(sort), filters: parseDocumentFilters({ metadata, drafts, losses, unretrieved }) }),
    [sort, metadata, drafts, losses, unretrieved],
  )
}

const cutPage = (documents: DocumentRecord[], { page, limit }: { page: number; limit: number }): DocumentListPage => ({
  data: documents.slice((page - 1) * limit, page * limit),
  total: documents.length,
  page,
  limit,
})

const toPage = (
  reply: { data: DocumentRecord[]; total?: number | null; page?: number | null; limit?: number | null },
  wanted: { page: number; limit: number },
): DocumentListPage => ({
  data: reply.data,
  total: reply.total ?? reply.data.length,
  page: reply.page ?? wanted.page,
  limit: reply.limit ?? wanted.limit,
})

interface RetrievedDocumentsState {
  /** Null while it is not known. */
  documents: ReadonlySet<string> | null
  /** How many questions were read, and whether there are more in this period. */
  questions: number
  isComplete: boolean
  problem: Problem | null
}

/** The documents of a dataset that questions of the last days found, as far as this console saw them. */
function useRetrievedDocuments(
  dataset_id: string,
  workspace: string | undefined,
  days: number | null,
): RetrievedDocumentsState {
  const { data, error } = useRead(
    idLookupEndpoints.listRetrievedDocuments,
    { query: { workspace: workspace ?? '', dataset: dataset_id, days: days ?? 1 } },
    { enabled: workspace !== undefined && days !== null },
  )
  const documents = useMemo(() => (data ? new Set(data.data.map(({ id }) => id)) : null), [data])
  return {
    documents: days === null ? null : documents,
    questions: data?.questions ?? 0,
    isComplete: data?.is_complete ?? true,
    problem: error?.problem ?? null,
  }
}

/** Calls after which a document has another text. */
const UPDATE_ENTRIES = ['documents.updateByText', 'documents.updateByFile', 'adjacent.updateDocument'].join(',')
/** Older updates of a dataset are not read. */
const MAX_UPDATES = 100

/**
 * When documents were last updated (Unix seconds): platforms do not say it in their list, so it is what this console
 * sent, among the newest updates of the dataset.
 */
function useUpdateTimes(dataset_id: string, workspace: string | undefined) {
  const { data } = useRead(
    callEndpoints.listCalls,
    { query: { workspace, resource: dataset_id, entry: UPDATE_ENTRIES, status: 'succeeded', limit: MAX_UPDATES } },
    { enabled: workspace !== undefined },
  )
  // The same function while nothing changes: a long list is sorted by it.
  return useMemo(() => {
    const times = new Map<string, number>()
    for (const { params, created_at } of data?.data ?? []) {
      const id = params?.['document_id']
      if (id && !times.has(id)) times.set(id, Math.floor(Date.parse(created_at) / 1000))
    }
    const getUpdatedAt = (document: DocumentRecord): number | null => {
      const given: unknown = document['updated_at']
      return typeof given === 'number' ? given : (times.get(document.id) ?? null)
    }
    return { getUpdatedAt }
  }, [data])
}

/** Lists with few requests are polled while their documents are indexed. */
const MAX_POLLED_REQUESTS = 2
const WHOLE_LIST_POLL_INTERVAL_MS = 2_000

/** All documents of a dataset where the screen needs them, with how far reading them has come. */
function useWholeDocumentList(target: DocumentListTarget | null) {
  const [progress, setProgress] = useState<{ read: number; total: number } | null>(null)
  const read = useQuery<WholeDocumentList, ProblemError>({
    queryKey: ['documents', 'whole', target],
    queryFn: ({ signal }) => {
      if (!target) throw new Error('There is no list to read.')
      return readAllDocuments(target, signal, setProgress)
    },
    meta: { shows: documentEndpoints.list.tags },
    enabled: target !== null,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state: { data } }) =>
      data && data.requests <= MAX_POLLED_REQUESTS && data.documents.some((document) => !isIndexingFinal(document))
        ? WHOLE_LIST_POLL_INTERVAL_MS
        : false,
  })
  return { ...read, progress: read.data ? null : progress }
}
