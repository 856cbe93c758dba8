import { memo, type ReactNode, type RefObject, useDeferredValue, useRef } from 'react'
import { uiWords } from './messages.ts'
import classes from './Table.module.css'
import { useLetterKeys } from './useLetterKeys.ts'
import { useWords } from './words.ts'

export interface Column<Row> {
  /** Also the key of the column. */
  head: string
  /** Null or undefined is shown as "not given", never as 0. */
  cell: (row: Row) => ReactNode
  number?: boolean
  /** A value of the platform's, in its own letters. */
  mono?: boolean
  /** Takes the space that is left and cuts what is longer. */
  grow?: boolean
}

export interface TableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  /** Undefined while they are still to come. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  isCurrent?: (row: Row) => boolean
  /** The row that was selected here and is shown elsewhere too. */
  isMarked?: (row: Row) => boolean
}

const GHOSTS = 8

/** A list of things. The whole row is reached by the link in it; `j` and `k` go from one to the next. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const move = (step: 1 | -1) => focusNext(body.current, step)
  useLetterKeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
  ])
  // A hundred rows are drawn in slices between which the browser answers, never in one long task.
  const drawn = useDeferredValue(props)
  return (
    <div className={classes.scroll} role="region" aria-label={label} tabIndex={0} aria-busy={!rows}>
      <table className={classes.table} aria-label={label}>
        <Rows table={drawn} body={body} />
      </table>
    </div>
  )
}

interface RowsProps<Row> {
  table: TableProps<Row>
  body: RefObject<HTMLTableSectionElement | null>
}

const Rows = memo(DrawnRows) as typeof DrawnRows

function DrawnRows<Row>({ table: { columns, rows, keyOf, isCurrent, isMarked }, body }: RowsProps<Row>) {
  return (
    <>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.head} scope="col" {...marksOf(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows
          ? rows.map((row) => (
              <tr
                key={keyOf(row)}
                aria-current={isCurrent?.(row) || undefined}
                data-marked={isMarked?.(row) || undefined}
              >
                {columns.map((column) => (
                  <Cell key={column.head} column={column} row={row} />
                ))}
              </tr>
            ))
          : Array.from({ length: GHOSTS }, (_, index) => (
              <tr key={index} className={classes.ghost} style={{ opacity: 1 - index / GHOSTS }} aria-hidden="true">
                {columns.map((column) => (
                  <td key={column.head} {...marksOf(column)}>
                    <i />
                  </td>
                ))}
              </tr>
            ))}
      </tbody>
    </>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const t = useWords(uiWords)
  return <td {...marksOf(column)}>{column.cell(row) ?? <span className={classes.missing}>{t('notGiven')}</span>}</td>
}

const marksOf = ({ number, mono, grow }: { number?: boolean; mono?: boolean; grow?: boolean }) => ({
  'data-number': number || undefined,
  'data-mono': mono || undefined,
  'data-grow': grow || undefined,
})

function focusNext(body: HTMLElement | null, step: 1 | -1): void {
  const links = [...(body?.querySelectorAll<HTMLElement>('tr > td > a, tr > td > button') ?? [])]
  const at = links.findIndex((link) => link === document.activeElement)
  const next = at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step
  links[next]?.focus()
}
