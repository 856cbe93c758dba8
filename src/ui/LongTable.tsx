import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { Virtualizer } from 'virtua'
import classes from './LongTable.module.css'
import { uiWords } from './messages.ts'
import type { Column } from './Table.tsx'
import { useLetterKeys } from './useLetterKeys.ts'
import { useWords } from './words.ts'

export interface LongColumn<Row> extends Column<Row> {
  /** A track of a CSS grid: `110px`, `minmax(220px, 1fr)`. */
  width: string
}

export interface LongTableProps<Row> {
  label: string
  columns: readonly LongColumn<Row>[]
  rows: readonly Row[]
  /** How many there are in all, -1 where that is not known. */
  count: number
  keyOf: (row: Row) => string
  isCurrent?: (row: Row) => boolean
  /** The last rows are near: more may be fetched. */
  onEnd: () => void
  /** Stands after the last row. */
  foot?: ReactNode
}

const ROW = 36
const HEAD = 28
/** So near to its end, in pixels, the table asks for more. */
const NEAR = 1_200

/** A table of any length: only the rows in sight are in the page, and more come when its end is near. */
export function LongTable<Row>({ label, columns, rows, count, keyOf, isCurrent, onEnd, foot }: LongTableProps<Row>) {
  const view = useRef<HTMLDivElement>(null)
  const grid = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') }
  const look = () => {
    const box = view.current
    if (box && box.scrollTop + box.clientHeight > HEAD + rows.length * ROW - NEAR) onEnd()
  }
  const onRows = useEffectEvent(look)
  useEffect(() => onRows(), [rows.length])
  useLetterKeys([
    ['j', () => focusNext(view.current, 1)],
    ['k', () => focusNext(view.current, -1)],
  ])
  return (
    <div ref={view} className={classes.view} role="region" aria-label={label} tabIndex={0}>
      <div className={classes.table} role="table" aria-label={label} aria-rowcount={count < 0 ? -1 : count + 1}>
        <div className={classes.head} role="row" aria-rowindex={1} style={grid}>
          {columns.map(({ head, number }) => (
            <span key={head} role="columnheader" data-number={number || undefined}>
              {head}
            </span>
          ))}
        </div>
        <Virtualizer
          scrollRef={view}
          startMargin={HEAD}
          data={rows}
          itemSize={ROW}
          bufferSize={ROW * 8}
          onScroll={look}
        >
          {(row, index) => (
            <div
              key={keyOf(row)}
              className={classes.row}
              role="row"
              aria-rowindex={index + 2}
              aria-current={isCurrent?.(row) || undefined}
              style={grid}
            >
              {columns.map((column) => (
                <Cell key={column.head} column={column} row={row} />
              ))}
            </div>
          )}
        </Virtualizer>
      </div>
      {foot}
    </div>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const t = useWords(uiWords)
  return (
    <span
      role="cell"
      data-number={column.number || undefined}
      data-mono={column.mono || undefined}
      className={classes.cell}
    >
      {column.cell(row) ?? <span className={classes.missing}>{t('notGiven')}</span>}
    </span>
  )
}

function focusNext(view: HTMLElement | null, step: 1 | -1): void {
  const links = [...(view?.querySelectorAll<HTMLElement>('[role=row] a') ?? [])]
  const at = links.findIndex((link) => link === document.activeElement)
  links[at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step]?.focus()
}
