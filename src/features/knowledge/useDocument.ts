import { resourceEndpoints } from '#contract/console/resources.ts'
import { documentEndpoints } from '#contract/platform/documents.ts'
import { useRead } from '../../client/query.ts'
import { toDocumentRecord, isIndexingFinal } from '#domain/documentRecord.ts'

export interface DocumentTarget {
  dataset_id: string
  document_id: string
  workspace: string | undefined
  key: string | undefined
}

/**
 * One document: the API cannot read one, so it is searched by name in the list (operation 6), with the ledger's last
 * record as a fallback.
 */
export function useDocument({ dataset_id, document_id, workspace, key }: DocumentTarget) {
  const resources = useRead(
    resourceEndpoints.listResources,
    { query: { kind: 'document', id: document_id, workspace, limit: 1 } },
    { enabled: workspace !== undefined },
  )
  const resource = resources.data?.data.find(({ id }) => id === document_id)
  const documentList = useRead(
    documentEndpoints.list,
    { key, params: { dataset_id }, query: { keyword: resource?.label?.slice(0, 255), limit: 100 } },
    {
      enabled: !resources.isPending,
      pollIntervalMs: (reply) => {
        const found = reply?.data.find(({ id }) => id === document_id)
        return found && !isIndexingFinal(found) ? 1000 : false
      },
    },
  )
  const platformRecord = documentList.data?.data.find(({ id }) => id === document_id)
  return {
    name: platformRecord?.name ?? resource?.label ?? null,
    record: platformRecord ?? toDocumentRecord(resource?.payload),
    /** True where the platform listed it just now. */
    isLive: platformRecord !== undefined,
    at: documentList.dataUpdatedAt,
    isLoading: resources.isPending || (key !== undefined && documentList.isPending),
    problem: documentList.error?.problem ?? resources.error?.problem ?? null,
    retry: () => void (resources.error ? resources.refetch() : documentList.refetch()),
  }
}
