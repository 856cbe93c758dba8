import type { z } from 'zod'
import type { Key } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { Dataset } from '#contract/shapes.ts'
import { useRead } from './query.ts'

export type DatasetRecord = z.output<typeof Dataset>

/**
 * One dataset: read from the platform where `key` offers that (the interface has no such call), else what the ledger knows
 * of it, which says when this console last saw it.
 */
export function useDataset(dataset_id: string, workspace: string | undefined, key?: Key) {
  const isOffered = key?.offers.includes('readDataset') ?? false
  const live = useRead(contract.adjacent.readDataset, { key: key?.id, params: { dataset_id } }, { enabled: isOffered })
  const things = useRead(
    contract.console.listThings,
    { query: { kind: 'dataset', id: dataset_id, workspace, limit: 1 } },
    { enabled: workspace !== undefined },
  )
  const thing = things.data?.data.find(({ id }) => id === dataset_id)
  const own = live.data?.id === dataset_id ? live.data : null
  const record: DatasetRecord | null = own ?? Dataset.safeParse(thing?.payload).data ?? null
  return {
    name: own?.name ?? thing?.label ?? record?.name ?? null,
    record,
    technique: record?.indexing_technique ?? null,
    /** When this console last saw it, where the platform was not asked just now. */
    seen: own ? null : (thing?.last_seen ?? null),
    isKnown: !things.isPending && !(isOffered && live.isPending),
    problem: live.error?.problem ?? things.error?.problem ?? null,
    retry: () => void (live.error ? live.refetch() : things.refetch()),
  }
}
