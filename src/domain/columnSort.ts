export interface ColumnOrder<Column extends string> {
  column: Column
  direction: 'ascending' | 'descending'
}

/** In the URL: `name`, or `-name` for descending. Null for anything else. */
export function parseColumnOrder<Column extends string>(
  columns: readonly Column[],
  text: string | undefined,
): ColumnOrder<Column> | null {
  const column = columns.find((one) => one === text?.replace(/^-/, ''))
  return column ? { column, direction: text?.startsWith('-') ? 'descending' : 'ascending' } : null
}

/** The next order after a click on a head: numbers and times begin with the largest. Null is the order of the source. */
export function toggleColumnOrder<Column extends string>(
  order: ColumnOrder<Column> | null,
  column: Column,
  { isText }: { isText: boolean },
): string | null {
  const [first, second] = isText ? [column, `-${column}`] : [`-${column}`, column]
  if (order?.column !== column) return first
  const isFirst = (order.direction === 'ascending') === isText
  return isFirst ? second : null
}

const NAME_ORDER = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

export type SortValue = string | number | null | undefined

/** Sorted by a value of each row; rows without the value come last in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  direction: ColumnOrder<string>['direction'],
  toValue: (row: Row) => SortValue,
): Row[] {
  const sign = direction === 'ascending' ? 1 : -1
  return rows
    .map((row) => ({ row, value: toValue(row) }))
    .sort(({ value: one }, { value: other }) => {
      if (one == null || other == null) return Number(one == null) - Number(other == null)
      return sign * (typeof one === 'number' && typeof other === 'number' ? one - other : compareTexts(one, other))
    })
    .map(({ row }) => row)
}

const compareTexts = (one: string | number, other: string | number): number =>
  NAME_ORDER.compare(String(one), String(other))
