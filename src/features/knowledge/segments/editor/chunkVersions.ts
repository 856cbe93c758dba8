import type { UseQueryResult } from '@tanstack/react-query'
import type { ProblemError } from '#contract/problem.ts'
import { callEndpoints } from '#contract/console/calls.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { asRecord, asText } from '#domain/stream/untrustedJson.ts'
import { useRead } from '../../../../client/query.ts'
import { useCursorPages } from '../../../../client/cursorReads.ts'

/** One text that a chunk had: saved from this console, or found there before an edit. */
export interface ChunkVersion {
  id: string
  content: string
  /** Of a segment in Q&A form. */
  answer: string | null
  /** ISO 8601. */
  at: string
  person: string | null
  note: string | null
  /** False for what this console found, and did not write. */
  isSavedHere: boolean
}
/** A version with the one that it replaced; null for the oldest known one. */
export interface ChunkChange extends ChunkVersion {
  previous: ChunkVersion | null
}

/**
 * The versions newest first, each with its predecessor. A text retrieved before an edit is omitted if it equals the
 * last one saved here.
 */
export function toChunkChanges(versions: readonly ChunkVersion[]): ChunkChange[] {
  const newestFirst = [...versions].sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
  const distinct = newestFirst.filter((version, index) => {
    const older = newestFirst[index + 1]
    return version.isSavedHere || !older || !hasSameText(version, older)
  })
  return distinct.map((version, index) => ({ ...version, previous: distinct[index + 1] ?? null }))
}

export const hasSameText = (
  one: Pick<ChunkVersion, 'content' | 'answer'>,
  other: Pick<ChunkVersion, 'content' | 'answer'>,
): boolean => one.content === other.content && (one.answer ?? '') === (other.answer ?? '')

/** What changed from one text to the next, with a few characters of both around it. */
interface TextChange {
  removed: string
  added: string
  /** The common text before and after the change. */
  before: string
  behind: string
}

const CONTEXT_CHARS = 24
const MAX_SHOWN_CHARS = 160

/** The change between two texts from the first character that differs to the last, at the edges of words. */
export function summarizeTextChange(before: string, after: string): TextChange {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start++
  let end = 0
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end++
  while (start > 0 && isInWord(before, after, start)) start--
  while (end > 0 && isInWord(before, after, before.length - end, after.length - end)) end--
  return {
    removed: shorten(before.slice(start, before.length - end)),
    added: shorten(after.slice(start, after.length - end)),
    before: `${start > CONTEXT_CHARS ? '…' : ''}${after.slice(Math.max(0, start - CONTEXT_CHARS), start)}`,
    behind: `${after.slice(after.length - end, after.length - end + CONTEXT_CHARS)}${end > CONTEXT_CHARS ? '…' : ''}`,
  }
}

/** Whether a cut there would split a word, a number with its decimals, or a surrogate pair. */
function isInWord(before: string, after: string, inBefore: number, inAfter = inBefore): boolean {
  const isSplit = (text: string, at: number) => {
    const [left = '', right = ''] = [text[at - 1], text[at]]
    if (/[\uD800-\uDBFF]/.test(left)) return true
    if (DIGIT.test(left) || DIGIT.test(right)) return NUMBER_CHARACTER.test(left) && NUMBER_CHARACTER.test(right)
    return SPACED_LETTER.test(left) && SPACED_LETTER.test(right)
  }
  return isSplit(before, inBefore) || isSplit(after, inAfter)
}

const DIGIT = /\p{N}/u
const NUMBER_CHARACTER = /[\p{L}\p{N}.,]/u
/** Scripts without blanks between words have none that could be split here. */
const SPACED_LETTER = /\p{L}(?<![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u

const shorten = (text: string): string =>
  text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS / 2)} … ${text.slice(-MAX_SHOWN_CHARS / 2)}`

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
  const versions = toChunkChanges([...saved, ...before])
  const { data, error, fetchStatus, refetch } = calls
  const read: Pick<UseQueryResult<unknown, ProblemError>, 'data' | 'error' | 'fetchStatus' | 'refetch'> = {
    data: data ?? (versions.length > 0 ? versions : undefined),
    error: calls.isFetchNextPageError ? null : error,
    fetchStatus,
    refetch,
  }
  return {
    versions,
    read,
    older: {
      hasMore: calls.hasNextPage,
      isBusy: calls.isFetchingNextPage,
      onLoadMore: () => void calls.fetchNextPage(),
      problem: calls.isFetchNextPageError ? calls.error.problem : null,
    },
  }
}

/** Null for a change without text, such as enabling a segment. */
function toVersionText(value: unknown): Pick<ChunkVersion, 'content' | 'answer'> | null {
  const record = asRecord(value)
  const content = asText(record?.['content'])
  return content === null ? null : { content, answer: asText(record?.['answer']) }
}
