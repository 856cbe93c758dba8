import { toSamenessKey } from '#domain/samenessKey.ts'
import { toComparisonKey } from '#domain/textComparison.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** Texts that a new table is compared with: in one input of its rows, whose value must be unique. */
export interface DuplicateCheck {
  /** The input that must be unique, and the one that says whether a duplicate is the same. */
  keyField: string
  valueField: string
  /** What exists already, as key and value. */
  existing: readonly (readonly [key: string, value: string])[]
}

/** A row whose key exists already: in an earlier row of the table (`of`), or outside it (null). */
export interface TableDuplicate {
  row: number
  of: number | null
  /** False where the values differ, so that the row contradicts what exists. */
  isSame: boolean
  key: string
}

/** Characters of a key that a list shows. */
const MAX_SHOWN_KEY_CHARS = 120

const toKey = (text: string): string => toSamenessKey(text.trim())

/** Finds the rows that repeat a key, one after the other in the order of the table, and remembers the others. */
export function makeDuplicateFinder({ keyField, valueField, existing }: DuplicateCheck) {
  const known = new Map<string, { row: number | null; value: string }>()
  for (const [key, value] of existing) known.set(toKey(key), { row: null, value: toComparisonKey(value) })
  return (row: number, inputs: Readonly<Record<string, unknown>>): TableDuplicate | null => {
    const key = String(inputs[keyField] ?? '')
    const value = toComparisonKey(String(inputs[valueField] ?? ''))
    const first = known.get(toKey(key))
    if (first)
      return { row, of: first.row, isSame: first.value === value, key: truncateText(key.trim(), MAX_SHOWN_KEY_CHARS) }
    known.set(toKey(key), { row, value })
    return null
  }
}
