import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Frames.module.css'
import { framesMessages } from './messages.ts'
import { type FrameRow, toFramePreview } from './frameRows.ts'
import { type FrameTable, getFrameCut, getGapMs } from './frameTable.ts'
import { formatCut, formatSize, SLOW_GAP_MS } from './frameStatistics.ts'

interface FrameListProps {
  table: FrameTable
  rows: readonly FrameRow[]
  selected: number | null
  /** Scrolls to the last row as rows arrive. */
  isFollowing: boolean
  isLive: boolean
  onFollow: (follows: boolean) => void
  onSelect: (seq: number) => void
  onExpand: (from: number) => void
}

const ROW_HEIGHT_PX = matchMedia('(pointer: coarse)').matches ? 32 : 24
/** Height of the sticky header row (px). */
const HEADER_HEIGHT_PX = 28
/** Overscan beyond the viewport (px). */
const OVERSCAN_PX = 96
/** Distance within which the list counts as scrolled to the end (px). */
const NEAR_END_PX = 30

/** The frames as an ARIA grid: one tab stop, arrow keys inside, virtualized rows. */
export function FrameList(props: FrameListProps) {
  const { table, rows, selected, isFollowing, isLive, onFollow, onSelect, onExpand } = props
  const t = useMessages(framesMessages)
  const id = useId()
  const view = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  // The arrow keys can focus a fold, which is not a selectable frame.
  const [foldAt, setFoldAt] = useState<number | null>(null)
  const fold = foldAt === null ? -1 : rows.findIndex((row) => typeof row !== 'number' && row.from === foldAt)
  const at = fold >= 0 ? fold : selected === null ? -1 : findRowIndex(rows, selected)
  const count = rows.length

  useEffect(() => {
    if (isFollowing && count > 0) list.current?.scrollToIndex(count - 1, { align: 'end' })
  }, [isFollowing, count])
  // Scroll for a new selection, and when its row arrives; not when an earlier row arrives.
  const show = useEffectEvent(() => {
    if (at >= 0 && !isFollowing) scrollToRow(view.current, at)
  })
  const isHere = at >= 0
  useEffect(() => void show(), [selected, foldAt, isHere])

  const go = (index: number) => {
    const to = Math.min(count - 1, Math.max(0, index))
    const row = rows[to]
    if (row === undefined) return
    setFoldAt(typeof row === 'number' ? null : row.from)
    if (typeof row === 'number') onSelect(row)
    else scrollToRow(view.current, to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(
      1,
      Math.floor(((view.current?.clientHeight ?? ROW_HEIGHT_PX) - HEADER_HEIGHT_PX) / ROW_HEIGHT_PX) - 1,
    )
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      j: at + 1,
      ArrowUp: Math.max(0, at - 1),
      k: Math.max(0, at - 1),
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: count - 1,
    }
    const row = rows[at]
    if (event.key in steps) go(steps[event.key] ?? 0)
    else if ((event.key === 'Enter' || event.key === ' ') && row !== undefined && typeof row !== 'number') {
      setFoldAt(null)
      onExpand(row.from)
    } else return
    event.preventDefault()
  }
  const onScroll = () => {
    const grid = view.current
    if (!grid || !isLive) return
    onFollow(grid.scrollTop + grid.clientHeight >= grid.scrollHeight - NEAR_END_PX)
  }
  return (
    <div
      ref={view}
      className={classes.grid}
      role="grid"
      aria-label={t('frames')}
      aria-rowcount={count + 1}
      aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className={classes.columns} role="row" aria-rowindex={1}>
        {(['number', 'at', 'gap', 'size', 'data'] as const).map((name) => (
          <span key={name} role="columnheader">
            {t(name)}
          </span>
        ))}
      </div>
      <Virtualizer
        ref={list}
        scrollRef={view}
        startMargin={HEADER_HEIGHT_PX}
        data={rows}
        itemSize={ROW_HEIGHT_PX}
        bufferSize={OVERSCAN_PX}
        onScroll={onScroll}
      >
        {(row, index) => (
          <FrameRowView
            key={typeof row === 'number' ? row : `fold-${row.from}`}
            table={table}
            row={row}
            id={`${id}-${index}`}
            index={index}
            isSelected={row === selected}
            isCurrent={index === at}
            onSelect={(seq) => {
              setFoldAt(null)
              onSelect(seq)
            }}
            onExpand={onExpand}
          />
        )}
      </Virtualizer>
    </div>
  )
}

/** Scrolls a row into view: a neighbor by the minimum, a distant one to the middle. */
function scrollToRow(grid: HTMLDivElement | null, index: number): void {
  if (!grid) return
  const top = index * ROW_HEIGHT_PX
  const visibleHeight = grid.clientHeight - HEADER_HEIGHT_PX - ROW_HEIGHT_PX
  const distance = top < grid.scrollTop ? grid.scrollTop - top : top - grid.scrollTop - visibleHeight
  if (distance <= 0) return
  if (distance > ROW_HEIGHT_PX) grid.scrollTop = top - visibleHeight / 2
  else grid.scrollTop = top < grid.scrollTop ? top : top - visibleHeight
}

function findRowIndex(rows: readonly FrameRow[], seq: number): number {
  let low = 0
  let high = rows.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const row = rows[middle] ?? 0
    const [from, to] = typeof row === 'number' ? [row, row] : [row.from, row.to]
    if (seq < from) high = middle - 1
    else if (seq > to) low = middle + 1
    else return typeof row === 'number' ? middle : -1
  }
  return -1
}

interface FrameRowViewProps {
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
function FrameRowView(props: FrameRowViewProps) {
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
