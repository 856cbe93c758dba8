import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { memo, type ReactNode, type RefObject, useDeferredValue, useRef } from 'react'
import { componentMessages } from '../i18n/messages.ts'
import classes from './Table.module.css'
import { listRowAttributes, useListKeys } from '../hooks/useListKeys.tsx'
import { useMessages } from '../i18n/useMessages.ts'

export interface TableColumn<Row> {
  /** Unique within the table. */
  header: string
  /** Null and undefined are shown as "not given", never as 0. */
  cell: (row: Row) => ReactNode
  isNumeric?: boolean
  /** A platform value, in monospace. */
  isMono?: boolean
  /** Takes the remaining width and truncates longer content. */
  grows?: boolean
  /** In place of the header's text, which names it. */
  headerCell?: ReactNode
  /** The head is a button that sorts by this column. */
  sort?: ColumnSort
}

export interface ColumnSort {
  /** Null if another column, or none, is sorted by. */
  direction: 'ascending' | 'descending' | null
  onToggle: () => void
}

/** What the keys of a list do with the row that has the focus; see `useListKeys`. */
export interface TableRowActions<Row> {
  onSelect?: (row: Row, options: { isRange: boolean }) => void
  onEdit?: (row: Row) => void
  onEscape?: () => void
  /** The id that `c` copies; the default is the row's key, where that is a UUID. */
  getId?: (row: Row) => string
}

export interface TableProps<Row> {
  label: string
  columns: readonly TableColumn<Row>[]
  /** Undefined while they are loading. */
  rows: readonly Row[] | undefined
  getKey: (row: Row) => string
  isCurrent?: (row: Row) => boolean
  /** The row that is also open on another part of the page. */
  isHighlighted?: (row: Row) => boolean
  rowActions?: TableRowActions<Row>
}

const SKELETON_ROW_COUNT = 8

/** A table of resources. The link in a row covers the whole row; it has the keyboard of `useListKeys`. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const { status } = useTableKeys(body, props)
  // Deferred: a hundred rows render in slices instead of one long task.
  const drawn = useDeferredValue(props)
  return (
    <div className={classes.scroll} role="region" aria-label={label} tabIndex={0} aria-busy={!rows}>
      <table className={classes.table} aria-label={label}>
        <TableRows table={drawn} body={body} />
      </table>
      {status}
    </div>
  )
}

const UUID_PATTERN = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** `useListKeys` for the rows of a table. */
export function useTableKeys<Row>(
  container: RefObject<HTMLElement | null>,
  { rows = [], getKey, rowActions = {} }: Pick<TableProps<Row>, 'rows' | 'getKey' | 'rowActions'>,
  scrollToIndex?: (index: number) => void,
) {
  const { onSelect, onEdit, onEscape } = rowActions
  const getId = rowActions.getId ?? (rows[0] && UUID_PATTERN.test(getKey(rows[0])) ? getKey : undefined)
  const withRow = (index: number, act: (row: Row) => void) => {
    const row = rows[index]
    if (row) act(row)
  }
  return useListKeys({
    container,
    count: rows.length,
    getId: getId && ((index) => rows[index] && getId(rows[index])),
    onSelect: onSelect && ((index, options) => withRow(index, (row) => onSelect(row, options))),
    onEdit: onEdit && ((index) => withRow(index, onEdit)),
    onEscape,
    scrollToIndex,
  })
}

interface TableRowsProps<Row> {
  table: TableProps<Row>
  body: RefObject<HTMLTableSectionElement | null>
}

const TableRows = memo(RenderedTableRows) as typeof RenderedTableRows

function RenderedTableRows<Row>({
  table: { columns, rows, getKey, isCurrent, isHighlighted },
  body,
}: TableRowsProps<Row>) {
  return (
    <>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.header}
              scope="col"
              aria-sort={column.sort?.direction ?? undefined}
              {...toCellAttributes(column)}
            >
              <ColumnHeader column={column} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows
          ? rows.map((row, index) => (
              <tr
                key={getKey(row)}
                {...listRowAttributes(index, getKey(row))}
                aria-current={isCurrent?.(row) || undefined}
                data-marked={isHighlighted?.(row) || undefined}
              >
                {columns.map((column) => (
                  <TableCell key={column.header} column={column} row={row} />
                ))}
              </tr>
            ))
          : Array.from({ length: SKELETON_ROW_COUNT }, (_, index) => (
              <tr
                key={index}
                className={classes.ghost}
                style={{ opacity: 1 - index / SKELETON_ROW_COUNT }}
                aria-hidden="true"
              >
                {columns.map((column) => (
                  <td key={column.header} {...toCellAttributes(column)}>
                    <i />
                  </td>
                ))}
              </tr>
            ))}
      </tbody>
    </>
  )
}

/** The text of a head; as a button where it sorts. */
export function ColumnHeader<Row>({ column: { header, headerCell, sort } }: { column: TableColumn<Row> }) {
  if (!sort) return headerCell ?? header
  const Arrow = sort.direction === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <button type="button" className={classes.sort} onClick={sort.onToggle}>
      {header}
      <Arrow size={12} aria-hidden="true" data-on={sort.direction ? true : undefined} />
    </button>
  )
}

function TableCell<Row>({ column, row }: { column: TableColumn<Row>; row: Row }) {
  const t = useMessages(componentMessages)
  return (
    <td {...toCellAttributes(column)}>
      {column.cell(row) ?? <span className={classes.missing}>{t('notGiven')}</span>}
    </td>
  )
}

const toCellAttributes = ({
  isNumeric,
  isMono,
  grows,
}: {
  isNumeric?: boolean
  isMono?: boolean
  grows?: boolean
}) => ({
  'data-number': isNumeric || undefined,
  'data-mono': isMono || undefined,
  'data-grow': grows || undefined,
})
