import { resourceEndpoints } from '#contract/console/resources.ts'
import { useWorkspace } from '../../../client/useWorkspace.ts'
import { useRead } from '../../../client/query.ts'
import { parseDatasetRecord } from './datasetRow.ts'
import {
  type RetrievalSettings,
  type RetrievalDialect,
  detectRetrievalDialect,
} from '../retrieval/retrievalModelForm.ts'

/**
 * The shape of a retrieval model that a workspace's platform speaks: by the workspace's dialect, else by this answer, else
 * by those in the ledger.
 */
export function useRetrievalDialect(
  workspace: string,
  ownRetrieval?: RetrievalSettings | null,
): RetrievalDialect | null {
  const { workspaces } = useWorkspace()
  const dialect = workspaces.find(({ id }) => id === workspace)?.dialect
  const { data } = useRead(resourceEndpoints.listResources, { query: { kind: 'dataset', workspace, limit: 20 } })
  return (
    dialect?.chosen.retrieval ??
    dialect?.found.retrieval ??
    detectRetrievalDialect([
      ownRetrieval,
      ...(data?.data ?? []).map((resource) => parseDatasetRecord(resource)?.retrieval_model_dict),
    ])
  )
}
