import { useEffect } from 'react'
import type { Measured } from '#contract/estimate.ts'
import { contract } from '#contract/index.ts'
import { type DocumentRecord, isFinal } from '#contract/records.ts'
import { useRead } from './query.ts'

export interface MeasuredInput {
  dataset_id: string
  document_id: string
  keyId: string | undefined
  /** Whether the platform lists segments, which is how they are counted. */
  isListed: boolean
  record: DocumentRecord | null
}

/** What the platform made of a document when it was last indexed; undefined while it has made nothing. */
export function useMeasured({ dataset_id, document_id, keyId, isListed, record }: MeasuredInput): Measured | undefined {
  const isOver = record !== null && isFinal(record)
  const tokens = record?.tokens ?? null
  const words = record?.word_count ?? null
  const { data, refetch } = useRead(
    contract.adjacent.listSegments,
    { key: keyId, params: { dataset_id, document_id }, query: { page: 1, limit: 1 } },
    { enabled: isListed && isOver },
  )
  // A count from before it was indexed anew is not yet stale by its age.
  useEffect(() => {
    if (isListed && isOver && keyId) void refetch()
  }, [isListed, isOver, keyId, tokens, words, refetch])
  if (!isOver) return undefined
  const segments = data?.total ?? null
  return segments === null && tokens === null && words === null
    ? undefined
    : { segments, children: null, tokens, words }
}
