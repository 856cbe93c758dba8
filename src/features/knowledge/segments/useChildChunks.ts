import { useQuery } from '@tanstack/react-query'
import type { ProblemError } from '#contract/problem.ts'
import { segmentEndpoints } from '#contract/platform/segments.ts'
import type { ChildChunkRecord } from '#domain/documentRecord.ts'
import { call } from '../../../client/http.ts'

export interface SegmentTarget {
  dataset_id: string
  document_id: string
  segment_id: string
}

const CHILD_CHUNKS_PER_PAGE = 100
/** Of a parent with more children only the first are shown. */
const MAX_CHILD_CHUNK_PAGES = 50

/** All children of a parent, page by page (operation 8). */
export async function readChildChunks(key: string, params: SegmentTarget, signal?: AbortSignal) {
  const all: ChildChunkRecord[] = []
  for (let page = 1; page <= MAX_CHILD_CHUNK_PAGES; page++) {
    const input = { key, params, query: { page, limit: CHILD_CHUNKS_PER_PAGE } }
    const { data, total } = await call(segmentEndpoints.listChildChunks, input, signal ? { signal } : {})
    all.push(...data)
    if (data.length === 0 || all.length >= (total ?? 0)) break
  }
  return all
}

export function useChildChunks(key: string | undefined, input: SegmentTarget, enabled: boolean) {
  return useQuery<ChildChunkRecord[], ProblemError>({
    queryKey: ['children', key, input],
    queryFn: ({ signal }) => readChildChunks(key ?? '', input, signal),
    meta: { shows: segmentEndpoints.listChildChunks.tags },
    enabled: enabled && key !== undefined,
  })
}
