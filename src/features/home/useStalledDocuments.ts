import type { Alerts } from '#contract/console/stats.ts'
import { documentEndpoints } from '#contract/platform/documents.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { useReads } from '../../client/parallelReads.ts'
import { refreshStalledDocuments } from './stalledDocument.ts'

/** Maximum number of datasets to query for document states. */
const MAX_CHECKED_DATASETS = 8

/** Documents without progress. The stored state may be outdated, so their current state is queried. */
export function useStalledDocuments(
  stalled: Alerts['stalled'],
  workspaces: readonly Workspace[],
): readonly Alerts['stalled'][number][] {
  const keyOf = (workspace: string) =>
    workspaces.find(({ id }) => id === workspace)?.keys.find(({ kind }) => kind === 'knowledge')?.id
  const checkedDatasets = new Map(stalled.map(({ workspace, dataset }) => [dataset, keyOf(workspace)]))
  const documentReads = [...checkedDatasets]
    .flatMap(([dataset, key]) => (key ? [{ dataset, key }] : []))
    .slice(0, MAX_CHECKED_DATASETS)
  const replies = useReads(
    documentEndpoints.list,
    documentReads.map(({ dataset, key }) => ({ key, params: { dataset_id: dataset }, query: { page: 1, limit: 100 } })),
  )
  return stalled.flatMap(
    (one) =>
      refreshStalledDocuments(one, replies[documentReads.findIndex(({ dataset }) => dataset === one.dataset)]) ?? [],
  )
}
