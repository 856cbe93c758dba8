import type { Key, Thing } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { useRead } from '../../wire/query.ts'
import type { DatasetRecord } from '../../wire/useDataset.ts'
import { recordOf } from './record.ts'

/** One dataset of a list. `thing` is what the ledger has of it, null where the platform has listed it. */
export interface DatasetRow {
  id: string
  workspace: string
  name: string | null
  record: DatasetRecord | null
  thing: Thing | null
}

export interface ListQuery {
  q: string | undefined
  page: string | undefined
  limit: string | undefined
}

/** The datasets, from the platform where it lists them; the interface has no such call, so else from the ledger. */
export function useDatasetList(
  workspace: string | undefined,
  knowledge: Key | undefined,
  { q, page, limit }: ListQuery,
) {
  const isListed = knowledge?.offers.includes('listDatasets') ?? false
  const listed = useRead(
    contract.adjacent.listDatasets,
    { key: knowledge?.id, query: { keyword: q, page, limit } },
    { enabled: isListed },
  )
  const seen = useRead(
    contract.console.listThings,
    { query: { kind: 'dataset', workspace, q, page, limit } },
    { enabled: workspace !== undefined && !isListed },
  )
  const platform = listed.data && {
    data: listed.data.data.map((record) => ({
      id: record.id,
      workspace: workspace ?? '',
      name: record.name ?? null,
      record,
      thing: null,
    })),
    total: listed.data.total ?? listed.data.data.length,
    page: listed.data.page ?? Number(page ?? 1),
    limit: listed.data.limit ?? Number(limit ?? 20),
  }
  const ledger = seen.data && {
    ...seen.data,
    data: seen.data.data.map((thing) => ({
      id: thing.id,
      workspace: thing.workspace,
      name: thing.label,
      record: recordOf(thing),
      thing,
    })),
  }
  const { error, refetch, isFetching, dataUpdatedAt } = isListed ? listed : seen
  const data: { data: DatasetRow[]; total: number; beyond?: boolean; page: number; limit: number } | undefined =
    isListed ? platform : ledger
  return { data, error, refetch, isFetching, dataUpdatedAt, isListed }
}
