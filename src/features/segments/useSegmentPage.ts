import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import { segmentOf, type SegmentRecord } from '#contract/records.ts'
import { useRead } from '../../wire/query.ts'

/** Where a document's segments come from. */
export interface SegmentSource {
  dataset_id: string
  document_id: string
  workspace: string | undefined
  keyId: string | undefined
  /** Whether the platform lists segments; else the ledger's things stand in. */
  isListed: boolean
  keyword: string | undefined
  status: string | undefined
}
export interface SegmentRowRecord {
  id: string
  label: string | null
  segment: SegmentRecord | null
}
export const SEGMENT_PAGE = 100

/** One page of the segments. Every row reads the page that it stands on; equal reads are one request. */
export function useSegmentPage(source: SegmentSource, page: number) {
  const { dataset_id, document_id, workspace, keyId, isListed, keyword, status } = source
  const listed = useRead(
    contract.adjacent.listSegments,
    { key: keyId, params: { dataset_id, document_id }, query: { keyword, status, page, limit: SEGMENT_PAGE } },
    { enabled: isListed },
  )
  const seen = useRead(
    contract.console.listThings,
    { query: { kind: 'segment', parent: document_id, workspace, q: keyword, page, limit: SEGMENT_PAGE } },
    { enabled: !isListed && workspace !== undefined },
  )
  const read = isListed ? listed : seen
  const rows: SegmentRowRecord[] | undefined = isListed
    ? listed.data?.data.map((segment) => ({ id: segment.id, label: null, segment }))
    : seen.data?.data
        .map(({ id, label, payload }) => ({ id, label, segment: segmentOf(payload) }))
        .sort((one, other) => placeOf(one) - placeOf(other))
  const problem: Problem | null = read.error?.problem ?? null
  return {
    rows: read.isPlaceholderData && page !== 1 ? undefined : rows,
    total: read.data ? (read.data.total ?? read.data.data.length) : null,
    problem,
    refetch: read.refetch,
  }
}

const placeOf = ({ segment }: SegmentRowRecord): number => segment?.position ?? Number.MAX_SAFE_INTEGER
