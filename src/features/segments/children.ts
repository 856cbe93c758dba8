import { useQuery } from '@tanstack/react-query'
import { contract } from '#contract/index.ts'
import type { ProblemError } from '#contract/problem.ts'
import type { ChildChunkRecord } from '#contract/records.ts'
import { call } from '../../wire/call.ts'

export interface SegmentInput {
  dataset_id: string
  document_id: string
  segment_id: string
}

const PAGE = 100
/** A parent with more children than this is drawn with the first of them. */
const MOST_PAGES = 50

/** All children of a parent, page by page (operation 8). */
export async function readChildren(key: string, params: SegmentInput, signal?: AbortSignal) {
  const all: ChildChunkRecord[] = []
  for (let page = 1; page <= MOST_PAGES; page++) {
    const input = { key, params, query: { page, limit: PAGE } }
    const { data, total } = await call(contract.segments.listChildChunks, input, signal ? { signal } : {})
    all.push(...data)
    if (data.length === 0 || all.length >= (total ?? 0)) break
  }
  return all
}

export function useChildren(key: string | undefined, input: SegmentInput, enabled: boolean) {
  return useQuery<ChildChunkRecord[], ProblemError>({
    queryKey: ['children', key, input],
    queryFn: ({ signal }) => readChildren(key ?? '', input, signal),
    meta: { shows: contract.segments.listChildChunks.shows },
    enabled: enabled && key !== undefined,
  })
}
