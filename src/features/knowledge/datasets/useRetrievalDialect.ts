import { contract } from '#contract/index.ts'
import { useRead } from '../../../client/query.ts'
import { parseDatasetRecord } from './datasetRecord.ts'
import {
  type RetrievalSettings,
  type RetrievalDialect,
  detectRetrievalDialect,
} from '../retrieval/retrievalModelForm.ts'

/** The shape of a retrieval model that a workspace's platform speaks, by this answer first, else by those the ledger has. */
export function useRetrievalDialect(
  workspace: string,
  ownRetrieval?: RetrievalSettings | null,
): RetrievalDialect | null {
  const { data } = useRead(contract.console.listResources, { query: { kind: 'dataset', workspace, limit: 20 } })
  return detectRetrievalDialect([
    ownRetrieval,
    ...(data?.data ?? []).map((resource) => parseDatasetRecord(resource)?.retrieval_model_dict),
  ])
}
