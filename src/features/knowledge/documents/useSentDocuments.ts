import { useState } from 'react'
import type { ChunkEstimate } from '#domain/chunking/chunkEstimate.ts'
import { useSaveEstimate } from '../chunkLab/useSavedEstimate.ts'

/** Told of each document that the platform has taken, with what the chunk lab had made of it; null where it was not asked. */
export type OnSent = (document_id: string, estimate: ChunkEstimate | null) => void

/** The documents that were sent from this page with an estimate, newest first; their estimates are kept for everybody. */
export function useSentDocuments(workspace: string | undefined) {
  const [sent, setSent] = useState<readonly string[]>([])
  const { keep: saveEstimate, problem } = useSaveEstimate(workspace ?? '')
  const note: OnSent = (document_id, estimate) => {
    saveEstimate(document_id, estimate)
    setSent((before) => [...(estimate ? [document_id] : []), ...before.filter((id) => id !== document_id)])
  }
  return { sent, note, problem, putAway: () => setSent([]) }
}
