import { contract } from '#contract/index.ts'
import { asRecord, asText } from '#domain/stream/untrustedJson.ts'
import { useCursorPages, useRead } from '../../../../client/query.ts'

/** One text that a child chunk had: saved from this console, or found there before an edit. */
export interface ChildChunkVersion {
  id: string
  content: string
  /** ISO 8601. */
  at: string
  person: string | null
  note: string | null
  /** False for what this console found, and did not write. */
  isSavedHere: boolean
}

const VERSION_ENTRIES = 'segments.createChildChunk,segments.updateChildChunk'

/** The texts of a child chunk that this console knows, newest first. */
export function useChildChunkVersions(child_chunk_id: string | undefined, workspace: string | undefined) {
  const enabled = child_chunk_id !== undefined && workspace !== undefined
  const calls = useCursorPages(
    contract.console.listCalls,
    { query: { workspace, resource: child_chunk_id, entry: VERSION_ENTRIES, include_bodies: 'true', limit: 100 } },
    { enabled },
  )
  const versions = useRead(
    contract.console.listSavedItems,
    { query: { kind: 'mark', workspace: workspace ?? '', about: child_chunk_id } },
    { enabled },
  )
  const saved = (calls.data?.pages ?? [])
    .flatMap(({ data }) => data)
    .flatMap((one): ChildChunkVersion[] => {
      const content = asText(asRecord(one.request)?.['content'])
      if (one.status !== 'succeeded' || content === null) return []
      return [{ id: one.id, content, at: one.created_at, person: one.person, note: one.note, isSavedHere: true }]
    })
  const before = (versions.data?.data ?? []).flatMap((one): ChildChunkVersion[] => {
    const content = asText(asRecord(one.value)?.['content'])
    return content === null || !enabled
      ? []
      : [{ id: one.id, content, at: one.created_at, person: null, note: null, isSavedHere: false }]
  })
  return {
    versions: [...saved, ...before].sort((one, other) => Date.parse(other.at) - Date.parse(one.at)),
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
