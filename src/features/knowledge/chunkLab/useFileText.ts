import { useEffect, useState } from 'react'
import type { DocumentText } from '#domain/documentReading/readingLoss.ts'
import type { TextEncoding } from '#domain/text/decodeText.ts'
import { requestFromLabWorker } from './worker/labWorkerClient.ts'

export type FileTextState = ReturnType<typeof useFileText>

const noFileText = {
  /** The encoding that a person chose. */
  encoding: null as TextEncoding | null,
  document: { text: '', losses: [] } as DocumentText,
  isReading: false,
  problem: null as string | null,
}

/** The text of a file, read in the worker. */
export function useFileText(file: File | null) {
  const [read, setRead] = useState({ file, ...noFileText })
  if (read.file !== file) setRead({ file, ...noFileText, isReading: file !== null })
  const { encoding } = read
  useEffect(() => {
    if (!file) return
    return requestFromLabWorker({ kind: 'read', file, encoding }, (response) => {
      if (response.kind === 'read') setRead({ file, ...noFileText, encoding, document: response.document })
      if (response.kind === 'unread' || response.kind === 'failed')
        setRead({ file, ...noFileText, encoding, problem: response.reason })
    })
  }, [file, encoding])
  return {
    ...read,
    readIn: (chosen: TextEncoding) => setRead({ file, ...noFileText, encoding: chosen, isReading: true }),
  }
}
