import { asRecord } from '#domain/stream/untrustedJson.ts'
import type { Database } from '../../db/database.ts'
import { toInvalidParamError } from '../platformErrors.ts'
import type { RecordedFile } from './files/fileRecord.ts'
import { recordFiles, type FileOwner } from './files/recordedFiles.ts'
import type { InputControl } from './inputForm.ts'
import { isJsonContainer, isNumeric, parseDecimal, type LosslessNumber } from '#domain/losslessJson.ts'

export type InputValue =
  | string
  | number
  | LosslessNumber
  | boolean
  | null
  | Record<string, unknown>
  | RecordedFile
  | RecordedFile[]
export type Inputs = Record<string, InputValue>

/**
 * Validates the inputs of a run against the form of its application. Undeclared variables are dropped, missing ones
 * get their default.
 * @throws PlatformError 400 `invalid_param` that names the variable
 */
export async function checkInputs(
  database: Database,
  sender: FileOwner,
  form: readonly InputControl[],
  values: Record<string, unknown>,
): Promise<Inputs> {
  const checkedInputs: Inputs = {}
  for (const control of form) {
    const value = Object.hasOwn(values, control.variable) ? values[control.variable] : undefined
    checkedInputs[control.variable] = isAbsent(value, control)
      ? getDefaultValue(control)
      : await readInput(control, value, database, sender)
  }
  return checkedInputs
}

/** An empty text counts as missing for controls of another type. */
const isAbsent = (value: unknown, { kind, required }: InputControl): boolean =>
  value === undefined || value === null || (value === '' && (required || !['text-input', 'paragraph'].includes(kind)))

function getDefaultValue(control: InputControl): InputValue {
  if (control.required && control.default === '') throw toInvalidParamError(`inputs.${control.variable} is required`)
  switch (control.kind) {
    case 'text-input':
    case 'paragraph':
      return control.default
    case 'select':
      return control.default || null
    case 'number':
      return control.default === '' ? null : Number(control.default)
    case 'checkbox':
      return control.default === 'true'
    case 'file-list':
      return []
    case 'file':
    case 'json_object':
      return null
  }
}

async function readInput(
  control: InputControl,
  value: unknown,
  database: Database,
  sender: FileOwner,
): Promise<InputValue> {
  const path = `inputs.${control.variable}`
  switch (control.kind) {
    case 'text-input':
    case 'paragraph':
      return readText(value, control.max_length, path)
    case 'select':
      return readOption(value, control.options, path)
    case 'number':
      return readNumber(value, path)
    case 'checkbox':
      return readBoolean(value, path)
    case 'json_object':
      return requireRecord(value, `${path} must be an object`)
    case 'file': {
      const given = requireRecord(value, `${path} must be one file object`)
      const [file] = await recordFiles(database, sender, [given], toFileRuleOfControl(control), path)
      return file ?? null
    }
    case 'file-list':
      if (!Array.isArray(value)) throw toInvalidParamError(`${path} must be a list of file objects`)
      if (value.length > control.max_length)
        throw toInvalidParamError(`${path} must have at most ${control.max_length} files`)
      if (control.required && value.length === 0) throw toInvalidParamError(`${path} is required`)
      return recordFiles(database, sender, value, toFileRuleOfControl(control), path)
  }
}

function readText(value: unknown, max_length: number, at: string): string {
  if (typeof value !== 'string') throw toInvalidParamError(`${at} must be a string`)
  if (value.length > max_length) throw toInvalidParamError(`${at} must have at most ${max_length} characters`)
  return value
}

function readOption(value: unknown, options: string[], at: string): string {
  if (typeof value !== 'string') throw toInvalidParamError(`${at} must be a string`)
  if (!options.includes(value)) throw toInvalidParamError(`${at} must be one of ${options.join(', ')}`)
  return value
}

function readNumber(value: unknown, at: string): number | LosslessNumber {
  const number = typeof value === 'string' ? parseDecimal(value) : value
  if (!isNumeric(number) || !Number.isFinite(Number(number))) throw toInvalidParamError(`${at} must be a number`)
  return number
}

const TRUE_WORDS = ['true', '1', 'yes', 'on']
const FALSE_WORDS = ['false', '0', 'no', 'off']

function readBoolean(value: unknown, at: string): boolean {
  const word = String(value).trim().toLowerCase()
  if (!isJsonContainer(value) && TRUE_WORDS.includes(word)) return true
  if (!isJsonContainer(value) && FALSE_WORDS.includes(word)) return false
  throw toInvalidParamError(`${at} must be true or false`)
}

const toFileRuleOfControl = (control: Extract<InputControl, { kind: 'file' | 'file-list' }>) => ({
  types: control.allowed_file_types,
  extensions: control.allowed_file_extensions,
  methods: control.allowed_file_upload_methods,
})

function requireRecord(value: unknown, message: string): Record<string, unknown> {
  const record = asRecord(value)
  if (!record) throw toInvalidParamError(message)
  return record
}
