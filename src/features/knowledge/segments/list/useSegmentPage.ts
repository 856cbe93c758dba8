import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ProblemError } from '#contract/problem.ts'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import { resourceEndpoints } from '#contract/console/resources.ts'
import { toSegmentRecord, type SegmentRecord } from '#domain/documentRecord.ts'
import { call } from '../../../../client/http.ts'
import { useRead } from '../../../../client/query.ts'

export interface SegmentSource {
  dataset_id: string
  document_id: string
  workspace: string | undefined
  keyId: string | undefined
  /** Whether the platform lists segments; otherwise they are listed from the ledger. */
  canListSegments: boolean
  keyword: string | undefined
  status: string | undefined
}
export interface SegmentRowRecord {
  id: string
  label: string | null
  segment: SegmentRecord | null
}
export const SEGMENTS_PER_PAGE = 100
const MAX_LEDGER_PAGES = 100

interface SegmentPage {
  rows: SegmentRowRecord[] | undefined
  total: number | null
  query: Pick<UseQueryResult<unknown, ProblemError>, 'data' | 'error' | 'fetchStatus' | 'refetch'>
}

/** One page of the segments. Every row reads its own page; equal reads are one request. */
export function useSegmentPage(source: SegmentSource, page: number): SegmentPage {
  const { dataset_id, document_id, workspace, keyId, canListSegments, keyword, status } = source
  const platformRead = useRead(
    optionalSegmentEndpoints.listSegments,
    { key: keyId, params: { dataset_id, document_id }, query: { keyword, status, page, limit: SEGMENTS_PER_PAGE } },
    { enabled: canListSegments },
  )
  const ledgerRead = useQuery<SegmentRowRecord[], ProblemError>({
    queryKey: ['segments seen', workspace, document_id, keyword ?? ''],
    queryFn: ({ signal }) => readLedgerSegments({ workspace, document_id, keyword, signal }),
    meta: { shows: resourceEndpoints.listResources.tags },
    enabled: !canListSegments && workspace !== undefined,
  })
  if (!canListSegments) {
    const all = ledgerRead.data?.filter(({ segment }) => !status || segment?.status === status)
    return {
      rows: all?.slice((page - 1) * SEGMENTS_PER_PAGE, page * SEGMENTS_PER_PAGE),
      total: all?.length ?? null,
      query: ledgerRead,
    }
  }
  return {
    rows:
      platformRead.isPlaceholderData && page !== 1
        ? undefined
        : platformRead.data?.data.map((segment): SegmentRowRecord => ({ id: segment.id, label: null, segment })),
    total: platformRead.data ? (platformRead.data.total ?? platformRead.data.data.length) : null,
    query: platformRead,
  }
}

/** The ids of the segments from one place of the list to another, both included. */
export async function readSegmentIds(source: SegmentSource, from: number, to: number): Promise<string[]> {
  const { dataset_id, document_id, workspace, keyId, canListSegments, keyword, status } = source
  if (!canListSegments) {
    const all = await readLedgerSegments({ workspace, document_id, keyword })
    return all
      .filter(({ segment }) => !status || segment?.status === status)
      .slice(from, to + 1)
      .map(({ id }) => id)
  }
  const ids: string[] = []
  const firstPage = Math.floor(from / SEGMENTS_PER_PAGE)
  for (let page = firstPage; page * SEGMENTS_PER_PAGE <= to; page++) {
    const { data } = await call(optionalSegmentEndpoints.listSegments, {
      ...(keyId ? { key: keyId } : {}),
      params: { dataset_id, document_id },
      query: { keyword, status, page: page + 1, limit: SEGMENTS_PER_PAGE },
    })
    ids.push(...data.map(({ id }) => id))
    if (data.length === 0) break
  }
  return ids.slice(from - firstPage * SEGMENTS_PER_PAGE, to + 1 - firstPage * SEGMENTS_PER_PAGE)
}

interface LedgerSegmentsQuery {
  workspace: string | undefined
  document_id: string
  keyword: string | undefined
  signal?: AbortSignal
}

/** All segments of a document that this console has met, in the document's order: the ledger's own is that of the last sight. */
async function readLedgerSegments({
  workspace,
  document_id,
  keyword,
  signal,
}: LedgerSegmentsQuery): Promise<SegmentRowRecord[]> {
  const all = new Map<string, SegmentRowRecord>()
  for (let page = 1; page <= MAX_LEDGER_PAGES; page++) {
    const query = {
      kind: 'segment',
      parent: document_id,
      workspace,
      q: keyword,
      page,
      limit: SEGMENTS_PER_PAGE,
    } as const
    const { data, total } = await call(resourceEndpoints.listResources, { query }, signal ? { signal } : {})
    for (const { id, label, payload } of data) all.set(id, { id, label, segment: toSegmentRecord(payload) })
    if (data.length === 0 || page * SEGMENTS_PER_PAGE >= (total ?? 0)) break
  }
  return [...all.values()].sort((one, other) => getSegmentPosition(one) - getSegmentPosition(other))
}

const getSegmentPosition = ({ segment }: SegmentRowRecord): number => segment?.position ?? Number.MAX_SAFE_INTEGER
