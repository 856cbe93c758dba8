import { useMemo } from 'react'
import type { ChildChunkRecord } from '#domain/documentRecord.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { segmentMessages } from './messages.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** What a regeneration of the child chunks loses and keeps, in words: those edited by hand first. */
export function useRegenerationConsequences(chunks: readonly ChildChunkRecord[]): { lost: string[]; kept: string[] } {
  const t = useMessages(segmentMessages)
  const { listed, unlistedCount } = useMemo(() => listRegenerationLosses(chunks), [chunks])
  return {
    lost: [
      ...listed.map(({ number, quote, isByHand }) => t(isByHand ? 'lostByHand' : 'lostGenerated', { number, quote })),
      ...(unlistedCount > 0 ? [t('lostMore', { n: unlistedCount })] : []),
    ],
    kept: [t('keptSegment'), t('keptHistory')],
  }
}

const MAX_LISTED_CHUNKS = 8
const MAX_QUOTE_CHARS = 80

interface RegenerationLosses {
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
