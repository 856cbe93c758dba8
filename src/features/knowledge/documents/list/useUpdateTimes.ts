import { useMemo } from 'react'
import { callEndpoints } from '#contract/console/calls.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { useRead } from '../../../../client/query.ts'

/** Calls after which a document has another text. */
const UPDATE_ENTRIES = ['documents.updateByText', 'documents.updateByFile', 'adjacent.updateDocument'].join(',')
/** Older updates of a dataset are not looked for. */
const MAX_UPDATES = 100

/**
 * When documents were last updated (Unix seconds): platforms do not say it in their list, so it is what this console
 * sent, among the newest updates of the dataset.
 */
export function useUpdateTimes(dataset_id: string, workspace: string | undefined) {
  const { data } = useRead(
    callEndpoints.listCalls,
    { query: { workspace, resource: dataset_id, entry: UPDATE_ENTRIES, status: 'succeeded', limit: MAX_UPDATES } },
    { enabled: workspace !== undefined },
  )
  // The same function while nothing changes: a long list is sorted by it.
  return useMemo(() => {
    const times = new Map<string, number>()
    for (const { params, created_at } of data?.data ?? []) {
      const id = params?.['document_id']
      if (id && !times.has(id)) times.set(id, Math.floor(Date.parse(created_at) / 1000))
    }
    const getUpdatedAt = (document: DocumentRecord): number | null => {
      const given: unknown = document['updated_at']
      return typeof given === 'number' ? given : (times.get(document.id) ?? null)
    }
    return { getUpdatedAt }
  }, [data])
}
