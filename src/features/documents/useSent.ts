import { useState } from 'react'
import type { Estimate } from '#contract/estimate.ts'
import { useKeepEstimate } from '../../wire/useEstimate.ts'

/** Told of each document that the platform has taken, with what the chunk lab had made of it; null where it was not asked. */
export type OnSent = (document_id: string, estimate: Estimate | null) => void

/** The documents that were sent from this page with an estimate, newest first; their estimates are kept for everybody. */
export function useSent(workspace: string | undefined) {
  const [sent, setSent] = useState<readonly string[]>([])
  const { keep, problem } = useKeepEstimate(workspace ?? '')
  const note: OnSent = (document_id, estimate) => {
    keep(document_id, estimate)
    setSent((before) => [...(estimate ? [document_id] : []), ...before.filter((id) => id !== document_id)])
  }
  return { sent, note, problem, putAway: () => setSent([]) }
}
