import { MAX_BATCH_ROWS, ROW_UPLOAD_LIMIT, type BatchRowInput } from '#contract/console/batches.ts'
import { openTable, readTable as readTableContent } from '#domain/tables/readTable.ts'
import type { Table } from '#domain/tables/table.ts'
import type { TextEncoding } from '#domain/text/decodeText.ts'
import type { InputField } from '../../runs/inputs/inputFields.ts'
import type { ColumnMapping } from './columnMapping.ts'
import { checkRow, type RowError, type DuplicateCheck, makeDuplicateFinder, type TableDuplicate } from './rowCheck.ts'
import { truncateText } from '#contract/truncatedText.ts'

/**
 * Parses, validates and chunks the table in a worker, which is the only place that stores it, so that the page never
 * blocks.
 */
const tableCalls = { read: readTable, check: checkTable, takeRows }
export type TableCalls = typeof tableCalls

/** A call of the page. The port receives `{ value }` or `{ error }`. */
export interface TableCall {
  name: keyof TableCalls
  options: unknown
  port: MessagePort
}

globalThis.onmessage = async ({ data: { name, options, port } }: MessageEvent<TableCall>) => {
  const run: (options: never) => unknown = tableCalls[name]
  try {
    port.postMessage({ value: await run(options as never) })
  } catch (error) {
    port.postMessage({ error })
  }
}

const SAMPLE_ROWS = 5
/** Maximum errors sent to the page; further ones are only counted. */
const MAX_REPORTED_ERRORS = 5_000

/** How a file was read, to read it in another way. The sheet is null for the first one of a workbook. */
export type TableReading = { encoding: TextEncoding | null; sheet: string | null }

interface CheckOptions {
  controls: InputField[]
  mapping: ColumnMapping
  needsInput: boolean
  /** Null where rows may repeat each other. */
  duplicateCheck: DuplicateCheck | null
}

/** The rows of the table that are not sent. */
export interface SkippedRows {
  skipFaulty: boolean
  skipDuplicates: boolean
}

let table: Table = { heads: [], head: null, rows: [], delimiter: '', problems: [] }
/** The number of the last validation. */
let revision = 0
/** Its options, and its invalid and repeated rows; null if the table was read since. */
let lastCheck: { options: CheckOptions; invalidRows: Set<number>; duplicateRows: Set<number> } | null = null

export type TableRead = Awaited<ReturnType<typeof readTable>>

async function readTable({ data, encoding: wish, sheet }: TableReading & { data: ArrayBuffer | string }) {
  const { content, encoding, workbook } =
    typeof data === 'string'
      ? { content: data, encoding: null, workbook: null }
      : await openTable(new Uint8Array(data), { encoding: wish, sheet, maxRows: MAX_BATCH_ROWS })
  lastCheck = null
  table = readTableContent(content)
  const { heads, rows, delimiter, problems } = table
  if (rows.length > MAX_BATCH_ROWS) {
    const message = `The table has ${rows.length} rows. The limit is ${MAX_BATCH_ROWS}.`
    problems.push({ kind: 'too_many_rows', line: 1, message })
  }
  return {
    heads,
    rows: rows.length,
    /** The first rows, as a preview. */
    sample: rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells.map((cell) => truncateText(cell, 200))),
    delimiter,
    encoding,
    workbook,
    /** Those of the table; those of its rows are errors of the check. */
    problems: problems.filter(({ row }) => row === undefined),
    formulas: findFormulas(table),
  }
}

/** The first cell that begins with `=`, and the number of such cells. */
function findFormulas({ heads, rows }: Table) {
  let first: { row: number; column: string } | null = null
  let count = 0
  for (const [index, { cells }] of rows.entries())
    for (const [column, cell] of cells.entries()) {
      if (!cell.startsWith('=')) continue
      count++
      first ??= { row: index + 1, column: heads[column] ?? String(column + 1) }
    }
  return first && { count, ...first }
}

export type TableCheck = ReturnType<typeof checkTable>

function checkTable(options: CheckOptions) {
  const { heads, rows, problems } = table
  const findDuplicate = options.duplicateCheck && makeDuplicateFinder(options.duplicateCheck)
  const problemsByRow = Map.groupBy(problems, ({ row }) => row)
  const invalidRows = new Set<number>()
  const duplicates: TableDuplicate[] = []
  const errors: RowError[] = []
  let totalErrors = 0
  for (const [index, { cells }] of rows.entries()) {
    const row = index + 1
    const { errors: invalidFields, input } = checkRow(row, cells, { heads, ...options })
    const found = [...(problemsByRow.get(row) ?? []).map(({ message }) => toRowError(row, message)), ...invalidFields]
    if (found.length > 0) invalidRows.add(row)
    totalErrors += found.length
    if (errors.length < MAX_REPORTED_ERRORS) errors.push(...found)
    // An invalid row is not sent, so a later one may still be the first with its key.
    const duplicate = found.length > 0 ? null : findDuplicate?.(row, input.inputs)
    if (duplicate) duplicates.push(duplicate)
  }
  lastCheck = { options, invalidRows, duplicateRows: new Set(duplicates.map(({ row }) => row)) }
  return {
    /** Differs for each check: rows are only sent as the last one has read them. */
    revision: ++revision,
    validRows: rows.length - invalidRows.size,
    invalidRows: invalidRows.size,
    errors: errors.slice(0, MAX_REPORTED_ERRORS),
    totalErrors,
    /** Valid rows whose key exists already: their number, and the first of them. */
    duplicateRows: duplicates.length,
    duplicates: duplicates.slice(0, MAX_REPORTED_ERRORS),
  }
}

const toRowError = (row: number, message: string): RowError => ({
  row,
  column: null,
  error: { key: 'unreadable', label: '', given: message },
})

/**
 * The rows of one request, limited by number and by bytes, from an index among those that are sent. As JSON: a structured clone
 * keeps no digits of numbers.
 * @throws Error where the table was read or checked again since the check with this revision
 */
function takeRows({ from, ...wish }: SkippedRows & { from: number; revision: number }): string {
  if (!lastCheck || wish.revision !== revision)
    throw new Error('The table or its columns have changed since the upload began.')
  const { options, invalidRows, duplicateRows } = lastCheck
  const rows = table.rows
    .map(({ cells }, index) => ({ cells, number: index + 1 }))
    .filter(({ number }) => !(wish.skipFaulty && invalidRows.has(number)))
    .filter(({ number }) => !(wish.skipDuplicates && duplicateRows.has(number)))
  const rowInputs: BatchRowInput[] = []
  let bytes = 0
  for (const { cells, number } of rows.slice(from, from + ROW_UPLOAD_LIMIT.maxRows)) {
    const { input } = checkRow(number, cells, { heads: table.heads, ...options })
    // Row numbers change if some are skipped; keep the original number.
    if (rows.length < table.rows.length) input.file_row = number
    // A UTF-16 unit takes at most three bytes in UTF-8.
    bytes += JSON.stringify(input).length * 3
    if (rowInputs.length > 0 && bytes > ROW_UPLOAD_LIMIT.maxBytes) break
    rowInputs.push(input)
  }
  return JSON.stringify(rowInputs)
}
