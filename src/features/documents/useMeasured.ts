import { contract } from '#contract/index.ts'
import type { DocumentRecord } from '#contract/records.ts'
import type { Measured } from '../../lab/measured.ts'
import { useRead } from '../../wire/query.ts'

export interface MeasuredInput {
  dataset_id: string
  document_id: string
  keyId: string
  /** Whether the platform lists segments, which is how they are counted. */
  isListed: boolean
  record: DocumentRecord | null
}

/** What the platform made of a document when it was last indexed; undefined while it has made nothing. */
export function useMeasured({ dataset_id, document_id, keyId, isListed, record }: MeasuredInput): Measured | undefined {
  const { data } = useRead(
    contract.adjacent.listSegments,
    { key: keyId, params: { dataset_id, document_id }, query: { page: 1, limit: 1 } },
    { enabled: isListed },
  )
  const segments = data?.total ?? null
  const tokens = record?.tokens ?? null
  return segments === null && tokens === null ? undefined : { segments, children: null, tokens }
}
