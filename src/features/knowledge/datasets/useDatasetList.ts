import type { Key, Resource } from '#contract/console/consoleEndpoints.ts'
import { contract } from '#contract/index.ts'
import { useRead } from '../../../client/query.ts'
import type { DatasetRecord } from '../useDataset.ts'
import { parseDatasetRecord } from './datasetRecord.ts'

/** One dataset of a list. `thing` is what the ledger has of it, null where the platform has listed it. */
export interface DatasetRow {
  id: string
  workspace: string
  name: string | null
  record: DatasetRecord | null
  resource: Resource | null
}

export interface DatasetListQuery {
  q: string | undefined
  /** The id of a tag that the datasets have. */
  tag: string | undefined
  page: string | undefined
  limit: string | undefined
}

/** The datasets, from the platform where it lists them; the interface has no such call, so else from the ledger. */
export function useDatasetList(
  workspace: string | undefined,
  knowledge: Key | undefined,
  { q, tag, page, limit }: DatasetListQuery,
) {
  const isFromPlatform = knowledge?.offers.includes('listDatasets') ?? false
  const platformRead = useRead(
    contract.adjacent.listDatasets,
    { key: knowledge?.id, query: { keyword: q, tag_ids: tag, page, limit } },
    { enabled: isFromPlatform },
  )
  const ledgerRead = useRead(
    contract.console.listResources,
    { query: { kind: 'dataset', workspace, q, page, limit } },
    { enabled: workspace !== undefined && !isFromPlatform },
  )
  const platform = platformRead.data && {
    data: platformRead.data.data.map((record) => ({
      id: record.id,
      workspace: workspace ?? '',
      name: record.name ?? null,
      record,
      resource: null,
    })),
    total: platformRead.data.total ?? platformRead.data.data.length,
    page: platformRead.data.page ?? Number(page ?? 1),
    limit: platformRead.data.limit ?? Number(limit ?? 20),
  }
  const ledger = ledgerRead.data && {
    ...ledgerRead.data,
    data: ledgerRead.data.data.map((resource) => ({
      id: resource.id,
      workspace: resource.workspace,
      name: resource.label,
      record: parseDatasetRecord(resource),
      resource,
    })),
  }
  const { error, refetch, isFetching, dataUpdatedAt } = isFromPlatform ? platformRead : ledgerRead
  const data: { data: DatasetRow[]; total: number; total_capped?: boolean; page: number; limit: number } | undefined =
    isFromPlatform ? platform : ledger
  return { data, error, refetch, isFetching, dataUpdatedAt, isListed: isFromPlatform }
}
