import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import type { Piece } from './compare/text.ts'
import { useTextComparison } from './compare/useTextComparison.ts'
import classes from './Comparison.module.css'

/** So many characters that both texts share are drawn before and after a difference. */
const AROUND = 600

/** Two texts as one: what only the later has is underlined, what only the earlier had is struck through. */
export function AnswerDiff({ before, after, label }: { before: string; after: string; label: string }) {
  const t = useTranslations('runs')
  const comparison = useTextComparison(before, after)
  if (comparison === null) return <SkeletonRows rows={3} height={20} />
  if (comparison === 'failed') return <p className={classes.note}>{t('notCompared')}</p>
  const { pieces, by } = comparison
  const length = (kind: Piece['kind']) =>
    pieces.filter((piece) => piece.kind === kind).reduce((sum, { text }) => sum + text.length, 0)
  if (length('added') + length('removed') === 0) return <p className={classes.note}>{t('sameText')}</p>
  return (
    <>
      <p className={classes.note}>
        {t('textCounts', { added: length('added'), removed: length('removed') })}{' '}
        {by === 'words' ? null : t(by === 'lines' ? 'byLines' : 'byEnds')}
      </p>
      <div className={classes.text} dir="auto" tabIndex={0} role="region" aria-label={label}>
        {pieces.map((piece, index) => (
          <PieceView key={index} piece={piece} />
        ))}
      </div>
    </>
  )
}

function PieceView({ piece: { kind, text } }: { piece: Piece }) {
  const t = useTranslations('runs')
  const [isWhole, setWhole] = useState(false)
  const isLong = !isWhole && text.length > 3 * AROUND
  const shown = isLong ? (
    <>
      {text.slice(0, AROUND)}
      <button type="button" className={classes.fold} onClick={() => setWhole(true)}>
        {t(kind === 'same' ? 'sameFolded' : 'folded', { count: text.length - 2 * AROUND })}
      </button>
      {text.slice(-AROUND)}
    </>
  ) : (
    text
  )
  if (kind === 'added') return <ins>{shown}</ins>
  return kind === 'removed' ? <del>{shown}</del> : shown
}
