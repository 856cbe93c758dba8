import type { ChildChunkRecord } from '#domain/documentRecord.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** How many child chunks are listed by their text. */
const MAX_LISTED_CHUNKS = 8
const MAX_QUOTE_CHARS = 80

export interface RegenerationLosses {
  /** Child chunks that were written or edited by hand, first in the list; then those that the platform generated. */
  listed: { number: number; quote: string; isByHand: boolean }[]
  unlistedCount: number
}

/**
 * The child chunks that a regeneration replaces: all of them, with their ids. The platform marks those that were written
 * or edited by hand (`customized`); released platforms send no mark, so none of theirs is called edited.
 */
export function listRegenerationLosses(chunks: readonly ChildChunkRecord[]): RegenerationLosses {
  const all = chunks.map(({ content, type }, index) => ({
    number: index + 1,
    quote: toQuote(content ?? ''),
    isByHand: type === 'customized',
  }))
  const sorted = [...all.filter(({ isByHand }) => isByHand), ...all.filter(({ isByHand }) => !isByHand)]
  return { listed: sorted.slice(0, MAX_LISTED_CHUNKS), unlistedCount: Math.max(0, sorted.length - MAX_LISTED_CHUNKS) }
}

function toQuote(content: string): string {
  const text = content.replace(/\s+/g, ' ').trim()
  return truncateText(text, MAX_QUOTE_CHARS, ' …')
}
