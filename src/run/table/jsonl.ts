import { ROWS_AT_MOST } from '#contract/batches.ts'
import type { Table, TableFault } from './parse.ts'

/** A file of JSON objects, one a line, begins with one. */
export const isJsonl = (text: string): boolean => /^\uFEFF?\s*\{/.test(text)

/** A table out of JSON lines: each name that any line has is a column. Text stands as it is, all else as JSON. */
export function parseJsonl(text: string): Table {
  const heads: string[] = []
  const places = new Map<string, number>()
  const rows: string[][] = []
  const faults: TableFault[] = []
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    if (line.trim() === '') continue
    const found = recordIn(line)
    const cells: string[] = []
    for (const [name, value] of Object.entries(found ?? {})) {
      let place = places.get(name)
      if (place === undefined) {
        place = heads.push(name) - 1
        places.set(name, place)
      }
      cells[place] = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
    }
    rows.push(Array.from(cells, (cell) => cell ?? ''))
    if (!found) faults.push({ key: 'noObject', row: rows.length })
  }
  if (heads.length === 0) faults.push({ key: 'noHead' })
  if (rows.length > ROWS_AT_MOST) faults.push({ key: 'tooManyRows', values: { rows: rows.length, most: ROWS_AT_MOST } })
  return { heads, rows, delimiter: 'jsonl', faults, notes: [] }
}

function recordIn(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
