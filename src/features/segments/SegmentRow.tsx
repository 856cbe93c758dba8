import { memo } from 'react'
import { Link } from 'react-router'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Document.module.css'
import { segmentsWords } from './messages.ts'
import { SEGMENT_PAGE, type SegmentSource, useSegmentPage } from './useSegmentPage.ts'

export interface SegmentRowProps {
  source: SegmentSource
  /** Its place in the whole list. */
  index: number
  current: string | undefined
  toOf: (segment_id: string) => string
}

/** One row of the list, which reads the page that it stands on. */
export const SegmentRow = memo(function SegmentRow({ source, index, current, toOf }: SegmentRowProps) {
  const t = useWords(segmentsWords)
  const { rows } = useSegmentPage(source, Math.floor(index / SEGMENT_PAGE) + 1)
  const row = rows?.[index % SEGMENT_PAGE]
  if (!row) return <div className={classes.ghost} aria-hidden="true" />
  const { id, label, segment } = row
  const title = (segment?.content ?? label)?.trim().slice(0, 80)
  return (
    <div role="listitem">
      <Link to={toOf(id)} aria-current={id === current || undefined}>
        <span className={classes.place}>{segment?.position ?? ''}</span>
        <b>{title || id.slice(0, 8)}</b>
        <span className={classes.counts}>
          {segment?.status && segment.status !== 'completed' ? <StateBadge word={segment.status} plain /> : null}
          {segment?.enabled === false ? <StateBadge word="disabled" plain /> : null}
          {segment?.word_count == null ? null : <span>{t('wordsOf', { n: segment.word_count })}</span>}
          {segment?.hit_count == null ? null : <span>{t('hitsOf', { n: segment.hit_count })}</span>}
        </span>
      </Link>
    </div>
  )
})
