import { useState } from 'react'
import type { ChunkEstimate } from '#domain/chunking/chunkEstimate.ts'
import { useSaveEstimate } from '../chunkLab/useSavedEstimate.ts'

export interface ReplacedDocument {
  id: string
  name: string
}

/**
 * Called for each document that the platform has accepted, with the chunk lab's estimate (null: none), and the document
 * of the same name that it replaced.
 */
export type OnSent = (document_id: string, estimate: ChunkEstimate | null, replaced?: ReplacedDocument | null) => void

/** The documents that were sent from this page with an estimate, newest first; their estimates are kept for everybody. */
export function useSentDocuments(workspace: string | undefined) {
  const [sent, setSent] = useState<readonly string[]>([])
  const [replaced, setReplaced] = useState<readonly ReplacedDocument[]>([])
  const { keep: saveEstimate, problem } = useSaveEstimate(workspace ?? '')
  const note: OnSent = (document_id, estimate, replacedDocument) => {
    if (replacedDocument)
      setReplaced((before) => [replacedDocument, ...before.filter(({ id }) => id !== replacedDocument.id)])
    saveEstimate(document_id, estimate)
    setSent((before) => [...(estimate ? [document_id] : []), ...before.filter((id) => id !== document_id)])
  }
  return { sent, replaced, note, problem, putAway: () => setSent([]), dismissReplaced: () => setReplaced([]) }
}
