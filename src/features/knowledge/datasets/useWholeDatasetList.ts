import { useQuery } from '@tanstack/react-query'
import type { CacheTag } from '#contract/endpoint.ts'
import type { ProblemError } from '#contract/problem.ts'

/** The most that a platform and the ledger list at once. */
const PAGE_SIZE_ITEMS = 100
/** A longer list is not read to its end: the screen says so. */
export const MAX_SORTED_DATASETS = 2_000

export interface DatasetPage<Row> {
  data: Row[]
  total: number
}

export interface WholeDatasetListInput<Row> {
  /** Identifies the list: where it comes from and its filters. */
  queryKey: readonly unknown[]
  tags: readonly CacheTag[]
  readPage: (position: { page: number; limit: number }, signal: AbortSignal) => Promise<DatasetPage<Row>>
  isEnabled: boolean
}

/** All datasets of a list, page by page, where they are sorted here. Those that move between pages count once. */
export function useWholeDatasetList<Row extends { id: string }>(input: WholeDatasetListInput<Row>) {
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
