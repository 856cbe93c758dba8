import { useEffect, useRef, useState } from 'react'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { call } from '../../../client/http.ts'
import { type FileEntry, type FileRule, guessFileType } from './inputFiles.ts'

/** Where files are uploaded to: the app's key, and the user whose run will name them. */
export interface UploadTarget {
  key: string
  user: string
}

/** A file on its way, or one that did not arrive. */
export interface PendingUpload {
  id: number
  file: File
  /** The part that has left the browser, 0 to 1. */
  progress: number
  problem: Problem | null
}

/** Uploads files one by one into `onEntry`. What fails stays, with its file, until it is tried again or given up. */
export function useFileUpload(target: UploadTarget | null, rule: FileRule, onEntry: (entry: FileEntry) => void) {
  const [pendingUploads, setPendingUploads] = useState<PendingUpload[]>([])
  const last = useRef(0)
  // A form may have changed while a file was under way: it goes into the form as it is then.
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
        contract.adjacent.uploadFile,
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
