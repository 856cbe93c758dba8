import { asRecord } from '#domain/stream/untrustedJson.ts'
import { readInputRefusal } from '#domain/platformErrors/readPlatformError.ts'
import type { AppParameters } from '#contract/platform/appParameters.ts'
import {
  toFileEntries,
  normalizeExtensions,
  findFilesError,
  type FileRule,
  type FileError,
  parseFileEntries,
  toFileInput,
  getMaxMegabytesByType,
} from './inputFiles.ts'
import type { Translate } from '../../../components/i18n/useMessages.ts'
import type { inputMessages } from './messages.ts'
import { findRoundedNumber, isJsonContainer, parseDecimal, parseLosslessJson } from '#domain/losslessJson.ts'

/** One control of an app's form (`user_input_form` of operation 13). An unknown kind is edited as JSON. */
export interface InputField {
  kind: string
  variable: string
  label: string
  description: string
  required: boolean
  hidden: boolean
  max_length: number | null
  options: string[]
  /** What is sent of each option: those of some apps are numbers. */
  optionValues?: readonly unknown[]
  initial: string
  /** The file rule of a `file` or `file-list`; null for any other kind. */
  files: FileRule | null
}

/**
 * Form input by variable; files as JSON of their entries. In the JSON view the text is stored under the empty name,
 * and the other values are ignored. A variable that the form does not define is stored as JSON under its name with a
 * `+` prefix.
 */
export type FormValues = Record<string, string>

/** The name of the JSON view in `FormValues`; no variable has an empty name. */
export const JSON_VIEW_KEY = ''
export const toExtraFieldName = (variable: string): string => `+${variable}`
export const isExtraField = (name: string): boolean => name.startsWith('+')

const TEXT_KINDS = ['text-input', 'paragraph', 'select', 'number', 'checkbox']
const FILE_KINDS = ['file', 'file-list']
/** The platform gets these values itself. */
const PLATFORM_KINDS = ['external_data_tool']

export const isJsonKind = (kind: string): boolean => !TEXT_KINDS.includes(kind) && !FILE_KINDS.includes(kind)

export function toInputFields(parameters: AppParameters | undefined): InputField[] {
  return (parameters?.user_input_form ?? []).flatMap((item) =>
    Object.entries(item).flatMap(([kind, control]): InputField[] => {
      if (!control.variable || PLATFORM_KINDS.includes(kind)) return []
      const length = Number(control.max_length)
      const max_length = length > 0 ? length : null
      const optionValues = control.options ?? []
      const files: FileRule = {
        types: control.allowed_file_types ?? [],
        extensions: normalizeExtensions(control.allowed_file_extensions),
        methods: control.allowed_file_upload_methods ?? [],
        maxFiles:
          kind === 'file' ? 1 : (max_length ?? parameters?.system_parameters?.workflow_file_upload_limit ?? null),
        maxMegabytesByType: getMaxMegabytesByType(parameters),
      }
      return [
        {
          kind,
          variable: control.variable,
          label: control.label || control.variable,
          description: control.description ?? '',
          required: isTrue(control.required),
          hidden: isTrue(control.hide),
          max_length,
          options: optionValues.map(String),
          optionValues,
          initial: toInitialText(control.default, kind),
          files: FILE_KINDS.includes(kind) ? files : null,
        },
      ]
    }),
  )
}

/** The error of a field: a message key and its values. */
export interface FieldError extends Omit<FileError, 'key'> {
  key:
    | FileError['key']
    | 'required'
    | 'tooLong'
    | 'notNumber'
    | 'roundedNumber'
    | 'notJson'
    | 'notObject'
    | 'notOption'
    | 'inputRefused'
  label: string
}
/** The errors of a form, by variable. */
export type FieldErrors = Record<string, FieldError>

/** The platform's refusal at the field that it names; none if it names no field of the form. */
export function toRefusedErrors(fields: readonly InputField[], message: string): FieldErrors {
  const path = readInputRefusal(message)?.path
  const field = fields.find(({ variable }) => `inputs.${variable}` === path)
  return field ? { [field.variable]: { key: 'inputRefused', label: field.label, given: message } } : {}
}

export interface ParsedInputs {
  inputs: Record<string, unknown>
  errors: FieldErrors
}

/** The `inputs` of the request, or the errors that block it. Empty optional fields are omitted. */
export function parseInputs(fields: readonly InputField[], values: FormValues): ParsedInputs {
  const json = values[JSON_VIEW_KEY]
  if (json !== undefined) return parseJsonInputs(fields, json)
  const inputs: Record<string, unknown> = {}
  const errors: FieldErrors = {}
  for (const control of fields) {
    const { variable, label } = control
    const found = parseFieldValue(control, values[variable] ?? control.initial)
    if ('error' in found) errors[variable] = { ...found.error, label }
    else if (found.value !== undefined) setInput(inputs, variable, found.value)
  }
  for (const [name, text] of Object.entries(values).filter(([name]) => isExtraField(name))) {
    const parsed = parse(text)
    if (parsed) setInput(inputs, name.slice(1), parsed.value)
    else errors[name] = { key: 'notJson', label: name.slice(1) }
  }
  return { inputs, errors }
}

/** The form values of an earlier request; variables that the form does not define are dropped. */
export function toFormValues(fields: readonly InputField[], inputs: Record<string, unknown>): FormValues {
  return Object.fromEntries(
    fields.flatMap(({ variable, kind }) =>
      Object.hasOwn(inputs, variable) ? [[variable, toFieldText(inputs[variable], kind)]] : [],
    ),
  )
}

