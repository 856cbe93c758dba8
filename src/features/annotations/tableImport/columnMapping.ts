import { BatchSource } from '#contract/console/batches.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { findQuestionTurn, getColumnMeaning, normalizeColumnName } from '#domain/tables/columnNames.ts'
import type { FileRule } from '../../runs/inputs/inputFiles.ts'
import type { InputField } from '../../runs/inputs/inputFields.ts'

/** The source of a variable: a column index, or one text for all rows. */
export type ValueSource = { column: number } | { text: string }
/** Null for a variable that shall have none. */
export type ColumnMapping = Record<string, ValueSource | null>

/** A text that may be empty. */
const TEXT_FIELD: Omit<InputField, 'variable' | 'label'> = {
  kind: 'paragraph',
  description: '',
  required: false,
  hidden: false,
  max_length: null,
  options: [],
  initial: '',
  files: null,
}

/** The fields of an annotation, as inputs of a table; their length is counted as `AnnotationInput` counts it. */
export const ANNOTATION_IMPORT_FIELDS: InputField[] = ['question', 'answer'].map((variable) => ({
  ...TEXT_FIELD,
  variable,
  label: variable,
  required: true,
  max_length: 100_000,
}))

/** The `files` of a request, as a field among the inputs; no variable has this name, and a column `files` matches it. */
export const REQUEST_FILES_FIELD = '\nfiles'
export const makeRequestFilesField = (rule: FileRule, label: string): InputField => ({
  ...TEXT_FIELD,
  kind: 'file-list',
  variable: REQUEST_FILES_FIELD,
  label,
  files: rule,
})

/** The questions of a chat, as fields among the inputs: one for each turn of a row's conversation. */
const TURN_FIELD_PREFIX = '\nturn'
export const toTurnFieldName = (turn: number): string => `${TURN_FIELD_PREFIX}${turn}`
/** The number of the turn that a field belongs to; null for any other field. */
export const getTurnOfField = (variable: string): number | null =>
  variable.startsWith(TURN_FIELD_PREFIX) ? Number(variable.slice(TURN_FIELD_PREFIX.length)) : null
export const makeTurnField = (turn: number, label: string): InputField => ({
  ...TEXT_FIELD,
  variable: toTurnFieldName(turn),
  label,
  required: turn === 1,
})

/** The name of a field in the interface, for people who script. */
export const getApiName = (variable: string): string =>
  variable === REQUEST_FILES_FIELD ? 'files' : getTurnOfField(variable) === null ? variable : 'query'

/** Whether a field and a column mean the same, the surest sign first. */
const SIGNS: ((field: InputField, head: string) => boolean)[] = [
  ({ variable }, head) => head === variable,
  ({ variable }, head) => normalizeColumnName(head) === normalizeColumnName(variable),
  ({ label }, head) => normalizeColumnName(head) === normalizeColumnName(label),
  ({ variable }, head) => findQuestionTurn(head) === (getTurnOfField(variable) ?? NaN),
  ({ variable }, head) => getColumnMeaning(head) === (getColumnMeaning(variable) ?? 'none'),
]

/** Guesses the column of each variable by its name or label, exact names before similar ones; each column is used once. */
export function guessMapping(fields: readonly InputField[], headers: readonly string[]): ColumnMapping {
  const free = new Set(headers.keys())
  const mapping: ColumnMapping = {}
  const take = ({ variable }: InputField, column: number | undefined) => {
    if (column !== undefined && !mapping[variable] && free.delete(column)) mapping[variable] = { column }
  }
  const listUnmapped = () => fields.filter(({ variable }) => !mapping[variable])
  for (const isMatch of SIGNS)
    for (const field of listUnmapped())
      take(
        field,
        [...free].find((column) => isMatch(field, headers[column] ?? '')),
      )
  const similar = listUnmapped()
    .filter(({ variable }) => getTurnOfField(variable) === null && variable !== REQUEST_FILES_FIELD)
    .flatMap((field) =>
      [...free].map((column) => {
        const scores = [field.variable, field.label].map((name) => getNameSimilarity(headers[column] ?? '', name))
        return { field, column, score: Math.max(...scores) }
      }),
    )
    .filter(({ score }) => score >= MIN_SIMILARITY)
    .sort((one, other) => other.score - one.score)
  for (const { field, column } of similar) take(field, column)
  // One input and one column match without a guess.
  const [only, ...others] = fields.filter(({ variable }) => variable !== REQUEST_FILES_FIELD)
  if (only && others.length === 0 && headers.length === 1) take(only, 0)
  return mapping
}

/** How alike two names must be for a guess. */
const MIN_SIMILARITY = 0.6
/** Longer texts are not names; comparing them would be expensive. */
const MAX_COMPARED_CHARS = 80

/** 0 to 1: by common pairs of characters; a name that is the last word of the other is much like it. */
function getNameSimilarity(...names: [string, string]): number {
  const [one, other] = names.map((name) => name.slice(0, MAX_COMPARED_CHARS)) as [string, string]
  const [first, second] = [normalizeColumnName(one), normalizeColumnName(other)]
  if (first === second) return first === '' ? 0 : 1
  if (hasLastWord(one, second) || hasLastWord(other, first)) return 0.8
  const pairs = toPairs(first)
  const rest = toPairs(second)
  const all = pairs.length + rest.length
  let common = 0
  for (const pair of pairs) {
    const at = rest.indexOf(pair)
    if (at < 0) continue
    rest.splice(at, 1)
    common++
  }
  return all === 0 ? 0 : (2 * common) / all
}

const toPairs = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2))

const hasLastWord = (name: string, word: string): boolean =>
  word.length >= 4 &&
  normalizeColumnName(
    name
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .split(/[\s_\-.:/]+/)
      .at(-1) ?? '',
  ) === word

/** What the server keeps of the file, for an export with its own columns; null for a table beyond the limits of that. */
export function toBatchSource(
  name: string,
  { heads, rows }: { heads: readonly string[]; rows: number },
  mapping: ColumnMapping,
): BatchSource | null {
  const targets = new Map(
    Object.entries(mapping).flatMap(([variable, origin]) =>
      origin && 'column' in origin ? [[origin.column, toTarget(variable)]] : [],
    ),
  )
  const columns = heads.map((head, index) => ({ name: head, target: targets.get(index) ?? null }))
  const source = BatchSource.safeParse({ name: truncateText(name, 255), rows, columns })
  return source.success ? source.data : null
}

function toTarget(variable: string): BatchSource['columns'][number]['target'] {
  if (variable === REQUEST_FILES_FIELD) return 'files'
  const turn = getTurnOfField(variable)
  return turn === null ? { input: variable } : { turn }
}
