import { useEffect, useSyncExternalStore } from 'react'
import { Listeners } from '#domain/listeners.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { type BulkAction, type BulkOperations, type BulkResult, runBulkAction } from './runBulkAction.ts'

export interface BulkJob {
  action: BulkAction
  documents: readonly DocumentRecord[]
  results: readonly BulkResult[]
  state: 'running' | 'done' | 'stopped'
  stop: () => void
}

/** One job per dataset. It belongs to the tab and not to the page, so that it goes on while one looks elsewhere. */
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
