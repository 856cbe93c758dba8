import { MAX_ROW_CHARS, MAX_ROW_TURNS, type BatchRowInput } from '#contract/console/batches.ts'
import { toFileEntries, type FileRule, guessFileType } from '../../runs/inputs/inputFiles.ts'
import { type InputField, type FieldError, type FormValues, parseInputs } from '../../runs/inputs/inputFields.ts'
import { getTurnOfField, REQUEST_FILES_FIELD, type ColumnMapping } from './columnMapping.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** An error of a row; `column` is the header of its column, null for an error of the whole row. */
export interface RowError {
  row: number
  column: string | null
  error: FieldError | TableRowFieldError
}

/** Errors that only a table can have. */
interface TableRowFieldError extends Pick<FieldError, 'label' | 'given' | 'max'> {
  key: (typeof TABLE_ERROR_KEYS)[number]
}
const TABLE_ERROR_KEYS = ['notBoolean', 'notFiles', 'rowTooLong', 'noInput', 'tooManyTurns'] as const
export const isTableError = (fault: FieldError | TableRowFieldError): fault is TableRowFieldError =>
  TABLE_ERROR_KEYS.some((key) => key === fault.key)

export interface CheckedRow {
  input: BatchRowInput
  errors: RowError[]
}

/** The request of a row, and its errors. `needsInput`: the app requires at least one input. */
export function checkRow(
  number: number,
  cells: readonly string[],
  options: { heads: readonly string[]; controls: readonly InputField[]; mapping: ColumnMapping; needsInput: boolean },
): CheckedRow {
  const { heads, controls: fields, mapping, needsInput } = options
  const columns = new Map<string, string>()
  const targets = new Map<number, string>()
  const formValues: FormValues = {}
  const errors: RowError[] = []
  for (const control of fields) {
    const source = mapping[control.variable]
    if (!source) continue
    const isColumn = 'column' in source
    const text = isColumn ? (cells[source.column] ?? '') : source.text
    if (isColumn) {
      targets.set(source.column, control.variable)
      columns.set(control.variable, heads[source.column] ?? '')
    }
    const fieldText = toFieldText(control, text)
    if (fieldText === null) {
      const error = {
        key: control.files ? 'notFiles' : 'notBoolean',
        label: control.label,
        given: truncateText(text, 80),
      } as const
      errors.push({ row: number, column: columns.get(control.variable) ?? null, error })
    } else formValues[control.variable] = fieldText
  }
  const { inputs: values, errors: found } = parseInputs(fields, formValues)
  const { [REQUEST_FILES_FIELD]: files, ...others } = values
  const turns = takeTurns(others)
  const inputs = Object.fromEntries(Object.entries(others).filter(([name]) => getTurnOfField(name) === null))
  for (const [variable, error] of Object.entries(found))
    errors.push({ row: number, column: columns.get(variable) ?? null, error: shortenError(error) })
  // The export has each cell as it was in the file, also where the request says it differently.
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
  if (needsInput && errors.length === 0 && Object.keys(inputs).length === 0)
    errors.push({ row: number, column: null, error: { key: 'noInput', label: '' } })
  if (turns.length > MAX_ROW_TURNS)
    errors.push({ row: number, column: null, error: { key: 'tooManyTurns', label: '', max: MAX_ROW_TURNS } })
  if (JSON.stringify(input).length > MAX_ROW_CHARS)
    errors.push({ row: number, column: null, error: { key: 'rowTooLong', label: '', max: MAX_ROW_CHARS } })
  return { input, errors }
}

/** The questions in their order; empty ones are left out, and a cell with a JSON list of texts is several turns. */
const takeTurns = (values: Record<string, unknown>): string[] =>
  Object.entries(values)
    .flatMap(([name, value]) => {
      const turn = getTurnOfField(name)
      return turn === null || typeof value !== 'string' ? [] : [{ turn, texts: parseTexts(value) ?? [value] }]
    })
    .sort((one, other) => one.turn - other.turn)
    .flatMap(({ texts }) => texts)
    .filter((text) => text.trim() !== '')

function parseTexts(cell: string): string[] | null {
  if (!/^\s*\[\s*"/.test(cell)) return null
  const list = parseJsonList(cell)
  return list.every((one) => typeof one === 'string') ? list : null
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

const shortenError = (fault: FieldError): FieldError =>
  fault.given === undefined ? fault : { ...fault, given: truncateText(fault.given, 80) }
