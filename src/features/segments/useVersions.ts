import { contract } from '#contract/index.ts'
import { asRecord, asText } from '#contract/untrusted.ts'
import { usePages, useRead } from '../../wire/query.ts'

/** One text that a child chunk had: saved from this console, or found there before an edit. */
export interface Version {
  id: string
  content: string
  /** ISO 8601. */
  at: string
  person: string | null
  note: string | null
  /** False for what this console found, and did not write. */
  isOurs: boolean
}

const ENTRIES = 'segments.createChildChunk,segments.updateChildChunk'

/** The texts of a child chunk that this console knows, newest first. */
export function useVersions(child_chunk_id: string | undefined, workspace: string | undefined) {
  const enabled = child_chunk_id !== undefined && workspace !== undefined
  const calls = usePages(
    contract.console.listCalls,
    { query: { workspace, thing: child_chunk_id, entry: ENTRIES, whole: 'true', limit: 100 } },
    { enabled },
  )
  const found = useRead(
    contract.console.listKept,
    { query: { kind: 'mark', workspace: workspace ?? '', about: child_chunk_id } },
    { enabled },
  )
  const saved = (calls.data?.pages ?? [])
    .flatMap(({ data }) => data)
    .flatMap((one): Version[] => {
      const content = asText(asRecord(one.request)?.['content'])
      if (one.status !== 'succeeded' || content === null) return []
      return [{ id: one.id, content, at: one.created_at, person: one.person, note: one.note, isOurs: true }]
    })
  const before = (found.data?.data ?? []).flatMap((one): Version[] => {
    const content = asText(asRecord(one.value)?.['content'])
    return content === null || !enabled
      ? []
      : [{ id: one.id, content, at: one.created_at, person: null, note: null, isOurs: false }]
  })
  return {
    versions: [...saved, ...before].sort((one, other) => Date.parse(other.at) - Date.parse(one.at)),
    problem: calls.error && !calls.isFetchNextPageError ? calls.error.problem : null,
    retry: () => void calls.refetch(),
    older: {
      isLeft: calls.hasNextPage,
      isBusy: calls.isFetchingNextPage,
      onMore: () => void calls.fetchNextPage(),
      problem: calls.isFetchNextPageError ? calls.error.problem : null,
    },
  }
}
