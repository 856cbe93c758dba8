import { useEffect, useState } from 'react'
import type { UnreadableReason } from './worker/fileText.ts'
import { requestFromLabWorker } from './worker/labWorkerClient.ts'

export type FileTextState = ReturnType<typeof useFileText>

const noFileText = {
  text: '',
  isReading: false,
  problem: null as string | null,
  unreadable: null as UnreadableReason | null,
}

/** The text of a file, read in the worker. */
export function useFileText(file: File | null) {
  const [read, setRead] = useState({ file, ...noFileText })
  if (read.file !== file) setRead({ file, ...noFileText, isReading: file !== null })
  useEffect(() => {
    if (!file) return
    return requestFromLabWorker({ kind: 'read', file }, (response) => {
      if (response.kind === 'read') setRead({ file, ...noFileText, text: response.text })
      if (response.kind === 'unread') setRead({ file, ...noFileText, unreadable: response.why })
      if (response.kind === 'failed') setRead({ file, ...noFileText, problem: response.reason })
    })
  }, [file])
  return read
}
