import type { FileRule } from '../files.ts'
import type { Control } from '../inputs.ts'

/** Where the value of a variable comes from: a column by its place, or one text for all rows. */
export type Origin = { column: number } | { text: string }
export type Mapping = Record<string, Origin>

/** The `files` of a request among its inputs' controls; no variable is called so, and a column `files` is alike to it. */
export const FILES_BESIDE = '\nfiles'
export const besideControl = (rule: FileRule, label: string): Control => ({
  kind: 'file-list',
  variable: FILES_BESIDE,
  label,
  description: '',
  required: false,
  hidden: false,
  max_length: null,
  options: [],
  initial: '',
  files: rule,
})

/** What is alike but for its case, blanks and signs. */
const plain = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-.:]+/g, '')

/** Guesses which column is meant for which variable, by its name or its label; a column is guessed once. */
export function guess(controls: readonly Control[], heads: readonly string[]): Mapping {
  const free = new Set(heads.keys())
  const mapping: Mapping = {}
  const take = (control: Control, fits: (head: string) => boolean) => {
    if (mapping[control.variable]) return
    const column = [...free].find((index) => fits(heads[index] ?? ''))
    if (column === undefined) return
    free.delete(column)
    mapping[control.variable] = { column }
  }
  for (const control of controls) take(control, (head) => head === control.variable)
  for (const control of controls) take(control, (head) => plain(head) === plain(control.variable))
  for (const control of controls) take(control, (head) => plain(head) === plain(control.label))
  // One input and one column leave nothing to choose.
  const [only, ...others] = controls.filter(({ variable }) => variable !== FILES_BESIDE)
  if (only && others.length === 0 && heads.length === 1) take(only, () => true)
  return mapping
}

/** What a person chose counts before what is guessed; null is the choice of no column. */
export const chosenOver = (guessed: Mapping, chosen: Record<string, Origin | null>): Mapping =>
  Object.fromEntries(
    Object.entries({ ...guessed, ...chosen }).filter((pair): pair is [string, Origin] => pair[1] !== null),
  )
