import { useEffect, useState } from 'react'
import type { DocumentText } from '#domain/documentReading/readingLoss.ts'
import { requestFromLabWorker } from './worker/labWorkerClient.ts'

export type FileTextState = ReturnType<typeof useFileText>

const noFileText = {
  document: { text: '', losses: [] } as DocumentText,
  isReading: false,
  problem: null as string | null,
}

/** The text of a file, read in the worker. */
export function useFileText(file: File | null) {
  const [read, setRead] = useState({ file, ...noFileText })
  if (read.file !== file) setRead({ file, ...noFileText, isReading: file !== null })
  useEffect(() => {
    if (!file) return
    return requestFromLabWorker({ kind: 'read', file }, (response) => {
      if (response.kind === 'read') setRead({ file, ...noFileText, document: response.document })
      if (response.kind === 'unread' || response.kind === 'failed')
        setRead({ file, ...noFileText, problem: response.reason })
    })
  }, [file])
  return read
}
