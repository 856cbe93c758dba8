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

/** Finds the rows that repeat a key, one after the other in the order of the table. */
export class DuplicateFinder {
  readonly #fields: Pick<DuplicateCheck, 'keyField' | 'valueField'>
  readonly #known = new Map<string, { row: number | null; value: string }>()

  constructor({ existing, ...fields }: DuplicateCheck) {
    this.#fields = fields
    for (const [key, value] of existing)
      this.#known.set(toComparisonKey(key), { row: null, value: toComparisonKey(value) })
  }

  /** Remembers the row unless it is a duplicate. */
  find(row: number, inputs: Readonly<Record<string, unknown>>): TableDuplicate | null {
    const key = String(inputs[this.#fields.keyField] ?? '')
    const value = toComparisonKey(String(inputs[this.#fields.valueField] ?? ''))
    const comparisonKey = toComparisonKey(key)
    const known = this.#known.get(comparisonKey)
    if (known)
      return { row, of: known.row, isSame: known.value === value, key: truncateText(key.trim(), MAX_SHOWN_KEY_CHARS) }
    this.#known.set(comparisonKey, { row, value })
    return null
  }
}
