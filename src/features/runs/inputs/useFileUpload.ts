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
}

/** Uploads files one by one into `onEntry`. A failed upload stays until it is retried or removed. */
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
  const cancel = (id: number) => setPendingUploads((before) => before.filter((one) => one.id !== id))

  const send = async ({ id, file }: PendingUpload) => {
    if (!target) return
    const { key, user } = target
    change(id, { problem: null, progress: 0 })
    try {
      const upload = await call(
        optionalAppEndpoints.uploadFile,
        { key, body: { data: { user }, file } },
        { onProgress: ({ sent, total }) => change(id, { progress: total === 0 ? 1 : sent / total }) },
      )
      cancel(id)
      latest.current({
        type: guessFileType(rule, { name: file.name }),
        transfer_method: 'local_file',
        upload_file_id: upload.id,
        name: upload.name ?? file.name,
        size: upload.size ?? file.size,
        uploadedBy: user,
      })
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      change(id, { problem: error.problem })
    }
  }
  const upload = (files: readonly File[]) => {
    const begun = files.map((file) => ({ id: ++last.current, file, progress: 0, problem: null }))
    setPendingUploads((before) => [...before, ...begun])
    for (const passage of begun) void send(passage)
  }
  return { passages: pendingUploads, upload, retry: (passage: PendingUpload) => void send(passage), giveUp: cancel }
}
