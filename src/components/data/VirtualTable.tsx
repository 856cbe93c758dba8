import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import classes from './VirtualTable.module.css'
import { componentMessages } from '../i18n/messages.ts'
import { ColumnHeader, type TableColumn, type TableRowActions, useTableKeys } from './Table.tsx'
import { listRowAttributes } from '../hooks/useListKeys.tsx'
import { useMessages } from '../i18n/useMessages.ts'

export interface VirtualColumn<Row> extends TableColumn<Row> {
  /** A CSS grid track: `110px`, `minmax(220px, 1fr)`. */
  width: string
}

export interface VirtualTableProps<Row> {
  label: string
  columns: readonly VirtualColumn<Row>[]
  rows: readonly Row[]
  /** The total number of rows, -1 if unknown. */
  count: number
  getKey: (row: Row) => string
  isCurrent?: (row: Row) => boolean
  rowActions?: TableRowActions<Row>
  /** Called near the last row, to load more. */
  onEndReached?: () => void
  /** Rendered after the last row. */
  footer?: ReactNode
}

const ROW_HEIGHT_PX = 36
const HEADER_HEIGHT_PX = 28
/** Distance to the end, in pixels, at which the table loads more. */
const LOAD_MORE_DISTANCE_PX = 1_200

/** A virtualized table: only visible rows are in the DOM, and more load near its end. */
export function VirtualTable<Row>({
  label,
  columns,
  rows,
  count,
  getKey,
  isCurrent,
  rowActions,
  onEndReached,
  footer,
}: VirtualTableProps<Row>) {
  const viewport = useRef<HTMLDivElement>(null)
  const grid = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') }
  const updateRange = () => {
    const box = viewport.current
    if (
      box &&
      box.scrollTop + box.clientHeight > HEADER_HEIGHT_PX + rows.length * ROW_HEIGHT_PX - LOAD_MORE_DISTANCE_PX
    )
      onEndReached?.()
  }
  const onRows = useEffectEvent(updateRange)
  useEffect(() => void onRows(), [rows.length])
  const list = useRef<VirtualizerHandle>(null)
  const { status } = useTableKeys(viewport, { rows, getKey, ...(rowActions ? { rowActions } : {}) }, (index) =>
    list.current?.scrollToIndex(index, { align: 'nearest', offset: -HEADER_HEIGHT_PX }),
  )
  return (
    <div ref={viewport} className={classes.view} role="region" aria-label={label} tabIndex={0}>
      <div className={classes.table} role="table" aria-label={label} aria-rowcount={count < 0 ? -1 : count + 1}>
        <div className={classes.head} role="row" aria-rowindex={1} style={grid}>
          {columns.map((column) => (
            <span
              key={column.header}
              role="columnheader"
              aria-sort={column.sort?.direction ?? undefined}
              data-number={column.isNumeric || undefined}
            >
              <ColumnHeader column={column} />
            </span>
          ))}
        </div>
        <Virtualizer
          ref={list}
          scrollRef={viewport}
          startMargin={HEADER_HEIGHT_PX}
          data={rows}
          itemSize={ROW_HEIGHT_PX}
          bufferSize={ROW_HEIGHT_PX * 8}
          onScroll={updateRange}
        >
          {(row, index) => (
            <div
              key={getKey(row)}
              className={classes.row}
              role="row"
              {...listRowAttributes(index, getKey(row))}
              aria-rowindex={index + 2}
              aria-current={isCurrent?.(row) || undefined}
              style={grid}
            >
              {columns.map((column) => (
                <VirtualCell key={column.header} column={column} row={row} />
              ))}
            </div>
          )}
        </Virtualizer>
      </div>
      {footer}
      {status}
    </div>
  )
}

function VirtualCell<Row>({ column, row }: { column: TableColumn<Row>; row: Row }) {
  const t = useMessages(componentMessages)
  return (
    <span
      role="cell"
      data-number={column.isNumeric || undefined}
      data-mono={column.isMono || undefined}
      className={classes.cell}
    >
      {column.cell(row) ?? <span className={classes.missing}>{t('notGiven')}</span>}
    </span>
  )
}
