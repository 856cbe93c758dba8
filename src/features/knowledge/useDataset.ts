import type { z } from 'zod'
import { Dataset } from '#contract/platform/schemas.ts'
import { optionalDatasetEndpoints } from '#contract/platform/optionalDatasets.ts'
import { resourceEndpoints } from '#contract/console/resources.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { useRead } from '../../client/query.ts'

export type DatasetRecord = z.output<typeof Dataset>

/**
 * One dataset: from the platform if it supports reading one (the API does not), else from the ledger, with the time
 * it was last seen.
 */
export function useDataset(dataset_id: string, workspace: string | undefined, key?: Key) {
  const isOffered = key?.offers.includes('readDataset') ?? false
  const platformRead = useRead(
    optionalDatasetEndpoints.readDataset,
    { key: key?.id, params: { dataset_id } },
    { enabled: isOffered },
  )
  const resources = useRead(
    resourceEndpoints.listResources,
    { query: { kind: 'dataset', id: dataset_id, workspace, limit: 1 } },
    { enabled: workspace !== undefined },
  )
  const resource = resources.data?.data.find(({ id }) => id === dataset_id)
  const platformRecord = platformRead.data ?? null
  const record: DatasetRecord | null = platformRecord ?? Dataset.safeParse(resource?.payload).data ?? null
  return {
    name: platformRecord?.name ?? resource?.label ?? record?.name ?? null,
    record,
    technique: record?.indexing_technique ?? null,
    /** When this console last saw it, where the platform was not asked just now. */
    seen: platformRecord ? null : (resource?.last_seen ?? null),
    isKnown: !resources.isPending && !(isOffered && platformRead.isPending),
    problem: platformRead.error?.problem ?? resources.error?.problem ?? null,
    retry: () => void (platformRead.error ? platformRead.refetch() : resources.refetch()),
  }
}
