import { useState } from 'react'
import type { Piece } from './diff/text.ts'
import { useTextComparison } from './diff/useTextComparison.ts'
import { uiWords } from './messages.ts'
import { SkeletonRows } from './SkeletonRows.tsx'
import classes from './TextDiff.module.css'
import { useWords } from './words.ts'

/** Characters drawn at each end of a long part. */
const AROUND = 400

export interface TextDiffProps {
  before: string
  after: string
  /** What the texts are; else it says that these are changes. */
  label?: string
}

/** Two texts as one: what only the later has is underlined, what only the earlier had is struck through, long parts are folded. */
export function TextDiff({ before, after, label }: TextDiffProps) {
  const t = useWords(uiWords)
  const { comparison, isStale } = useTextComparison(before, after)
  if (comparison === null) return <SkeletonRows rows={3} height={20} />
  if (comparison === 'failed') return <p className={classes.note}>{t('notCompared')}</p>
  const { pieces, by } = comparison
  const length = (kind: Piece['kind']) =>
    pieces.filter((piece) => piece.kind === kind).reduce((sum, { text }) => sum + text.length, 0)
  const [added, removed] = [length('added'), length('removed')]
  if (added + removed === 0) return <p className={classes.note}>{t('sameText')}</p>
  return (
    <figure className={classes.diff} aria-busy={isStale}>
      <figcaption>
        <ins>+{added.toLocaleString('en')}</ins> <del>−{removed.toLocaleString('en')}</del> {t('diffCharacters')}{' '}
        {by === 'words' ? null : t(by === 'lines' ? 'byLines' : 'byEnds')}
      </figcaption>
      <div className={classes.text} dir="auto" tabIndex={0} role="group" aria-label={label ?? t('diff')}>
        {pieces.map((piece, index) => (
          <PieceView key={index} piece={piece} />
        ))}
      </div>
    </figure>
  )
}

function PieceView({ piece: { kind, text } }: { piece: Piece }) {
  const t = useWords(uiWords)
  const [isWhole, setWhole] = useState(false)
  const isLong = !isWhole && text.length > 3 * AROUND
  const shown = isLong ? (
    <>
      {text.slice(0, AROUND)}
      <button type="button" className={classes.fold} onClick={() => setWhole(true)}>
        {t(kind === 'same' ? 'sameFolded' : 'pieceFolded', { count: text.length - 2 * AROUND })}
      </button>
      {text.slice(-AROUND)}
    </>
  ) : (
    text
  )
  if (kind === 'added') return <ins>{shown}</ins>
  return kind === 'removed' ? <del>{shown}</del> : shown
}
