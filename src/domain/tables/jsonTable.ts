import { findJsonEnd, parseJsonText } from '../checks/jsonValue.ts'
import { asRecord } from '../stream/untrustedJson.ts'
import type { Table, TableProblem, TableRow } from './table.ts'

/** One object of JSON Lines, or of a JSON list; null where there is none. */
export interface JsonRow {
  line: number
  record: Record<string, unknown> | null
}

/** What begins as a list of objects is meant as JSON, even where it is not valid. */
export const isJsonText = (text: string): boolean => /^\s*(\{|\[\s*(\{|$))/.test(text) || readJsonList(text) !== null

/** Reads JSON Lines, an object a line, or the same objects as one JSON list. Numbers keep their digits. */
export function readJsonRows(source: string): { rows: JsonRow[]; problems: TableProblem[] } {
  const text = source.replace(/^\uFEFF/, '')
  const list = readJsonList(text)
  if (!list && /^\s*\[/.test(text)) return { rows: [], problems: [findListProblem(text)] }
  if (list && (list.length === 0 || !list.every(asRecord)))
    return { rows: [], problems: [toProblem(1, 'Every item of the list must be an object.')] }
  const rows: JsonRow[] = []
  const problems: TableProblem[] = []
  for (const { line, json } of list ? listItems(text) : listLines(text)) {
    const record = asRecord(parseJsonText(json))
    rows.push({ line, record })
    if (!record) problems.push({ ...toProblem(line, 'must be one JSON object on one line.'), row: rows.length })
  }
  return { rows, problems }
}

const toProblem = (line: number, message: string): TableProblem => ({ kind: 'not_object', line, message })

/** A table whose columns are the names in any row. Texts stay as they are, other values become JSON with all their digits. */
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
  if (places.size === 0) problems.push({ kind: 'empty', line: 1, message: 'The table is empty.' })
  return { heads: [...places.keys()], head: null, rows: tableRows, delimiter: 'jsonl', problems }
}

const readJsonList = (text: string): unknown[] | null => {
  const value = /^\s*\[/.test(text) ? parseJsonText(text) : null
  return Array.isArray(value) ? value : null
}

const listLines = (text: string): { line: number; json: string }[] =>
  text
    .split(LINE_END)
    .map((json, index) => ({ line: index + 1, json }))
    .filter(({ json }) => json.trim() !== '')

/** The objects of a JSON list, with the line on which each begins. */
function* listItems(text: string): Generator<{ line: number; json: string }> {
  let line = 1
  let at = 0
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', at)) {
    line += text.slice(at, start).split(LINE_END).length - 1
    at = findJsonEnd(text, start)
    const json = text.slice(start, at)
    yield { line, json }
    line += json.split(LINE_END).length - 1
  }
}

/** The first place at which a list is not valid. */
function findListProblem(text: string): TableProblem {
  const fail = (place: number, message: string) => toProblem(text.slice(0, place).split(LINE_END).length, message)
  let at = 0
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', at)) {
    if (text.slice(at, start).trim() !== (at === 0 ? '[' : ','))
      return fail(at, 'One comma must be between the objects of the list, and nothing else.')
    at = findJsonEnd(text, start)
    if (at === -1 || parseJsonText(text.slice(start, at)) === undefined)
      return fail(start, 'must be a valid JSON object.')
  }
  return fail(at, 'The list must end with ] after its last object.')
}

const LINE_END = /\r\n|\n|\r/
