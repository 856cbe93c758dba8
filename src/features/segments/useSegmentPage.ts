import { useQuery } from '@tanstack/react-query'
import { contract } from '#contract/index.ts'
import type { Problem, ProblemError } from '#contract/problem.ts'
import { segmentOf, type SegmentRecord } from '#contract/records.ts'
import { call } from '../../wire/call.ts'
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
/** Pages of the ledger that are read for one document. */
const MOST_PAGES = 100

/** One page of the segments. Every row reads the page that it stands on; equal reads are one request. */
export function useSegmentPage(source: SegmentSource, page: number) {
  const { dataset_id, document_id, workspace, keyId, isListed, keyword, status } = source
  const listed = useRead(
    contract.adjacent.listSegments,
    { key: keyId, params: { dataset_id, document_id }, query: { keyword, status, page, limit: SEGMENT_PAGE } },
    { enabled: isListed },
  )
  const seen = useQuery<SegmentRowRecord[], ProblemError>({
    queryKey: ['segments seen', workspace, document_id, keyword ?? ''],
    queryFn: ({ signal }) => readSeen({ workspace, document_id, keyword, signal }),
    meta: { shows: contract.console.listThings.shows },
    enabled: !isListed && workspace !== undefined,
  })
  if (!isListed) {
    const all = seen.data?.filter(({ segment }) => !status || segment?.status === status)
    return {
      rows: all?.slice((page - 1) * SEGMENT_PAGE, page * SEGMENT_PAGE),
      total: all?.length ?? null,
      problem: seen.error?.problem ?? null,
      refetch: seen.refetch,
    }
  }
  const problem: Problem | null = listed.error?.problem ?? null
  return {
    rows:
      listed.isPlaceholderData && page !== 1
        ? undefined
        : listed.data?.data.map((segment): SegmentRowRecord => ({ id: segment.id, label: null, segment })),
    total: listed.data ? (listed.data.total ?? listed.data.data.length) : null,
    problem,
    refetch: listed.refetch,
  }
}

interface Seen {
  workspace: string | undefined
  document_id: string
  keyword: string | undefined
  signal: AbortSignal
}

/** All segments of a document that this console has met, in the document's order: the ledger's own is that of the last sight. */
async function readSeen({ workspace, document_id, keyword, signal }: Seen): Promise<SegmentRowRecord[]> {
  const all = new Map<string, SegmentRowRecord>()
  for (let page = 1; page <= MOST_PAGES; page++) {
    const query = { kind: 'segment', parent: document_id, workspace, q: keyword, page, limit: SEGMENT_PAGE } as const
    const { data, total } = await call(contract.console.listThings, { query }, { signal })
    for (const { id, label, payload } of data) all.set(id, { id, label, segment: segmentOf(payload) })
    if (data.length === 0 || page * SEGMENT_PAGE >= (total ?? 0)) break
  }
  return [...all.values()].sort((one, other) => placeOf(one) - placeOf(other))
}

const placeOf = ({ segment }: SegmentRowRecord): number => segment?.position ?? Number.MAX_SAFE_INTEGER
