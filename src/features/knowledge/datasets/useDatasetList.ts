import { useMemo } from 'react'
import type { z } from 'zod'
import type { Dataset } from '#contract/platform/schemas.ts'
import { optionalDatasetEndpoints } from '#contract/platform/optionalDatasets.ts'
import { resourceEndpoints, type Resource } from '#contract/console/resources.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { call } from '../../../client/http.ts'
import { useRead } from '../../../client/query.ts'
import { parseDatasetRecord, type DatasetRow, parseDatasetSort, sortDatasets } from './datasetRow.ts'
import { useQuery } from '@tanstack/react-query'
import type { CacheTag } from '#contract/endpoint.ts'
import type { ProblemError } from '#contract/problem.ts'

interface DatasetListData {
  data: DatasetRow[]
  total: number
  total_capped?: boolean
  page: number
  limit: number
}

const DEFAULT_PAGE_SIZE_ITEMS = 20

/** The datasets, from the platform where it lists them; the interface has no such call, so else from the ledger. */
export function useDatasetList(workspace: string | undefined, knowledge: Key | undefined) {
  const list = useSearchParamState()
  const hasTags = knowledge?.offers.includes('listTags') ?? false
  /** The id of a tag that the datasets have. */
  const tag = hasTags ? list.get('tag') : undefined
  const [q, page, limit, sortParam] = [list.get('q'), list.get('page'), list.get('limit'), list.get('sort')]
  const isFromPlatform = knowledge?.offers.includes('listDatasets') ?? false
  const sort = useMemo(() => parseDatasetSort(sortParam), [sortParam])
  const isSorted = sort !== null
  const platformRead = useRead(
    optionalDatasetEndpoints.listDatasets,
    { key: knowledge?.id, query: { keyword: q, tag_ids: tag, page, limit } },
    { enabled: isFromPlatform && !isSorted },
  )
  const ledgerRead = useRead(
    resourceEndpoints.listResources,
    { query: { kind: 'dataset', workspace, q, page, limit } },
    { enabled: workspace !== undefined && !isFromPlatform && !isSorted },
  )
  const wholeRead = useWholeDatasetList<DatasetRow>({
    queryKey: [isFromPlatform ? knowledge?.id : null, workspace, q, isFromPlatform ? tag : null],
    tags: isFromPlatform ? optionalDatasetEndpoints.listDatasets.tags : resourceEndpoints.listResources.tags,
    isEnabled: isSorted && workspace !== undefined,
    readPage: async (position, signal) => {
      if (isFromPlatform) {
        const query = { keyword: q, tag_ids: tag, ...position }
        const reply = await call(optionalDatasetEndpoints.listDatasets, { key: knowledge?.id, query }, { signal })
        return { data: reply.data.map(toPlatformRow(workspace)), total: reply.total ?? reply.data.length }
      }
      const query = { kind: 'dataset' as const, workspace, q, ...position }
      const reply = await call(resourceEndpoints.listResources, { query }, { signal })
      return { data: reply.data.map(toLedgerRow), total: reply.total }
    },
  })
  const wanted = { page: Number(page ?? 1), limit: Number(limit ?? DEFAULT_PAGE_SIZE_ITEMS) }
  const whole = wholeRead.data
  const sorted = useMemo(() => (whole && sort ? sortDatasets(whole.data, sort) : undefined), [whole, sort])
  const platform: DatasetListData | undefined = platformRead.data && {
    data: platformRead.data.data.map(toPlatformRow(workspace)),
    total: platformRead.data.total ?? platformRead.data.data.length,
    page: platformRead.data.page ?? wanted.page,
    limit: platformRead.data.limit ?? wanted.limit,
  }
  const ledger: DatasetListData | undefined = ledgerRead.data && {
    ...ledgerRead.data,
    data: ledgerRead.data.data.map(toLedgerRow),
  }
  const { error, refetch, fetchStatus, dataUpdatedAt } = isSorted
    ? wholeRead
    : isFromPlatform
      ? platformRead
      : ledgerRead
  const data = isSorted ? sorted && cutPage(sorted, wanted) : isFromPlatform ? platform : ledger
  return {
    read: { data, error, refetch, fetchStatus, dataUpdatedAt },
    isFromPlatform,
    hasTags,
    q,
    tag,
    sort,
    /** Of the list, where it is longer than what was read to sort it. */
    totalBeyondLimit: isSorted && whole && whole.total > whole.data.length ? whole.total : null,
  }
}

const toPlatformRow =
  (workspace: string | undefined) =>
  (record: z.output<typeof Dataset>): DatasetRow => ({
    id: record.id,
    workspace: workspace ?? '',
    name: record.name ?? null,
    record,
    resource: null,
  })

const toLedgerRow = (resource: Resource): DatasetRow => ({
  id: resource.id,
  workspace: resource.workspace,
  name: resource.label,
  record: parseDatasetRecord(resource),
  resource,
})

const cutPage = (rows: readonly DatasetRow[], { page, limit }: { page: number; limit: number }): DatasetListData => ({
  data: rows.slice((page - 1) * limit, page * limit),
  total: rows.length,
  page,
  limit,
})

/** The most that a platform and the ledger list at once. */
const PAGE_SIZE_ITEMS = 100
/** Longer lists are not read completely; the screen says so. */
export const MAX_SORTED_DATASETS = 2_000

interface DatasetPage<Row> {
  data: Row[]
  total: number
}

interface WholeDatasetListInput<Row> {
  /** Identifies the list: where it comes from and its filters. */
  queryKey: readonly unknown[]
  tags: readonly CacheTag[]
  readPage: (position: { page: number; limit: number }, signal: AbortSignal) => Promise<DatasetPage<Row>>
  isEnabled: boolean
}

/** All datasets of a list, page by page, where they are sorted here. Those that move between pages count once. */
function useWholeDatasetList<Row extends { id: string }>(input: WholeDatasetListInput<Row>) {
  return useQuery<DatasetPage<Row>, ProblemError>({
    queryKey: ['datasets', 'whole', ...input.queryKey],
    queryFn: async ({ signal }) => {
      const rows = new Map<string, Row>()
      let read = 0
      for (let page = 1; ; page++) {
        const { data, total } = await input.readPage({ page, limit: PAGE_SIZE_ITEMS }, signal)
        for (const row of data) rows.set(row.id, row)
        read += data.length
        if (data.length === 0 || read >= Math.min(total, MAX_SORTED_DATASETS))
          return { data: [...rows.values()], total }
      }
    },
    meta: { shows: input.tags },
    enabled: input.isEnabled,
  })
}
