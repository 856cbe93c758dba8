import { callEndpoints } from '#contract/console/calls.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { asRecord, asText } from '#domain/stream/untrustedJson.ts'
import { useRead } from '../../../../client/query.ts'
import { useCursorPages } from '../../../../client/cursorReads.ts'
import { type ChunkVersion, toChunkChanges } from './chunkVersions.ts'

/** The operations that write the text of a chunk; a segment's is inside the field `segment`. */
const VERSION_ENTRIES = {
  child: 'segments.createChildChunk,segments.updateChildChunk',
  segment: 'adjacent.updateSegment',
}

/** The texts of a chunk that this console knows, newest first. */
export function useChunkVersions(
  kind: keyof typeof VERSION_ENTRIES,
  chunk_id: string | undefined,
  workspace: string | undefined,
) {
  const enabled = chunk_id !== undefined && workspace !== undefined
  const calls = useCursorPages(
    callEndpoints.listCalls,
    { query: { workspace, resource: chunk_id, entry: VERSION_ENTRIES[kind], include_bodies: 'true', limit: 100 } },
    { enabled },
  )
  const found = useRead(
    savedItemEndpoints.listSavedItems,
    { query: { kind: 'mark', workspace: workspace ?? '', about: chunk_id } },
    { enabled },
  )
  const saved = (calls.data?.pages ?? [])
    .flatMap(({ data }) => data)
    .flatMap((one): ChunkVersion[] => {
      const request = asRecord(one.request)
      const text = toVersionText(kind === 'segment' ? request?.['segment'] : request)
      if (one.status !== 'succeeded' || !text) return []
      return [{ ...text, id: one.id, at: one.created_at, person: one.person, note: one.note, isSavedHere: true }]
    })
  const before = (found.data?.data ?? []).flatMap((one): ChunkVersion[] => {
    const text = toVersionText(one.value)
    return text && enabled
      ? [{ ...text, id: one.id, at: one.created_at, person: null, note: null, isSavedHere: false }]
      : []
  })
  return {
    versions: toChunkChanges([...saved, ...before]),
    problem: calls.error && !calls.isFetchNextPageError ? calls.error.problem : null,
    retry: () => void calls.refetch(),
    older: {
      hasMore: calls.hasNextPage,
      isBusy: calls.isFetchingNextPage,
      onLoadMore: () => void calls.fetchNextPage(),
      problem: calls.isFetchNextPageError ? calls.error.problem : null,
    },
  }
}

/** Null for a change that left the text alone, such as enabling a segment. */
function toVersionText(value: unknown): Pick<ChunkVersion, 'content' | 'answer'> | null {
  const record = asRecord(value)
  const content = asText(record?.['content'])
  return content === null ? null : { content, answer: asText(record?.['answer']) }
}
