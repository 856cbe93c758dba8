import { PIECE, type RowInput } from '#contract/batches.ts'
import { checkRow, type RowFault } from './check.ts'
import { decode } from './decode.ts'
import { isJsonl, parseJsonl } from './jsonl.ts'
import { parseTable, type Table } from './parse.ts'
import type { Asked, Told } from './protocol.ts'

/** The table's own thread: it is read, checked and cut into pieces here, so that the page never waits for it. */
const scope = globalThis as unknown as {
  postMessage: (told: Told) => void
  onmessage: ((event: MessageEvent<Asked>) => void) | null
}
const SAMPLE = 5
const TABLE_ROW = 'row of the table'
/** Faults that the page is told; the others are counted. */
const TOLD = 5_000

let table: Table | null = null
/** How the table was checked last, and the rows that came through it or did not. */
let how: Omit<Extract<Asked, { kind: 'check' }>, 'id' | 'kind'> | null = null
let bad = new Set<number>()

scope.onmessage = ({ data }) => {
  try {
    answer(data)
  } catch (error) {
    scope.postMessage({ id: data.id, kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
  }
}

function answer(asked: Asked): void {
  if (asked.kind === 'read') return read(asked)
  if (asked.kind === 'check') return check(asked)
  piece(asked)
}

function read({ id, source, encoding: wish }: Extract<Asked, { kind: 'read' }>): void {
  const { text, encoding } =
    typeof source === 'string' ? { text: source, encoding: null } : decode(new Uint8Array(source), wish)
  table = isJsonl(text) ? parseJsonl(text) : parseTable(text)
  const { heads, rows, delimiter, faults, notes } = table
  scope.postMessage({
    id,
    kind: 'read',
    read: {
      heads,
      rows: rows.length,
      sample: rows.slice(0, SAMPLE).map((row) => row.map((cell) => cell.slice(0, 200))),
      delimiter,
      encoding,
      faults: faults.slice(0, TOLD),
      notes: notes.slice(0, TOLD),
      formulas: formulasOf(table),
    },
  })
}

function formulasOf({ heads, rows }: Table) {
  let first: { row: number; column: string } | null = null
  let count = 0
  for (const [index, row] of rows.entries())
    for (const [column, cell] of row.entries()) {
      if (!cell.startsWith('=')) continue
      count++
      first ??= { row: index + 1, column: heads[column] ?? String(column + 1) }
    }
  return first && { count, ...first }
}

function check({ id, ...given }: Extract<Asked, { kind: 'check' }>): void {
  const { heads, rows, faults: broken } = table ?? { heads: [], rows: [], faults: [] }
  how = given
  bad = new Set(broken.flatMap(({ row }) => (row ? [row] : [])))
  const faults: RowFault[] = []
  let total = 0
  for (const [index, cells] of rows.entries()) {
    const found = checkRow(index + 1, cells, { heads, ...given }).faults
    if (found.length > 0) bad.add(index + 1)
    total += found.length
    if (faults.length < TOLD) faults.push(...found)
  }
  scope.postMessage({
    id,
    kind: 'checked',
    checked: { good: rows.length - bad.size, bad: bad.size, faults: faults.slice(0, TOLD), total },
  })
}

/** Rows of one request: so many, and so many bytes. */
function piece({ id, from, skipFaulty }: Extract<Asked, { kind: 'piece' }>): void {
  const { heads, rows } = table ?? { heads: [], rows: [] }
  const found: RowInput[] = []
  let place = 0
  let bytes = 0
  for (const [index, cells] of rows.entries()) {
    if (skipFaulty && bad.has(index + 1)) continue
    if (place++ < from || !how) continue
    const { input } = checkRow(index + 1, cells, { heads, ...how })
    // Rows are counted anew where some are left out; this one stays to be found in the table.
    if (skipFaulty && bad.size > 0) input.beside[TABLE_ROW] = String(index + 1)
    // Three bytes are the most that a UTF-16 unit takes in UTF-8.
    bytes += JSON.stringify(input).length * 3
    if (found.length > 0 && (found.length === PIECE.rows || bytes > PIECE.bytes)) break
    found.push(input)
  }
  scope.postMessage({ id, kind: 'piece', rows: found })
}
