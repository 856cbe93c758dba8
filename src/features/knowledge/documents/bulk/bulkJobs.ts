import { useEffect, useSyncExternalStore } from 'react'
import { Listeners } from '#domain/listeners.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { type BulkAction, type BulkOperations, type BulkResult, runBulkAction } from './runBulkAction.ts'
import { useQueryClient } from '@tanstack/react-query'
import { optionalDocumentEndpoints } from '#contract/platform/optionalDocuments.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { call } from '../../../../client/http.ts'
import { invalidateTags } from '../../../../client/query.ts'
import { usePermission } from '../../../../client/usePermission.ts'

export interface BulkJob {
  action: BulkAction
  documents: readonly DocumentRecord[]
  results: readonly BulkResult[]
  state: 'running' | 'done' | 'stopped'
  stop: () => void
}

/** One job per dataset. It belongs to the tab, not to the page, so that it continues on other pages. */
const jobs = new Map<string, BulkJob>()
const jobListeners = new Listeners()

function setJob(dataset_id: string, job: BulkJob | null): void {
  if (job) jobs.set(dataset_id, job)
  else jobs.delete(dataset_id)
  jobListeners.notify()
}

/** Starts a job in place of a finished one. Resolves when it has ended; at once while another runs. */
export async function startBulkJob(
  dataset_id: string,
  action: BulkAction,
  documents: readonly DocumentRecord[],
  operations: BulkOperations,
): Promise<void> {
  if (jobs.get(dataset_id)?.state === 'running') return
  const abort = new AbortController()
  let job: BulkJob = { action, documents, results: [], state: 'running', stop: () => abort.abort() }
  const update = (change: Partial<BulkJob>) => setJob(dataset_id, (job = { ...job, ...change }))
  update({})
  await runBulkAction(action, documents, operations, abort.signal, (results) =>
    update({ results: [...job.results, ...results] }),
  )
  update({ state: job.results.length < documents.length ? 'stopped' : 'done' })
}

/** The job of a dataset, running or ended. Closing the tab asks first while it runs. */
export function useBulkJob(dataset_id: string): { job: BulkJob | null; dismiss: () => void } {
  const job = useSyncExternalStore(jobListeners.subscribe, () => jobs.get(dataset_id) ?? null)
  const isRunning = job?.state === 'running'
  useEffect(() => {
    if (!isRunning) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isRunning])
  return { job, dismiss: () => setJob(dataset_id, null) }
}

/** Starts something with several documents of a dataset; the lists are read again once, at its end. */
export function useBulkAction(dataset_id: string, knowledge: Key | undefined) {
  const client = useQueryClient()
  const hasPermission = usePermission()
  const { job } = useBulkJob(dataset_id)
  const target = { key: knowledge?.id }
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
      (knowledge?.offers.includes(toEntryName(action)) ?? false) &&
      hasPermission(optionalDocumentEndpoints[toEntryName(action)]),
  }
}

const toEntryName = (action: BulkAction) =>
  action === 'delete' ? 'deleteDocument' : action === 'read_again' ? 'readFileAgain' : 'setDocumentStatus'
