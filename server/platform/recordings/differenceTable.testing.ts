import type { ReplyDifference } from './replyDifferences.testing.ts'

/** A difference of one operation, or of all replies where the operation is `*`. */
export interface ListedDifference extends ReplyDifference {
  operation: string
}

const COLUMN_COUNT = 5

/**
 * Reads the table of a page: operations, fields, the release's side, ours, and the reason. A row stands for each of its
 * operations with each of its fields; both are in code spans.
 * @throws Error for a row without a reason, or with too few columns
 */
export function parseDifferenceTable(page: string): ListedDifference[] {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  return rows.flatMap((row) => {
    const cells = row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    const [operations = '', fields = '', recorded = '', ours = '', reason = ''] = cells
    if (cells.length !== COLUMN_COUNT || reason === '') throw new Error(`A row needs five cells and a reason: ${row}`)
    return toCodeSpans(operations).flatMap((operation) =>
      toCodeSpans(fields).map((field) => ({ operation, field, recorded: toPlain(recorded), ours: toPlain(ours) })),
    )
  })
}

const toCodeSpans = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? '')
const toPlain = (cell: string): string => cell.replaceAll('`', '')

/** One line for a difference, by which found and listed ones are compared. */
export const toDifferenceLine = ({ operation, field, recorded, ours }: ListedDifference): string =>
  `${operation}  ${field}  ${recorded} -> ${ours}`
