import { useEffect, useRef, useState } from 'react'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { optionalAppEndpoints } from '#contract/platform/optionalApps.ts'
import { call } from '../../../client/http.ts'
import { type FileEntry, type FileRule, guessFileType } from './inputFiles.ts'

/** The upload target: the app's key, and the user of the run. */
export interface UploadTarget {
  key: string
  user: string
}

/** A pending or failed upload. */
export interface PendingUpload {
  id: number
  file: File
  /** The sent fraction, 0 to 1. */
  progress: number
  problem: Problem | null
  /** Ends the request when the upload is removed. */
  abortController: AbortController
}

/** Uploads files one by one into `onEntry`. A failed upload stays until it is retried or removed; one that goes on can be removed, too. */
export function useFileUpload(target: UploadTarget | null, rule: FileRule, onEntry: (entry: FileEntry) => void) {
  const [pendingUploads, setPendingUploads] = useState<PendingUpload[]>([])
  const last = useRef(0)
  // The form may change during an upload: call the latest handler.
  const latest = useRef(onEntry)
  useEffect(() => {
    latest.current = onEntry
  })
  const change = (id: number, part: Partial<PendingUpload>) =>
    setPendingUploads((before) => before.map((one) => (one.id === id ? { ...one, ...part } : one)))
  const forget = (id: number) => setPendingUploads((before) => before.filter((one) => one.id !== id))

  const send = async ({ id, file, abortController: { signal } }: PendingUpload) => {
    if (!target) return
    const { key, user } = target
    change(id, { problem: null, progress: 0 })
    try {
      const upload = await call(
        optionalAppEndpoints.uploadFile,
        { key, body: { data: { user }, file } },
        { signal, onProgress: ({ sent, total }) => change(id, { progress: total === 0 ? 1 : sent / total }) },
      )
      if (signal.aborted) return
      forget(id)
      latest.current({
        type: guessFileType(rule, { name: file.name }),
        transfer_method: 'local_file',
        upload_file_id: upload.id,
        name: upload.name ?? file.name,
        size: upload.size ?? file.size,
        uploadedBy: user,
      })
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ProblemError)) throw error
      change(id, { problem: error.problem })
    }
  }
  const upload = (files: readonly File[]) => {
    const begun = files.map((file) => ({
      id: ++last.current,
      file,
      progress: 0,
      problem: null,
      abortController: new AbortController(),
    }))
    setPendingUploads((before) => [...before, ...begun])
    for (const pendingUpload of begun) void send(pendingUpload)
  }
  const remove = ({ id, abortController }: PendingUpload) => {
    abortController.abort()
    forget(id)
  }
  return { pendingUploads, upload, retry: (pendingUpload: PendingUpload) => void send(pendingUpload), remove }
}
