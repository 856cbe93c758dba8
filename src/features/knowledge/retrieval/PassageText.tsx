import { useMemo } from 'react'
import { markPassage, type PassageRange } from '#domain/retrieval/passageMarks.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { retrievalMessages } from './messages.ts'
import classes from './SearchHit.module.css'

export interface PassageTextProps {
  text: string
  question: string
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}

/** The passage round the best sentence with the words of the question marked; unfolded, the whole segment. */
export function PassageText({ text, question, isOpen, onToggle }: PassageTextProps) {
  const t = useMessages(retrievalMessages)
  const { words, best, isByLikeness, window } = useMemo(() => markPassage(text, question), [text, question])
  const shown = isOpen ? { start: 0, end: text.length } : window
  const isCut = window.start > 0 || window.end < text.length
  return (
    <div className={classes.passage}>
      <p dir="auto" data-open={isOpen || undefined}>
        {shown.start > 0 ? '… ' : null}
        {splitAt(shown, words, best).map((piece) => (
          <MarkedPiece key={piece.start} text={text.slice(piece.start, piece.end)} {...piece} />
        ))}
        {shown.end < text.length ? ' …' : null}
      </p>
      {isByLikeness ? <small>{t('byLikeness')}</small> : null}
      {isCut ? (
        <button type="button" className={classes.unfold} aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
          {isOpen ? t('foldSegment') : t('unfoldSegment', { n: text.length })}
        </button>
      ) : null}
    </div>
  )
}

interface Piece extends PassageRange {
  isWord: boolean
  isBest: boolean
}

function MarkedPiece({ text, isWord, isBest }: Piece & { text: string }) {
  if (isWord) return <mark data-best={isBest || undefined}>{text}</mark>
  return isBest ? <span className={classes.best}>{text}</span> : text
}

/** The part of a text that is shown, cut where a mark begins or ends. */
function splitAt(shown: PassageRange, words: readonly PassageRange[], best: PassageRange | null): Piece[] {
  const isIn = (range: PassageRange | null, start: number) =>
    range !== null && range.start <= start && start < range.end
  const inside = [...words, ...(best ? [best] : [])].flatMap(({ start, end }) => [start, end])
  const cuts = [...new Set([shown.start, ...inside, shown.end])].filter((cut) => cut >= shown.start && cut <= shown.end)
  const sorted = cuts.sort((one, other) => one - other)
  let at = 0
  return sorted.slice(0, -1).map((start, index) => {
    while (at < words.length && (words[at]?.end ?? 0) <= start) at++
    return {
      start,
      end: sorted[index + 1] ?? shown.end,
      isWord: isIn(words[at] ?? null, start),
      isBest: isIn(best, start),
    }
  })
}
