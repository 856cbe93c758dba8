import { MAX_BATCH_ROWS, ROW_UPLOAD_LIMIT, type BatchRowInput } from '#contract/console/batches.ts'
import { openTable, readTable as readTableContent } from '#domain/tables/readTable.ts'
import type { Table } from '#domain/tables/table.ts'
import { checkRow, type RowError } from './rowCheck.ts'
import { DuplicateFinder, type TableDuplicate } from './tableDuplicates.ts'
import type { TableWorkerRequest, TableWorkerResponse } from './tableWorkerMessages.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** Parses, validates and chunks the table in a worker, so that the page never blocks. */
const scope = globalThis as unknown as {
  postMessage: (response: TableWorkerResponse) => void
  onmessage: ((event: MessageEvent<TableWorkerRequest>) => void) | null
}
const SAMPLE_ROWS = 5
/** Maximum errors sent to the page; further ones are only counted. */
const MAX_REPORTED_ERRORS = 5_000

let table: Table | null = null
/** Counts what changes the rows that are sent: reading and checking. */
let revision = 0
/** The last validation options, and its valid or invalid rows. */
let lastCheck: Omit<Extract<TableWorkerRequest, { kind: 'check' }>, 'id' | 'kind'> | null = null
let invalidRows = new Set<number>()
let duplicateRows = new Set<number>()

scope.onmessage = ({ data }) => {
  void handleRequest(data).catch((error: unknown) =>
    scope.postMessage({ id: data.id, kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
  )
}

async function handleRequest(request: TableWorkerRequest): Promise<void> {
  if (request.kind === 'read') return readTable(request)
  if (request.kind === 'check') return checkTable(request)
  sendRows(request)
}

async function readTable({ id, source, encoding: wish, sheet }: Extract<TableWorkerRequest, { kind: 'read' }>) {
  const { content, encoding, workbook } =
    typeof source === 'string'
      ? { content: source, encoding: null, workbook: null }
      : await openTable(new Uint8Array(source), { encoding: wish, sheet, maxRows: MAX_BATCH_ROWS })
  revision++
  table = readTableContent(content)
  const { heads, rows, delimiter, problems } = table
  if (rows.length > MAX_BATCH_ROWS) {
    const message = `The table has ${rows.length} rows. The limit is ${MAX_BATCH_ROWS}.`
    problems.push({ kind: 'too_many_rows', line: 1, message })
  }
  scope.postMessage({
    id,
    kind: 'read',
    read: {
      heads,
      rows: rows.length,
      sample: rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells.map((cell) => truncateText(cell, 200))),
      delimiter,
      encoding,
      workbook,
      problems: problems.slice(0, MAX_REPORTED_ERRORS),
      formulas: findFormulas(table),
    },
  })
}

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

function checkTable({ id, ...options }: Extract<TableWorkerRequest, { kind: 'check' }>): void {
  const { heads, rows, problems } = table ?? { heads: [], rows: [], problems: [] }
  revision++
  lastCheck = options
  invalidRows = new Set(problems.flatMap(({ row }) => (row ? [row] : [])))
  duplicateRows = new Set()
  const finder = options.duplicateCheck && new DuplicateFinder(options.duplicateCheck)
  const duplicates: TableDuplicate[] = []
  const faults: RowError[] = []
  let total = 0
  for (const [index, { cells }] of rows.entries()) {
    const { errors: found, input } = checkRow(index + 1, cells, { heads, ...options })
    if (found.length > 0) invalidRows.add(index + 1)
    // An invalid row is not sent, so a later one may still be the first with its key.
    const duplicate = invalidRows.has(index + 1) ? null : finder?.find(index + 1, input.inputs)
    if (duplicate) {
      duplicateRows.add(index + 1)
      if (duplicates.length < MAX_REPORTED_ERRORS) duplicates.push(duplicate)
    }
    total += found.length
    if (faults.length < MAX_REPORTED_ERRORS) faults.push(...found)
  }
  scope.postMessage({
    id,
    kind: 'checked',
    checked: {
      revision,
      validRows: rows.length - invalidRows.size,
      invalidRows: invalidRows.size,
      errors: faults.slice(0, MAX_REPORTED_ERRORS),
      totalErrors: total,
      duplicateRows: duplicateRows.size,
      duplicates,
    },
  })
}

/** The rows of one request, limited by number and by bytes. */
function sendRows({
  id,
  from,
  skipFaulty,
  skipDuplicates,
  ...of
}: Extract<TableWorkerRequest, { kind: 'piece' }>): void {
  if (of.revision !== revision) throw new Error('The table or its columns have changed since the upload began.')
  const { heads, rows } = table ?? { heads: [], rows: [] }
  const rowInputs: BatchRowInput[] = []
  let place = 0
  let bytes = 0
  for (const [index, { cells }] of rows.entries()) {
    if (skipFaulty && invalidRows.has(index + 1)) continue
    if (skipDuplicates && duplicateRows.has(index + 1)) continue
    if (place++ < from || !lastCheck) continue
    const { input } = checkRow(index + 1, cells, { heads, ...lastCheck })
    // Row numbers change if some are skipped; keep the original number.
    if ((skipFaulty && invalidRows.size > 0) || (skipDuplicates && duplicateRows.size > 0)) input.file_row = index + 1
    // A UTF-16 unit takes at most three bytes in UTF-8.
    bytes += JSON.stringify(input).length * 3
    if (rowInputs.length > 0 && (rowInputs.length === ROW_UPLOAD_LIMIT.maxRows || bytes > ROW_UPLOAD_LIMIT.maxBytes))
      break
    rowInputs.push(input)
  }
  scope.postMessage({ id, kind: 'piece', json: JSON.stringify(rowInputs) })
}
