import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { useWords } from '../../ui/words.ts'
import classes from './Frames.module.css'
import { FrameRowView } from './FrameRowView.tsx'
import { framesWords } from './messages.ts'
import type { FrameRow } from './rows.ts'
import type { FrameTable } from './table.ts'

export interface FrameListProps {
  table: FrameTable
  rows: readonly FrameRow[]
  selected: number | null
  /** Keeps the last row in sight while rows come. */
  isFollowing: boolean
  isLive: boolean
  onFollow: (follows: boolean) => void
  onSelect: (seq: number) => void
  onUnfold: (from: number) => void
}

const ROW = matchMedia('(pointer: coarse)').matches ? 32 : 24
/** The row of column names stays at the top, over the rows. Pixels. */
const HEAD = 28
/** So far beyond the view, in pixels, rows are drawn. */
const BEYOND = 96
/** So near to its end, in pixels, the list counts as standing there. */
const NEAR = 30

/** The frames as a grid: one tab stop, arrows inside, only the rows in sight are in the page. */
export function FrameList(props: FrameListProps) {
  const { table, rows, selected, isFollowing, isLive, onFollow, onSelect, onUnfold } = props
  const t = useWords(framesWords)
  const id = useId()
  const view = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  // The arrow keys may stand on a fold, which is no frame to select.
  const [foldAt, setFoldAt] = useState<number | null>(null)
  const fold = foldAt === null ? -1 : rows.findIndex((row) => typeof row !== 'number' && row.from === foldAt)
  const at = fold >= 0 ? fold : selected === null ? -1 : indexOf(rows, selected)
  const count = rows.length

  useEffect(() => {
    if (isFollowing && count > 0) list.current?.scrollToIndex(count - 1, { align: 'end' })
  }, [isFollowing, count])
  // A new choice moves the list, and so does its row when it comes; one that comes before it does not.
  const show = useEffectEvent(() => {
    if (at >= 0 && !isFollowing) reveal(view.current, at)
  })
  const isHere = at >= 0
  useEffect(() => show(), [selected, foldAt, isHere])

  const go = (index: number) => {
    const to = Math.min(count - 1, Math.max(0, index))
    const row = rows[to]
    if (row === undefined) return
    setFoldAt(typeof row === 'number' ? null : row.from)
    if (typeof row === 'number') onSelect(row)
    else reveal(view.current, to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor(((view.current?.clientHeight ?? ROW) - HEAD) / ROW) - 1)
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
      onUnfold(row.from)
    } else return
    event.preventDefault()
  }
  const onScroll = () => {
    const grid = view.current
    if (!grid || !isLive) return
    onFollow(grid.scrollTop + grid.clientHeight >= grid.scrollHeight - NEAR)
  }
  return (
    <div
      ref={view}
      className={classes.grid}
      role="grid"
      aria-label={t('list')}
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
        startMargin={HEAD}
        data={rows}
        itemSize={ROW}
        bufferSize={BEYOND}
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
            onUnfold={onUnfold}
          />
        )}
      </Virtualizer>
    </div>
  )
}

/** Brings a row into sight: the next one by no more than it must, one from afar to the middle. */
function reveal(grid: HTMLDivElement | null, index: number): void {
  if (!grid) return
  const top = index * ROW
  const room = grid.clientHeight - HEAD - ROW
  const beyond = top < grid.scrollTop ? grid.scrollTop - top : top - grid.scrollTop - room
  if (beyond <= 0) return
  if (beyond > ROW) grid.scrollTop = top - room / 2
  else grid.scrollTop = top < grid.scrollTop ? top : top - room
}

/** Rows are in the order of their frames. */
function indexOf(rows: readonly FrameRow[], seq: number): number {
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
