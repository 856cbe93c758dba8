import { contract } from '#contract/index.ts'
import { filterByStatus, isIndexingFinal } from '#domain/documentRecord.ts'
import { useIndexingWatch } from '../indexing/useIndexingWatch.ts'
import { useColumnVisibility } from '../../../components/data/useColumnVisibility.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useRead } from '../../../client/query.ts'
import { useDataset } from '../useDataset.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { INITIALLY_HIDDEN_COLUMNS, useDocumentColumns } from './useDocumentColumns.tsx'

const INDEXING_POLL_INTERVAL_MS = 1000

export type DocumentListState = ReturnType<typeof useDocumentList>

/** The page of a dataset's documents that the URL names, and what is known of the dataset. */
export function useDocumentList(dataset_id: string) {
  const { workspace, findKey, isLoading, problem: workspaceProblem, retry } = useWorkspace()
  const params = useSearchParamState()
  const key = findKey('knowledge')
  const dataset = useDataset(dataset_id, workspace?.id, key)
  const [keyword, status] = [params.get('keyword'), params.get('status')]
  const read = useRead(
    contract.documents.list,
    {
      key: key?.id,
      params: { dataset_id },
      query: { keyword, status, page: params.get('page'), limit: params.get('limit') },
    },
    {
      pollIntervalMs: (reply) =>
        reply?.data.some((document) => !isIndexingFinal(document)) ? INDEXING_POLL_INTERVAL_MS : false,
    },
  )
  const { data, error, dataUpdatedAt } = read
  const rows = data && filterByStatus(data.data, status)
  const indexingWatch = useIndexingWatch(`indexing.${dataset_id}`, data?.data ?? [], dataUpdatedAt)
  const columns = useColumnVisibility(
    'documents',
    useDocumentColumns({ dataset_id, workspace: workspace?.id, watchedDocuments: indexingWatch.watch.documents }),
    INITIALLY_HIDDEN_COLUMNS,
  )
  const problem = workspaceProblem ?? error?.problem
  const total = data?.total ?? data?.data.length ?? 0
  const isEmpty = data !== undefined && !problem && total === 0
  const isFiltered = Boolean(keyword ?? status)
  return {
    workspace,
    key,
    dataset,
    params,
    keyword,
    status,
    isFiltered,
    read,
    rows,
    /** The rows of the page do not have the status that was asked for, so it is filtered here. */
    isStatusIgnored: rows !== undefined && rows.length < (data?.data.length ?? 0),
    total,
    isEmpty,
    isLoading,
    problem,
    retry: () => (workspaceProblem ? retry() : void read.refetch()),
    hasNoKey: !key && !isLoading && !workspaceProblem,
    indexingWatch,
    columns,
  }
}
