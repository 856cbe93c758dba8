import type { FileRule } from '../../runs/inputs/inputFiles.ts'
import type { InputField } from '../../runs/inputs/inputFields.ts'

/** The source of a variable: a column index, or one text for all rows. */
export type ValueSource = { column: number } | { text: string }
export type ColumnMapping = Record<string, ValueSource>

/**
 * The `files` of a request, as a field among the inputs; no variable has this name, and a column `files` matches it.
 */
export const REQUEST_FILES_FIELD = '\nfiles'
export const makeRequestFilesField = (rule: FileRule, label: string): InputField => ({
  kind: 'file-list',
  variable: REQUEST_FILES_FIELD,
  label,
  description: '',
  required: false,
  hidden: false,
  max_length: null,
  options: [],
  initial: '',
  files: rule,
})

/** Normalizes case, spaces and punctuation. */
const normalizeName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-.:]+/g, '')

/** Guesses the column of each variable by its name or label; each column is used once. */
export function guessMapping(fields: readonly InputField[], headers: readonly string[]): ColumnMapping {
  const free = new Set(headers.keys())
  const mapping: ColumnMapping = {}
  const take = (control: InputField, fits: (head: string) => boolean) => {
    if (mapping[control.variable]) return
    const column = [...free].find((index) => fits(headers[index] ?? ''))
    if (column === undefined) return
    free.delete(column)
    mapping[control.variable] = { column }
  }
  for (const control of fields) take(control, (head) => head === control.variable)
  for (const control of fields) take(control, (head) => normalizeName(head) === normalizeName(control.variable))
  for (const control of fields) take(control, (head) => normalizeName(head) === normalizeName(control.label))
  // One input and one column match without a guess.
  const [only, ...others] = fields.filter(({ variable }) => variable !== REQUEST_FILES_FIELD)
  if (only && others.length === 0 && headers.length === 1) take(only, () => true)
  return mapping
}

/** Manual choices override guesses; null means no column. */
export const mergeMapping = (
  guessedMapping: ColumnMapping,
  chosenSources: Record<string, ValueSource | null>,
): ColumnMapping =>
  Object.fromEntries(
    Object.entries({ ...guessedMapping, ...chosenSources }).filter(
      (pair): pair is [string, ValueSource] => pair[1] !== null,
    ),
  )
