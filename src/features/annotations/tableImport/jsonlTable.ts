import { MAX_BATCH_ROWS } from '#contract/console/batches.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import type { ParsedTable, TableError } from './tableParser.ts'

/** JSON Lines text starts with an object. */
export const isJsonl = (text: string): boolean => /^\uFEFF?\s*\{/.test(text)

/**
 * Parses JSON Lines into a table: each key of any line is a column. Strings stay as they are, other values become
 * JSON.
 */
export function parseJsonl(text: string): ParsedTable {
  const headers: string[] = []
  const places = new Map<string, number>()
  const rows: string[][] = []
  const errors: TableError[] = []
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    if (line.trim() === '') continue
    const record = parseRecord(line)
    const cells: string[] = []
    for (const [name, value] of Object.entries(record ?? {})) {
      let place = places.get(name)
      if (place === undefined) {
        place = headers.push(name) - 1
        places.set(name, place)
      }
      cells[place] = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)
    }
    rows.push(Array.from(cells, (cell) => cell ?? ''))
    if (!record) errors.push({ key: 'noObject', row: rows.length })
  }
  if (headers.length === 0) errors.push({ key: 'noHead' })
  if (rows.length > MAX_BATCH_ROWS)
    errors.push({ key: 'tooManyRows', values: { rows: rows.length, most: MAX_BATCH_ROWS } })
  return { headers, rows, delimiter: 'jsonl', errors, notes: [] }
}

function parseRecord(line: string): Record<string, unknown> | null {
  try {
    return asRecord(parseLosslessJson(line))
  } catch {
    return null
  }
}
