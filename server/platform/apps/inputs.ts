import type { Database } from '../../database/database.ts'
import { invalidParam } from '../errors.ts'
import { recordFiles, type RecordedFile, type Sender } from './files.ts'
import type { Control } from './form.ts'

export type Value = string | number | boolean | null | Record<string, unknown> | RecordedFile | RecordedFile[]
export type Inputs = Record<string, Value>

/**
 * Checks the inputs of a run against the form of its application ("2.11" of the upstream facts). Variables that the form
 * does not declare are dropped, those not given get their default.
 * @throws PlatformError 400 `invalid_param` that names the variable
 */
export async function checkInputs(
  database: Database,
  sender: Sender,
  form: readonly Control[],
  given: Record<string, unknown>,
): Promise<Inputs> {
  const checked: Inputs = {}
  for (const control of form) {
    const value = Object.hasOwn(given, control.variable) ? given[control.variable] : undefined
    checked[control.variable] = isAbsent(value, control)
      ? absent(control)
      : await read(control, value, database, sender)
  }
  return checked
}

/** An empty text is no value for a control that is no text. */
const isAbsent = (value: unknown, { kind, required }: Control): boolean =>
  value === undefined || value === null || (value === '' && (required || !['text-input', 'paragraph'].includes(kind)))

function absent(control: Control): Value {
  if (control.required && control.default === '') throw invalidParam(`inputs.${control.variable} is required`)
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

async function read(control: Control, value: unknown, database: Database, sender: Sender): Promise<Value> {
  const at = `inputs.${control.variable}`
  switch (control.kind) {
    case 'text-input':
    case 'paragraph':
      return readText(value, control.max_length, at)
    case 'select':
      return readOption(value, control.options, at)
    case 'number':
      return readNumber(value, at)
    case 'checkbox':
      return readFlag(value, at)
    case 'json_object':
      if (!isObject(value)) throw invalidParam(`${at} must be an object`)
      return value
    case 'file': {
      if (!isObject(value)) throw invalidParam(`${at} must be one file object`)
      const [file] = await recordFiles(database, sender, [value], ruleOf(control), at)
      return file ?? null
    }
    case 'file-list':
      if (!Array.isArray(value)) throw invalidParam(`${at} must be a list of file objects`)
      if (value.length > control.max_length) throw invalidParam(`${at} must have at most ${control.max_length} files`)
      if (control.required && value.length === 0) throw invalidParam(`${at} is required`)
      return recordFiles(database, sender, value, ruleOf(control), at)
  }
}

function readText(value: unknown, max_length: number, at: string): string {
  if (typeof value !== 'string') throw invalidParam(`${at} must be a string`)
  if (value.length > max_length) throw invalidParam(`${at} must have at most ${max_length} characters`)
  return value
}

function readOption(value: unknown, options: string[], at: string): string {
  if (typeof value !== 'string') throw invalidParam(`${at} must be a string`)
  if (!options.includes(value)) throw invalidParam(`${at} must be one of ${options.join(', ')}`)
  return value
}

function readNumber(value: unknown, at: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) throw invalidParam(`${at} must be a number`)
  return number
}

const YES = ['true', '1', 'yes', 'on']
const NO = ['false', '0', 'no', 'off']

function readFlag(value: unknown, at: string): boolean {
  const word = String(value).trim().toLowerCase()
  if (typeof value !== 'object' && YES.includes(word)) return true
  if (typeof value !== 'object' && NO.includes(word)) return false
  throw invalidParam(`${at} must be true or false`)
}

const ruleOf = (control: Extract<Control, { kind: 'file' | 'file-list' }>) => ({
  types: control.allowed_file_types,
  extensions: control.allowed_file_extensions,
  methods: control.allowed_file_upload_methods,
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
