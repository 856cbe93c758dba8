import type { Workspace } from '#contract/console/consoleEndpoints.ts'
import type { Alerts } from '#contract/console/stats.ts'
import { contract } from '#contract/index.ts'
import { useReads } from '../../client/query.ts'
import { refreshStalledDocuments } from './stalledDocument.ts'

/** So many datasets are asked how their documents stand. */
const MAX_CHECKED_DATASETS = 8

/** Documents that do not move. What this console remembers of them may be old: nobody looked since, so they are asked for again. */
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
    contract.documents.list,
    documentReads.map(({ dataset, key }) => ({ key, params: { dataset_id: dataset }, query: { page: 1, limit: 100 } })),
  )
  return stalled.flatMap(
    (one) =>
      refreshStalledDocuments(one, replies[documentReads.findIndex(({ dataset }) => dataset === one.dataset)]) ?? [],
  )
}
