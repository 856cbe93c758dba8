import { useEffect, useState } from 'react'
import { type DiffPiece, isTooDifferent, type TextComparison } from './compareTexts.ts'
import { textDiffMessages } from './messages.ts'
import { SkeletonRows } from '../../layout/SkeletonRows.tsx'
import classes from './TextDiff.module.css'
import { useMessages } from '../../i18n/useMessages.ts'

/** Characters shown at each end of a long unchanged part. */
const CONTEXT_CHARS = 400

export interface TextDiffProps {
  before: string
  after: string
  /** Describes the texts; the default says that these are changes. */
  label?: string
}

/** An inline diff: insertions are underlined, deletions are struck through, long parts are folded. */
export function TextDiff({ before, after, label }: TextDiffProps) {
  const t = useMessages(textDiffMessages)
  const { comparison, isStale } = useTextComparison(before, after)
  const [isForced, setForced] = useState(false)
  if (comparison === null) return <SkeletonRows rows={3} height={20} />
  if (comparison === 'failed') return <p className={classes.note}>{t('notCompared')}</p>
  const { pieces, granularity } = comparison
  const length = (kind: DiffPiece['kind']) =>
    pieces.filter((piece) => piece.kind === kind).reduce((sum, { text }) => sum + text.length, 0)
  const [added, removed] = [length('added'), length('removed')]
  if (added + removed === 0) return <p className={classes.note}>{t('sameText')}</p>
  if (!isForced && isTooDifferent(comparison, before, after))
    return <SideBySide before={before} after={after} label={label} onCompare={() => setForced(true)} />
  return (
    <figure className={classes.diff} aria-busy={isStale}>
      <figcaption>
        <ins>+{added.toLocaleString('en')}</ins> <del>−{removed.toLocaleString('en')}</del> {t('diffCharacters')}{' '}
        {granularity === 'words' ? null : t(granularity === 'lines' ? 'comparedByLines' : 'comparedByEnds')}
      </figcaption>
      <div className={classes.text} dir="auto" tabIndex={0} role="group" aria-label={label ?? t('diff')}>
        {pieces.map((piece, index) => (
          <DiffPieceView key={index} piece={piece} />
        ))}
      </div>
    </figure>
  )
}

/** Two texts with little in common, next to each other: marks of single words would be useless. */
function SideBySide({ before, after, label, onCompare }: TextDiffProps & { onCompare: () => void }) {
  const t = useMessages(textDiffMessages)
  return (
    <figure className={classes.diff}>
      <figcaption>
        {t('tooDifferent')}{' '}
        <button type="button" className={classes.compare} onClick={onCompare}>
          {t('compareWords')}
        </button>
      </figcaption>
      <div className={classes.pair} role="group" aria-label={label ?? t('diff')}>
        {[
          { name: t('before'), text: before },
          { name: t('textAfter'), text: after },
        ].map(({ name, text }) => (
          <div key={name} className={classes.text} dir="auto" tabIndex={0} role="group" aria-label={name}>
            <small>{name}</small>
            {text}
          </div>
        ))}
      </div>
    </figure>
  )
}

function DiffPieceView({ piece: { kind, text } }: { piece: DiffPiece }) {
  const t = useMessages(textDiffMessages)
  const [isExpanded, setExpanded] = useState(false)
  const isLong = !isExpanded && text.length > 3 * CONTEXT_CHARS
  const shown = isLong ? (
    <>
      {text.slice(0, CONTEXT_CHARS)}
      <button type="button" className={classes.fold} onClick={() => setExpanded(true)}>
        {t(kind === 'same' ? 'moreUnchanged' : 'moreCharacters', { count: text.length - 2 * CONTEXT_CHARS })}
      </button>
      {text.slice(-CONTEXT_CHARS)}
    </>
  ) : (
    text
  )
  if (kind === 'added') return <ins>{shown}</ins>
  return kind === 'removed' ? <del>{shown}</del> : shown
}

interface ComparisonState {
  before: string
  after: string
  comparison: TextComparison | 'failed'
}

/**
 * The diff of two texts, computed by a worker: null before the first result; an earlier result stays, marked stale,
 * until the new one arrives.
 */
function useTextComparison(
  before: string,
  after: string,
): { comparison: TextComparison | 'failed' | null; isStale: boolean } {
  const [comparisonState, setComparisonState] = useState<ComparisonState | null>(null)
  useEffect(() => {
    const worker = new Worker(new URL('./textDiffWorker.ts', import.meta.url), { type: 'module' })
    const onMessage = (comparison: ComparisonState['comparison']) => {
      setComparisonState({ before, after, comparison })
      worker.terminate()
    }
    worker.onmessage = ({ data }: MessageEvent<TextComparison>) => onMessage(data)
    worker.onerror = () => onMessage('failed')
    worker.postMessage({ before, after })
    return () => worker.terminate()
  }, [before, after])
  const isStale = comparisonState?.before !== before || comparisonState.after !== after
  return { comparison: comparisonState?.comparison ?? null, isStale }
}
