import { useQueryClient } from '@tanstack/react-query'
import { optionalDocumentEndpoints } from '#contract/platform/optionalDocuments.ts'
import type { Key } from '#contract/console/workspaces.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { call } from '../../../../client/http.ts'
import { invalidateTags } from '../../../../client/query.ts'
import { usePermission } from '../../../../client/usePermission.ts'
import { startBulkJob, useBulkJob } from './bulkJobs.ts'
import type { BulkAction } from './runBulkAction.ts'

/** Starts something with several documents of a dataset; the lists are read again once, at its end. */
export function useBulkAction(dataset_id: string, knowledge: Key) {
  const client = useQueryClient()
  const hasPermission = usePermission()
  const { job } = useBulkJob(dataset_id)
  const target = { key: knowledge.id }
  const start = async (action: BulkAction, documents: readonly DocumentRecord[]): Promise<void> => {
    await startBulkJob(dataset_id, action, documents, {
      setStatus: (status, document_ids) =>
        call(optionalDocumentEndpoints.setDocumentStatus, {
          ...target,
          params: { dataset_id, action: status },
          body: { document_ids },
        }),
      remove: (document_id) =>
        call(optionalDocumentEndpoints.deleteDocument, { ...target, params: { dataset_id, document_id } }),
      readAgain: (document_id) =>
        call(optionalDocumentEndpoints.readFileAgain, { ...target, params: { dataset_id, document_id } }),
    })
    await invalidateTags(client, [...optionalDocumentEndpoints[toEntryName(action)].invalidates, 'calls'])
  }
  return {
    start: (action: BulkAction, documents: readonly DocumentRecord[]) => void start(action, documents),
    isRunning: job?.state === 'running',
    /** Whether the platform offers it and the person may do it. */
    can: (action: BulkAction) =>
      knowledge.offers.includes(toEntryName(action)) && hasPermission(optionalDocumentEndpoints[toEntryName(action)]),
  }
}

const toEntryName = (action: BulkAction) =>
  action === 'delete' ? 'deleteDocument' : action === 'read_again' ? 'readFileAgain' : 'setDocumentStatus'
