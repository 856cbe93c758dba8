import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { CallOptions } from '../../../../client/http.ts'
import { invalidateTags } from '../../../../client/query.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import type { UploadProgress } from '../../../../client/uploadRequest.ts'
import { useWorkspace } from '../../../../client/useWorkspace.ts'
import { type FileErrorKind, findDocumentFileError, listDocumentKinds, recordRefusedKind } from './documentFile.ts'

/**
 * One file to upload. `held` waits for a confirmation: the platform is likely to refuse it, or would replace the document
 * of that name.
 */
export interface DocumentUpload {
  id: number
  file: File
  state: 'held' | 'ready' | 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled'
  fileError: FileErrorKind | null
  /** The document of that name in the dataset, once it was found. */
  existing: DocumentRecord | null
  sentBytes: number
  totalBytes: number
  problem: Problem | null
}

export interface UploadQueue {
  uploads: readonly DocumentUpload[]
  add: (files: readonly File[]) => void
  remove: (id: number) => void
  /** Uploads the ready files; a file that needs confirmation only if it is named. */
  start: (id?: number) => void
  cancel: (id: number) => void
  isBusy: boolean
  /** The kinds of files that the platform reads; known for the built-in one. */
  kinds: readonly string[]
  isBuiltIn: boolean
}

export type SendFile = (
  file: File,
  options: Required<Pick<CallOptions, 'signal' | 'onProgress'>>,
  existing: DocumentRecord | null,
) => Promise<unknown>

export interface UploadQueueOptions {
  isSingle?: boolean
  onDone?: () => void
  /** Looks for the document that a file would replace. */
  findExisting?: (file: File, signal: AbortSignal) => Promise<DocumentRecord | null>
}

const MAX_CONCURRENT_UPLOADS = 2

/** Uploads files with a concurrency of one or two, each with its own state; a failure affects no other file. */
export function useUploadQueue(
  entry: Endpoint,
  send: SendFile,
  { isSingle = false, onDone, findExisting }: UploadQueueOptions = {},
): UploadQueue {
  const client = useQueryClient()
  const { workspace } = useWorkspace()
  const kinds = listDocumentKinds(workspace)
  const [uploads, setUploads] = useState<readonly DocumentUpload[]>([])
  const abortControllers = useRef(new Map<number, AbortController>())
  const next = useRef(1)
  const queue = useRef<DocumentUpload[]>([])
  const change = useCallback(
    (id: number, values: Partial<DocumentUpload>) =>
      setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...values } : one))),
    [],
  )
  useEffect(() => {
    const all = abortControllers.current
    return () => {
      // Nobody would see what becomes of the rest.
      queue.current = []
      all.forEach((aborter) => aborter.abort())
    }
  }, [])

  const run = async ({ id, file, existing: confirmed }: DocumentUpload): Promise<void> => {
    const aborter = new AbortController()
    abortControllers.current.set(id, aborter)
    change(id, { state: 'sending', sentBytes: 0, problem: null })
    try {
      const existing = confirmed ?? (findExisting ? await findExisting(file, aborter.signal) : null)
      if (existing && !confirmed) return change(id, { state: 'held', existing })
      const onProgress = ({ sent, total }: UploadProgress) => change(id, { sentBytes: sent, totalBytes: total })
      await send(file, { signal: aborter.signal, onProgress }, existing)
      change(id, { state: 'done' })
      onDone?.()
    } catch (error) {
      if (aborter.signal.aborted) change(id, { state: 'cancelled' })
      else {
        const problem: Problem =
          error instanceof ProblemError ? error.problem : { kind: 'fault', message: String(error) }
        recordRefusedKind(workspace, file.name, problem)
        change(id, { state: 'failed', problem })
      }
    } finally {
      abortControllers.current.delete(id)
      void invalidateTags(client, [...entry.invalidates, 'calls'])
    }
  }
  /** The allowed number of concurrent uploads, each taking the next file when it is done. */
  const workers = useRef(0)
  const work = async (): Promise<void> => {
    if (workers.current >= MAX_CONCURRENT_UPLOADS) return
    workers.current++
    for (let upload = queue.current.shift(); upload; upload = queue.current.shift()) await run(upload)
    workers.current--
  }
  const start = (id?: number) => {
    // A second click before the next render finds the files in their old state.
    const pendingIds = uploads.filter(
      (one) =>
        (id === undefined ? one.state === 'ready' : one.id === id) &&
        !abortControllers.current.has(one.id) &&
        !queue.current.some((queued) => queued.id === one.id),
    )
    queue.current.push(...pendingIds)
    setUploads((all) =>
      all.map((one) => (pendingIds.some((each) => each.id === one.id) ? { ...one, state: 'waiting' } : one)),
    )
    for (let worker = 0; worker < MAX_CONCURRENT_UPLOADS; worker++) void work()
  }
  return {
    uploads,
    add: (files) => {
      const newUploads = files.map((file) => {
        const fileError = findDocumentFileError(file, kinds)
        const state = fileError ? ('held' as const) : ('ready' as const)
        const progress = { sentBytes: 0, totalBytes: file.size }
        return { id: next.current++, file, state, fileError, existing: null, ...progress, problem: null }
      })
      setUploads((all) => (isSingle ? newUploads.slice(-1) : [...all, ...newUploads]))
    },
    remove: (id) => setUploads((all) => all.filter((one) => one.id !== id)),
    start,
    cancel: (id) => {
      queue.current = queue.current.filter((one) => one.id !== id)
      const aborter = abortControllers.current.get(id)
      if (aborter) aborter.abort()
      else change(id, { state: 'cancelled' })
    },
    isBusy: uploads.some(({ state }) => state === 'sending' || state === 'waiting'),
    kinds,
    isBuiltIn: workspace?.builtin ?? false,
  }
}
