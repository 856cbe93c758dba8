import { contract } from '#contract/index.ts'
import { Dataset } from '#contract/shapes.ts'
import { useRead } from './query.ts'

/** What the ledger knows of a dataset; the interface has no call that reads one. */
export function useDataset(dataset_id: string, workspace: string | undefined) {
  const read = useRead(
    contract.console.listThings,
    { query: { kind: 'dataset', id: dataset_id, workspace, limit: 1 } },
    { enabled: workspace !== undefined },
  )
  const thing = read.data?.data.find(({ id }) => id === dataset_id)
  const record = Dataset.safeParse(thing?.payload).data
  return {
    name: thing?.label ?? record?.name ?? null,
    technique: record?.indexing_technique ?? null,
    isKnown: !read.isPending,
  }
}
