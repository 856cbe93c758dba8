import { Checkbox } from '@mantine/core'
import { memo } from 'react'
import { Link } from 'react-router'
import { StatusBadge } from '../../../../components/data/StatusBadge.tsx'
import { listRowAttributes } from '../../../../components/hooks/useListKeys.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import classes from '../Document.module.css'
import { segmentMessages } from '../messages.ts'
import { SEGMENTS_PER_PAGE, type SegmentSource, useSegmentPage } from './useSegmentPage.ts'

export interface SegmentRowProps {
  source: SegmentSource
  /** Its place in the whole list. */
  index: number
  current: string | undefined
  getSegmentPath: (segment_id: string) => string
  onOpen: (segment_id: string, index: number) => void
  /** The selected ones; null where nothing can be done with a selection. */
  selected: ReadonlySet<string> | null
  onSelect: (segment_id: string, index: number, isRange: boolean) => void
  /** Segments with an edit that is not saved. */
  drafts: ReadonlySet<string>
}

/** One row of the list, which reads the page that it stands on. */
export const SegmentRow = memo(function SegmentRow(props: SegmentRowProps) {
  const { source, index, current, getSegmentPath, onOpen, selected, onSelect, drafts } = props
  const t = useMessages(segmentMessages)
  const { rows } = useSegmentPage(source, Math.floor(index / SEGMENTS_PER_PAGE) + 1)
  const row = rows?.[index % SEGMENTS_PER_PAGE]
  if (!row) return <div className={classes.ghost} aria-hidden="true" />
  const { id, label, segment } = row
  const title = (segment?.content ?? label)?.trim().slice(0, 80) || id.slice(0, 8)
  const children = Array.isArray(segment?.child_chunks) ? segment.child_chunks.length : 0
  return (
    <div
      role="listitem"
      className={classes.row}
      data-selected={selected?.has(id) || undefined}
      {...listRowAttributes(index, id)}
    >
      {selected ? (
        <Checkbox
          size="xs"
          aria-label={t('selectSegment', { title })}
          checked={selected.has(id)}
          onChange={(event) => onSelect(id, index, (event.nativeEvent as MouseEvent).shiftKey)}
        />
      ) : null}
      <Link to={getSegmentPath(id)} aria-current={id === current || undefined} onClick={() => onOpen(id, index)}>
        <span className={classes.place}>{segment?.position ?? ''}</span>
        <b>{title}</b>
        <span className={classes.counts}>
          {drafts.has(id) ? <StatusBadge status="not saved" isPlain /> : null}
          {segment?.status && segment.status !== 'completed' ? <StatusBadge status={segment.status} isPlain /> : null}
          {segment?.enabled === false ? <StatusBadge status="disabled" isPlain /> : null}
          {segment?.word_count == null ? null : <span>{t('wordsOf', { n: segment.word_count })}</span>}
          {children > 0 ? <span>{t('childrenOf', { n: children })}</span> : null}
          {segment?.hit_count ? <span>{t('hitsOf', { n: segment.hit_count })}</span> : null}
        </span>
      </Link>
    </div>
  )
})
