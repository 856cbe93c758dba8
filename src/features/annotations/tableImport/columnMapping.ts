import { findQuestionTurn, getColumnMeaning, normalizeColumnName } from '#domain/tables/columnNames.ts'
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

/** The questions of a chat, as fields among the inputs: one for each turn of a row's conversation. */
const TURN_FIELD_PREFIX = '\nturn'
export const toTurnFieldName = (turn: number): string => `${TURN_FIELD_PREFIX}${turn}`
/** The number of the turn that a field stands for; null for any other field. */
export const getTurnOfField = (variable: string): number | null =>
  variable.startsWith(TURN_FIELD_PREFIX) ? Number(variable.slice(TURN_FIELD_PREFIX.length)) : null
export const makeTurnField = (turn: number, label: string): InputField => ({
  kind: 'paragraph',
  variable: toTurnFieldName(turn),
  label,
  description: '',
  required: turn === 1,
  hidden: false,
  max_length: null,
  options: [],
  initial: '',
  files: null,
})

/** The name of a field in the interface, for people who script. */
export const getApiName = (variable: string): string =>
  variable === REQUEST_FILES_FIELD ? 'files' : getTurnOfField(variable) === null ? variable : 'query'

/** How alike two names must be for a guess. */
const MIN_SIMILARITY = 0.6

/** 0 to 1: by common pairs of characters; a name that is the last word of the other is much like it. */
export function getNameSimilarity(one: string, other: string): number {
  const [first, second] = [normalizeColumnName(one), normalizeColumnName(other)]
  if (first === second) return first === '' ? 0 : 1
  const [short, long] = first.length < second.length ? [one, other] : [other, one]
  if (normalizeColumnName(short).length >= 4 && splitWords(long).at(-1) === normalizeColumnName(short)) return 0.8
  const pairs = (text: string) =>
    Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2))
  const rest = pairs(second)
  const all = pairs(first).length + rest.length
  let common = 0
  for (const pair of pairs(first)) {
    const at = rest.indexOf(pair)
    if (at < 0) continue
    rest.splice(at, 1)
    common++
  }
  return all === 0 ? 0 : (2 * common) / all
}

const splitWords = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_\-.:/]+/)
    .map(normalizeColumnName)

/** Names longer than this are no names; comparing them would cost more than it tells. */
const MAX_COMPARED_CHARS = 80

/** Guesses the column of each variable by its name or label, exact names before similar ones; each column is used once. */
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
  for (const control of fields)
    take(control, (head) => normalizeColumnName(head) === normalizeColumnName(control.variable))
  for (const control of fields)
    take(control, (head) => normalizeColumnName(head) === normalizeColumnName(control.label))
  for (const control of fields) {
    const turn = getTurnOfField(control.variable)
    if (turn !== null) take(control, (head) => findQuestionTurn(head) === turn)
    const meaning = getColumnMeaning(control.variable)
    if (meaning) take(control, (head) => getColumnMeaning(head) === meaning)
  }
  const similar = fields
    .filter(
      ({ variable }) => !mapping[variable] && getTurnOfField(variable) === null && variable !== REQUEST_FILES_FIELD,
    )
    .flatMap((control) =>
      [...free].map((column) => {
        const head = (headers[column] ?? '').slice(0, MAX_COMPARED_CHARS)
        const names = [control.variable, control.label].map((name) => name.slice(0, MAX_COMPARED_CHARS))
        return { control, column, score: Math.max(...names.map((name) => getNameSimilarity(head, name))) }
      }),
    )
    .filter(({ score }) => score >= MIN_SIMILARITY)
    .sort((one, other) => other.score - one.score)
  for (const { control, column } of similar)
    if (free.has(column) && !mapping[control.variable]) {
      free.delete(column)
      mapping[control.variable] = { column }
    }
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
