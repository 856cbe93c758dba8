import { memo, type ReactNode, type RefObject, useDeferredValue, useRef } from 'react'
import { componentMessages } from '../i18n/messages.ts'
import classes from './Table.module.css'
import { useShortcuts } from '../hooks/useShortcuts.ts'
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
}

export interface TableProps<Row> {
  label: string
  columns: readonly TableColumn<Row>[]
  /** Undefined while they are loading. */
  rows: readonly Row[] | undefined
  getKey: (row: Row) => string
  isCurrent?: (row: Row) => boolean
  /** The row that is also open elsewhere on the page. */
  isHighlighted?: (row: Row) => boolean
}

const SKELETON_ROW_COUNT = 8

/** A table of resources. The link in a row covers the whole row; `j` and `k` move between rows. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const move = (step: 1 | -1) => focusNextTableRow(body.current, step)
  useShortcuts([
    ['j', () => move(1)],
    ['k', () => move(-1)],
  ])
  // Deferred: a hundred rows render in slices instead of one long task.
  const drawn = useDeferredValue(props)
  return (
    <div className={classes.scroll} role="region" aria-label={label} tabIndex={0} aria-busy={!rows}>
      <table className={classes.table} aria-label={label}>
        <TableRows table={drawn} body={body} />
      </table>
    </div>
  )
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
            <th key={column.header} scope="col" {...toCellAttributes(column)}>
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows
          ? rows.map((row) => (
              <tr
                key={getKey(row)}
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

function focusNextTableRow(body: HTMLElement | null, step: 1 | -1): void {
  const links = [...(body?.querySelectorAll<HTMLElement>('tr > td > a, tr > td > button') ?? [])]
  const at = links.findIndex((link) => link === document.activeElement)
  const next = at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step
  links[next]?.focus()
}
