import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Frames.module.css'
import { framesMessages } from './messages.ts'
import { type FrameRow, toFramePreview } from './frameRows.ts'
import { SLOW_GAP_MS } from './frameSummary.ts'
import { type FrameTable, getFrameCut, getGapMs } from './frameTable.ts'
import { formatCut, formatSize } from './frameFormat.ts'

export interface FrameRowViewProps {
  table: FrameTable
  row: FrameRow
  id: string
  index: number
  isSelected: boolean
  isCurrent: boolean
  onSelect: (seq: number) => void
  onExpand: (from: number) => void
}

/** One row of the list: a frame, or a fold of several. */
export function FrameRowView(props: FrameRowViewProps) {
  const { table, row, id, index, isSelected, isCurrent, onSelect, onExpand } = props
  const t = useMessages(framesMessages)
  if (typeof row !== 'number') {
    const { from, to } = row
    return (
      <div role="row" id={id} aria-rowindex={index + 2} className={classes.fold} data-current={isCurrent || undefined}>
        <span role="gridcell" aria-colspan={5}>
          {t('folded', { count: to - from + 1, event: table.events[from - 1] ?? '', from, to })}{' '}
          <button
            type="button"
            tabIndex={-1}
            aria-label={t('showFolded', { from, to })}
            className={classes.show}
            onClick={() => onExpand(from)}
          >
            {t('show')}
          </button>
        </span>
      </div>
    )
  }
  const frame = table.frames[row - 1]
  const gap = getGapMs(table, row)
  const event = table.events[row - 1] ?? ''
  const kind = table.kinds[row - 1]
  const cut = frame ? getFrameCut(frame) : null
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={classes.row}
      data-current={isCurrent || undefined}
    >
      <span role="gridcell">
        <button type="button" tabIndex={-1} className={classes.pick} onClick={() => onSelect(row)}>
          {row}
        </button>
      </span>
      <span role="gridcell">{((frame?.at ?? 0) / 1000).toFixed(3)}</span>
      <span role="gridcell" data-slow={gap > SLOW_GAP_MS || undefined}>
        {gap}
      </span>
      <span role="gridcell">{formatSize(frame?.bytes ?? 0)}</span>
      <span role="gridcell" className={classes.data} data-kind={kind}>
        <b>{event === '' ? t('unnamed') : showControlCharacters(event)}</b>{' '}
        {cut ? <mark className={classes.cut}>{t('cut', formatCut(cut))}</mark> : null}{' '}
        {showControlCharacters(frame ? toFramePreview(frame.block) : '') || t('noData')}
      </span>
    </div>
  )
}

/** Makes control and bidi characters visible, so that no frame can imitate another. */
const showControlCharacters = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (char) =>
    char < ' ' ? String.fromCharCode(0x2400 + char.charCodeAt(0)) : '\ufffd',
  )
