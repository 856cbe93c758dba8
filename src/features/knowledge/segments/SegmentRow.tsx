import { memo } from 'react'
import { Link } from 'react-router'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Document.module.css'
import { segmentMessages } from './messages.ts'
import { SEGMENTS_PER_PAGE, type SegmentSource, useSegmentPage } from './useSegmentPage.ts'

export interface SegmentRowProps {
  source: SegmentSource
  /** Its place in the whole list. */
  index: number
  current: string | undefined
  getSegmentPath: (segment_id: string) => string
}

/** One row of the list, which reads the page that it stands on. */
export const SegmentRow = memo(function SegmentRow({ source, index, current, getSegmentPath }: SegmentRowProps) {
  const t = useMessages(segmentMessages)
  const { rows } = useSegmentPage(source, Math.floor(index / SEGMENTS_PER_PAGE) + 1)
  const row = rows?.[index % SEGMENTS_PER_PAGE]
  if (!row) return <div className={classes.ghost} aria-hidden="true" />
  const { id, label, segment } = row
  const title = (segment?.content ?? label)?.trim().slice(0, 80)
  return (
    <div role="listitem">
      <Link to={getSegmentPath(id)} aria-current={id === current || undefined}>
        <span className={classes.place}>{segment?.position ?? ''}</span>
        <b>{title || id.slice(0, 8)}</b>
        <span className={classes.counts}>
          {segment?.status && segment.status !== 'completed' ? <StatusBadge status={segment.status} isPlain /> : null}
          {segment?.enabled === false ? <StatusBadge status="disabled" isPlain /> : null}
          {segment?.word_count == null ? null : <span>{t('wordsOf', { n: segment.word_count })}</span>}
          {segment?.hit_count == null ? null : <span>{t('hitsOf', { n: segment.hit_count })}</span>}
        </span>
      </Link>
    </div>
  )
})
