import { MAX_ROW_CHARS, MAX_ROW_TURNS, type BatchRowInput } from '#contract/console/batches.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { toSamenessKey } from '#domain/samenessKey.ts'
import { toComparisonKey } from '#domain/textComparison.ts'
import { toFileEntries, type FileRule, guessFileType } from '../../runs/inputs/inputFiles.ts'
import { type InputField, type FieldError, type FormValues, parseInputs } from '../../runs/inputs/inputFields.ts'
import { getTurnOfField, REQUEST_FILES_FIELD, type ColumnMapping } from './columnMapping.ts'
import type { tableImportMessages } from './messages.ts'

/** An error of a row; `column` is the header of its column, null for an error of the whole row. */
export interface RowError {
  row: number
  column: string | null
  error: FieldError | TableFieldError
}

/** Errors that only a table can have. */
export interface TableFieldError extends Pick<FieldError, 'label' | 'given' | 'max'> {
  key: keyof typeof tableImportMessages.errors
}

/** The request of a row, and its errors. `needsInput`: the app requires at least one input. */
export function checkRow(
  row: number,
  cells: readonly string[],
  options: { heads: readonly string[]; controls: readonly InputField[]; mapping: ColumnMapping; needsInput: boolean },
) {
  const { heads, controls, mapping, needsInput } = options
  const targets = new Map<number, string>()
  const formValues: FormValues = {}
  const errors: RowError[] = []
  const fail = (error: RowError['error'], variable?: string) => {
    const source = variable === undefined ? null : mapping[variable]
    const column = source && 'column' in source ? (heads[source.column] ?? '') : null
    const given = error.given === undefined ? {} : { given: truncateText(error.given, 80) }
    errors.push({ row, column, error: { ...error, ...given } })
  }
  for (const control of controls) {
    const { variable, label } = control
    const source = mapping[variable]
    if (!source) continue
    if ('column' in source) targets.set(source.column, variable)
    const text = 'column' in source ? (cells[source.column] ?? '') : source.text
    const fieldText = toFieldText(control, text)
    if (fieldText === null) fail({ key: control.files ? 'notFiles' : 'notBoolean', label, given: text }, variable)
    else formValues[variable] = fieldText
  }
  const { inputs: values, errors: found } = parseInputs(controls, formValues)
  for (const [variable, error] of Object.entries(found)) fail(error, variable)
  const { [REQUEST_FILES_FIELD]: files, ...others } = values
  const turns = Object.entries(others).flatMap(([name, value]) =>
    getTurnOfField(name) === null ? [] : parseTurns(String(value)),
  )
  const inputs = Object.fromEntries(Object.entries(others).filter(([name]) => getTurnOfField(name) === null))
  // The export has each cell as in the file, even if the request has it in another form.
  const isSaid = (index: number) => {
    const target = targets.get(index)
    return target !== undefined && (values[target] === undefined ? '' : String(values[target])) === cells[index]
  }
  const extraColumns = Object.fromEntries(
    heads.flatMap((head, index) => (!cells[index] || isSaid(index) ? [] : [[head, cells[index]]])),
  )
  const input: BatchRowInput = {
    inputs,
    ...(files ? { files: files as BatchRowInput['files'] } : {}),
    ...(turns.length > 0 ? { turns } : {}),
    beside: extraColumns,
  }
  if (needsInput && errors.length === 0 && Object.keys(inputs).length === 0) fail({ key: 'noInput', label: '' })
  if (turns.length > MAX_ROW_TURNS) fail({ key: 'tooManyTurns', label: '', max: MAX_ROW_TURNS })
  if (JSON.stringify(input).length > MAX_ROW_CHARS) fail({ key: 'rowTooLong', label: '', max: MAX_ROW_CHARS })
  return { input, errors }
}

/** The questions of a cell without empty ones: a JSON list of texts is several. */
function parseTurns(cell: string): string[] {
  const list = /^\s*\[\s*"/.test(cell) ? parseJsonList(cell) : []
  const isListOfTexts = list.length > 0 && list.every((one) => typeof one === 'string')
  return (isListOfTexts ? list : [cell]).filter((text) => text.trim() !== '')
}

const TRUE_PATTERN = /^(true|yes|y|1|x|是)$/i
const FALSE_PATTERN = /^(false|no|n|0|否|)$/i

/** The form value of a cell; null for an invalid boolean or invalid files. */
function toFieldText(control: InputField, cell: string): string | null {
  const text = cell.trim()
  if (control.kind === 'checkbox') return TRUE_PATTERN.test(text) ? 'true' : FALSE_PATTERN.test(text) ? 'false' : null
  if (control.files) return parseFilesCell(control.files, text)
  return control.kind === 'select' || control.kind === 'number' ? text : cell
}

/**
 * A cell contains files as URLs, separated by spaces or commas, or as JSON: API file objects or URLs, one or a list.
 * Missing properties of a URL object are guessed. Null for other JSON.
 */
function parseFilesCell(rule: FileRule, text: string): string | null {
  if (text === '') return ''
  const isJson = /^[[{]/.test(text)
  const found = isJson ? parseJsonList(text) : text.split(URL_SEPARATOR_PATTERN)
  const completed = found.map((one) => completeFile(rule, one))
  const entries = toFileEntries(completed)
  return entries.length === completed.length ? JSON.stringify(entries) : null
}

/** A comma belongs to the URL unless another URL follows. */
const URL_SEPARATOR_PATTERN = /\s*[,;]\s*(?=https?:)|\s+/

function parseJsonList(text: string): unknown[] {
  try {
    const value = parseLosslessJson(text)
    return Array.isArray(value) ? value : [value]
  } catch {
    return [null]
  }
}

function completeFile(rule: FileRule, one: unknown): unknown {
  const { url, ...given }: { url?: unknown } = typeof one === 'object' && one !== null ? one : { url: one }
  if (typeof url !== 'string') return one
  return { type: guessFileType(rule, { url }), transfer_method: 'remote_url', ...given, url }
}

/** Texts that a new table is compared with: in one input of its rows, whose value must be unique. */
export interface DuplicateCheck {
  /** The input that must be unique, and the one that decides whether a duplicate is equal. */
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
