import { useMemo } from 'react'
import type { ChildChunkRecord } from '#domain/documentRecord.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { segmentMessages } from './messages.ts'
import { listRegenerationLosses } from './regenerationLosses.ts'

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