/** The values of an earlier request that the form does not define. */
export function toExtraValues(fields: readonly InputField[], inputs: Record<string, unknown>): FormValues {
  const named = new Set(fields.map(({ variable }) => variable))
  return Object.fromEntries(
    Object.entries(inputs)
      .filter(([variable]) => !named.has(variable))
      .map(([variable, value]) => [toExtraFieldName(variable), JSON.stringify(value, null, 2) ?? 'null']),
  )
}

/** Converts the form to JSON. An invalid field becomes text. */
export function toJsonView(fields: readonly InputField[], values: FormValues): FormValues {
  const { inputs, errors } = parseInputs(fields, values)
  for (const name of Object.keys(errors)) {
    const text = values[name] ?? ''
    if (text !== '') setInput(inputs, isExtraField(name) ? name.slice(1) : name, text)
  }
  return { [JSON_VIEW_KEY]: JSON.stringify(inputs, null, 2) }
}

/** Converts the JSON to fields; null if it is not an object. */
export function toFieldView(fields: readonly InputField[], values: FormValues): FormValues | null {
  const value = parse(values[JSON_VIEW_KEY] ?? '{}')?.value
  const record = asRecord(value)
  return record && toAllFieldValues(fields, record)
}

/** All fields of these inputs: a variable without a value is empty, even if it has a default. */
function toAllFieldValues(fields: readonly InputField[], inputs: Record<string, unknown>): FormValues {
  const empty = Object.fromEntries(fields.map(({ variable }) => [variable, '']))
  return { ...empty, ...toFormValues(fields, inputs), ...toExtraValues(fields, inputs) }
}

/** JSON values are sent unchanged, but must pass the rules of the fields. */
function parseJsonInputs(fields: readonly InputField[], text: string): ParsedInputs {
  const given = findRoundedNumber(text)
  if (given !== null)
    return { inputs: {}, errors: { [JSON_VIEW_KEY]: { key: 'roundedNumber', label: 'inputs', given } } }
  const parsed = parse(text)
  if (!parsed) return { inputs: {}, errors: { [JSON_VIEW_KEY]: { key: 'notJson', label: 'inputs' } } }
  const record = asRecord(parsed.value)
  if (!record) return { inputs: {}, errors: { [JSON_VIEW_KEY]: { key: 'notObject', label: 'inputs' } } }
  return { inputs: record, errors: parseInputs(fields, toAllFieldValues(fields, record)).errors }
}

type ParsedValue = { value: unknown } | { error: Omit<FieldError, 'label'> }

/** The value of one field, undefined if omitted. */
function parseFieldValue(
  { kind, required, max_length, options, optionValues, files }: InputField,
  text: string,
): ParsedValue {
  if (kind === 'checkbox') return { value: text === 'true' }
  const entries = files ? parseFileEntries(text) : []
  if (text.trim() === '' || (files && entries.length === 0))
    return required ? { error: { key: 'required' } } : { value: undefined }
  if (files) {
    const error = findFilesError(files, entries)
    if (error) return { error }
    const sent = entries.map(toFileInput)
    return { value: kind === 'file' ? sent[0] : sent }
  }
  const given = TEXT_KINDS.includes(kind) && kind !== 'number' ? null : findRoundedNumber(text)
  if (given !== null) return { error: { key: 'roundedNumber', given } }
  if (kind === 'number') {
    const value = parseDecimal(text)
    return value === null ? { error: { key: 'notNumber' } } : { value }
  }
  if (kind === 'select')
    return options.length > 0 && !options.includes(text)
      ? { error: { key: 'notOption', given: text, allowed: options.join(', ') } }
      : { value: optionValues?.[options.indexOf(text)] ?? text }
  if (TEXT_KINDS.includes(kind))
    return max_length !== null && [...text].length > max_length
      ? { error: { key: 'tooLong', max: max_length } }
      : { value: text }
  const parsed = parse(text)
  if (!parsed) return { error: { key: 'notJson' } }
  return kind === 'json_object' && !asRecord(parsed.value) ? { error: { key: 'notObject' } } : parsed
}

const isTrue = (value: unknown): boolean => /^(?:true|1|yes)$/i.test(String(value).trim())

/** The API returns defaults as text, so a JSON default may be serialized. */
const toInitialText = (value: unknown, kind: string): string =>
  value === null || (typeof value === 'string' && isJsonKind(kind)) ? (value ?? '') : toFieldText(value, kind)

function toFieldText(value: unknown, kind: string): string {
  if (value === undefined || (value === null && (!isJsonKind(kind) || kind === 'json_object'))) return ''
  if (kind === 'checkbox') return String(isTrue(value))
  if (FILE_KINDS.includes(kind)) {
    const entries = toFileEntries(value)
    return entries.length === 0 ? '' : JSON.stringify(entries)
  }
  if (TEXT_KINDS.includes(kind) && !isJsonContainer(value)) return String(value)
  return JSON.stringify(value, null, 2)
}

/** A variable may have any name, even `__proto__`. */
function setInput(inputs: Record<string, unknown>, variable: string, value: unknown): void {
  Object.defineProperty(inputs, variable, { value, enumerable: true, configurable: true, writable: true })
}

function parse(value: string): { value: unknown } | null {
  try {
    return { value: parseLosslessJson(value) }
  } catch {
    return null
  }
}

/** Formats a form error as a sentence. */
export const formatFieldError = (t: Translate<typeof inputMessages>, error: FieldError): string =>
  t(error.key, {
    label: error.label,
    max: error.max ?? 0,
    given: error.given ?? '',
    allowed: error.allowed ?? '',
  })
