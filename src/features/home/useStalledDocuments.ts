import type { z } from 'zod'
import type { Alerts } from '#contract/console/stats.ts'
import { documentEndpoints } from '#contract/platform/documents.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { useReads, type ReadResult } from '../../client/parallelReads.ts'
import { isIndexingFinal } from '#domain/documentRecord.ts'

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

type StalledDocuments = Alerts['stalled'][number]
type DocumentsReply = z.output<typeof documentEndpoints.list.reply>

/** The current state of a remembered document; null while indexing continues, or while it is loading. */
export function refreshStalledDocuments(
  stalled: StalledDocuments,
  currentRead: ReadResult<DocumentsReply> | undefined,
): StalledDocuments | null {
  if (currentRead === undefined) return stalled
  const { data, problem } = currentRead
  if (problem) return problem.upstream?.status === 404 ? null : stalled
  if (!data) return null
  const now = data.data.find(({ id }) => id === stalled.document)
  if (now) return isIndexingFinal(now) ? null : { ...stalled, state: now.indexing_status ?? stalled.state }
  const isComplete = data.total !== undefined && data.total !== null && data.total <= data.data.length
  return isComplete ? null : stalled
}
