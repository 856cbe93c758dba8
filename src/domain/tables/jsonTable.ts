import { findJsonEnd, parseJsonText } from '../checks/jsonValue.ts'
import { asRecord } from '../stream/untrustedJson.ts'
import { countLineEnds, EMPTY_TABLE, LINE_END, type Table, type TableProblem, type TableRow } from './table.ts'

/** One object of JSON Lines or of a JSON list; null if there is none. */
export interface JsonRow {
  line: number
  record: Record<string, unknown> | null
}

/** Text that begins like a list of objects is treated as JSON, even if it is not valid. */
export const isJsonText = (text: string): boolean => /^\s*(\{|\[\s*(\{|$))/.test(text) || readJsonList(text) !== null

/** Reads JSON Lines, one object per line, or the same objects as one JSON list. Numbers keep their digits. */
export function readJsonRows(source: string): { rows: JsonRow[]; problems: TableProblem[] } {
  const text = source.replace(/^\uFEFF/, '')
  const list = readJsonList(text)
  if (list && (list.length === 0 || !list.every(asRecord)))
    return { rows: [], problems: [toProblem(1, 'Every item of the list must be an object.')] }
  if (/^\s*\[/.test(text)) return readListRows(text)
  const rows = text
    .split(LINE_END)
    .map((json, index) => ({ line: index + 1, json }))
    .filter(({ json }) => json.trim() !== '')
    .map(({ line, json }) => ({ line, record: asRecord(parseJsonText(json)) }))
  const problems = rows.flatMap(({ line, record }, index) =>
    record ? [] : [{ ...toProblem(line, 'must be one JSON object on one line.'), row: index + 1 }],
  )
  return { rows, problems }
}

const toProblem = (line: number, message: string): TableProblem => ({ kind: 'not_object', line, message })

/** A table with one column per name in any row. Texts are unchanged; other values become JSON with all their digits. */
export function readJsonTable(text: string): Table {
  const { rows, problems } = readJsonRows(text)
  const places = new Map<string, number>()
  const tableRows = rows.map(({ line, record }, index): TableRow => {
    const cells: string[] = []
    for (const [name, value] of Object.entries(record ?? {})) {
      const place = places.get(name) ?? places.size
      places.set(name, place)
      cells[place] = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
    }
    return { number: index + 1, line, cells: Array.from(cells, (cell) => cell ?? '') }
  })
  if (places.size === 0) problems.push(EMPTY_TABLE)
  return { heads: [...places.keys()], head: null, rows: tableRows, delimiter: 'jsonl', problems }
}

const readJsonList = (text: string): unknown[] | null => {
  const value = /^\s*\[/.test(text) ? parseJsonText(text) : null
  return Array.isArray(value) ? value : null
}

/** The objects of a JSON list with the line on which each begins, or the position of the first syntax error. */
function readListRows(text: string): { rows: JsonRow[]; problems: TableProblem[] } {
  const rows: JsonRow[] = []
  let line = 1
  let at = 0
  const fail = (message: string) => ({ rows: [], problems: [toProblem(line, message)] })
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', at)) {
    const before = text.slice(at, start)
    if (before.trim() !== (at === 0 ? '[' : ','))
      return fail('The objects of the list must be separated by one comma and nothing else.')
    line += countLineEnds(before)
    at = findJsonEnd(text, start)
    const json = at === -1 ? '' : text.slice(start, at)
    const record = asRecord(parseJsonText(json))
    if (!record) return fail('must be a valid JSON object.')
    rows.push({ line, record })
    line += countLineEnds(json)
  }
  return text.slice(at).trim() === ']'
    ? { rows, problems: [] }
    : fail('The list must end with ] after its last object.')
}
