import { useEffect } from 'react'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import type { MeasuredChunks } from '#domain/chunking/chunkEstimate.ts'
import { type DocumentRecord, isIndexingFinal } from '#domain/documentRecord.ts'
import { useRead } from '../../../client/query.ts'

export interface MeasuredChunksInput {
  dataset_id: string
  document_id: string
  keyId: string | undefined
  /** Whether the platform lists segments, which is how they are counted. */
  canListSegments: boolean
  record: DocumentRecord | null
}

/** What the platform made of a document when it was last indexed; undefined while it has made nothing. */
export function useMeasuredChunks({
  dataset_id,
  document_id,
  keyId,
  canListSegments,
  record,
}: MeasuredChunksInput): MeasuredChunks | undefined {
  const isIndexed = record !== null && isIndexingFinal(record)
  const tokens = record?.tokens ?? null
  const words = record?.word_count ?? null
  const { data, refetch } = useRead(
    optionalSegmentEndpoints.listSegments,
    { key: keyId, params: { dataset_id, document_id }, query: { page: 1, limit: 1 } },
    { enabled: canListSegments && isIndexed },
  )
  // A count from before it was indexed again is not yet stale by its age.
  useEffect(() => {
    if (canListSegments && isIndexed && keyId) void refetch()
  }, [canListSegments, isIndexed, keyId, tokens, words, refetch])
  if (!isIndexed) return undefined
  const segments = data?.total ?? null
  return segments === null && tokens === null && words === null
    ? undefined
    : { segments, children: null, tokens, words }
}
