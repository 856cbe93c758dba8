import type { Parameters } from '#contract/workflows.ts'
import {
  entriesOf,
  extensionsOf,
  faultOfFiles,
  type FileRule,
  type FilesFault,
  readEntries,
  sentFile,
  sizesOf,
} from './files.ts'

/** One control of an app's form (`user_input_form` of operation 13). A kind that is not known is filled in as JSON. */
export interface Control {
  kind: string
  variable: string
  label: string
  description: string
  required: boolean
  hidden: boolean
  max_length: number | null
  options: string[]
  initial: string
  /** What may be given to a `file` or `file-list`; null for any other kind. */
  files: FileRule | null
}

/**
 * The values of a form as a person typed them, by variable; files as the JSON of their entries. While the form is open as
 * JSON its text stands under the empty name, and nothing else counts. A variable that the form does not name stands, as
 * JSON, under its name with a `+` before it.
 */
export type Filled = Record<string, string>

/** The name of the JSON view in `Filled`; no variable is called so. */
export const WHOLE = ''
export const beyondName = (variable: string): string => `+${variable}`
export const isBeyond = (name: string): boolean => name.startsWith('+')

const TEXTS = ['text-input', 'paragraph', 'select', 'number', 'checkbox']
const FILES = ['file', 'file-list']

export const isJsonKind = (kind: string): boolean => !TEXTS.includes(kind) && !FILES.includes(kind)

export function controlsOf(parameters: Parameters | undefined): Control[] {
  return (parameters?.user_input_form ?? []).flatMap((item) =>
    Object.entries(item).flatMap(([kind, control]): Control[] => {
      if (!control.variable) return []
      const max_length = control.max_length && control.max_length > 0 ? control.max_length : null
      const files: FileRule = {
        types: control.allowed_file_types ?? [],
        extensions: extensionsOf(control.allowed_file_extensions),
        methods: control.allowed_file_upload_methods ?? [],
        most: kind === 'file' ? 1 : (max_length ?? parameters?.system_parameters?.workflow_file_upload_limit ?? null),
        sizes: sizesOf(parameters),
      }
      return [
        {
          kind,
          variable: control.variable,
          label: control.label || control.variable,
          description: control.description ?? '',
          required: control.required ?? false,
          hidden: control.hide ?? false,
          max_length,
          options: control.options ?? [],
          initial: initialOf(control.default, kind),
          files: FILES.includes(kind) ? files : null,
        },
      ]
    }),
  )
}

/** What is wrong with one field: a message of the room and its values. */
export interface Fault extends Omit<FilesFault, 'key'> {
  key: FilesFault['key'] | 'required' | 'tooLong' | 'notNumber' | 'notJson' | 'notObject' | 'notOption'
  label: string
}
/** What is wrong with a form, by variable. */
export type Faults = Record<string, Fault>

export interface Inputs {
  inputs: Record<string, unknown>
  faults: Faults
}

/** The `inputs` of the request, or what keeps them from being sent. Empty fields that nobody asks for are left out. */
export function inputsOf(controls: readonly Control[], filled: Filled): Inputs {
  const whole = filled[WHOLE]
  if (whole !== undefined) return inputsOfText(controls, whole)
  const inputs: Record<string, unknown> = {}
  const faults: Faults = {}
  for (const control of controls) {
    const { variable, label } = control
    const found = valueOf(control, filled[variable] ?? control.initial)
    if ('fault' in found) faults[variable] = { ...found.fault, label }
    else if (found.value !== undefined) put(inputs, variable, found.value)
  }
  for (const [name, text] of Object.entries(filled).filter(([name]) => isBeyond(name))) {
    const parsed = parse(text)
    if (parsed) put(inputs, name.slice(1), parsed.value)
    else faults[name] = { key: 'notJson', label: name.slice(1) }
  }
  return { inputs, faults }
}

/** The form as a former request had filled it in; what the form does not name is left out. */
export function filledFrom(controls: readonly Control[], inputs: Record<string, unknown>): Filled {
  return Object.fromEntries(
    controls.flatMap(({ variable, kind }) =>
      Object.hasOwn(inputs, variable) ? [[variable, typed(inputs[variable], kind)]] : [],
    ),
  )
}

/** What a former request gave that the form does not name. */
export function beyondFrom(controls: readonly Control[], inputs: Record<string, unknown>): Filled {
  const named = new Set(controls.map(({ variable }) => variable))
  return Object.fromEntries(
    Object.entries(inputs)
      .filter(([variable]) => !named.has(variable))
      .map(([variable, value]) => [beyondName(variable), JSON.stringify(value, null, 2) ?? 'null']),
  )
}

/** The same form as JSON. What is wrong in a field comes along as the text that it is. */
export function asJson(controls: readonly Control[], filled: Filled): Filled {
  const { inputs, faults } = inputsOf(controls, filled)
  for (const name of Object.keys(faults)) {
    const text = filled[name] ?? ''
    if (text !== '') put(inputs, isBeyond(name) ? name.slice(1) : name, text)
  }
  return { [WHOLE]: JSON.stringify(inputs, null, 2) }
}

/** The same JSON as fields; null while it is no object. */
export function asFields(controls: readonly Control[], filled: Filled): Filled | null {
  const value = parse(filled[WHOLE] ?? '{}')?.value
  return isObject(value) ? fieldsOf(controls, value) : null
}

/** All fields of these inputs: a variable of the form that they leave out is empty, whatever its default is. */
function fieldsOf(controls: readonly Control[], inputs: Record<string, unknown>): Filled {
  const empty = Object.fromEntries(controls.map(({ variable }) => [variable, '']))
  return { ...empty, ...filledFrom(controls, inputs), ...beyondFrom(controls, inputs) }
}

/** In JSON the values go out as they stand there; the fields' own rules are held against them all the same. */
function inputsOfText(controls: readonly Control[], text: string): Inputs {
  const parsed = parse(text)
  if (!parsed) return { inputs: {}, faults: { [WHOLE]: { key: 'notJson', label: 'inputs' } } }
  if (!isObject(parsed.value)) return { inputs: {}, faults: { [WHOLE]: { key: 'notObject', label: 'inputs' } } }
  return { inputs: parsed.value, faults: inputsOf(controls, fieldsOf(controls, parsed.value)).faults }
}

type Found = { value: unknown } | { fault: Omit<Fault, 'label'> }

/** The value of one field, undefined for one that is left out. */
function valueOf({ kind, required, max_length, options, files }: Control, text: string): Found {
  if (kind === 'checkbox') return { value: text === 'true' }
  const entries = files ? readEntries(text) : []
  if (text.trim() === '' || (files && entries.length === 0))
    return required ? { fault: { key: 'required' } } : { value: undefined }
  if (files) {
    const fault = faultOfFiles(files, entries)
    if (fault) return { fault }
    const sent = entries.map(sentFile)
    return { value: kind === 'file' ? sent[0] : sent }
  }
  if (kind === 'number')
    return Number.isFinite(Number(text)) ? { value: Number(text) } : { fault: { key: 'notNumber' } }
  if (kind === 'select')
    return options.length > 0 && !options.includes(text)
      ? { fault: { key: 'notOption', given: text, allowed: options.join(', ') } }
      : { value: text }
  if (TEXTS.includes(kind))
    return max_length !== null && [...text].length > max_length
      ? { fault: { key: 'tooLong', max: max_length } }
      : { value: text }
  const parsed = parse(text)
  if (!parsed) return { fault: { key: 'notJson' } }
  return kind === 'json_object' && !isObject(parsed.value) ? { fault: { key: 'notObject' } } : parsed
}

/** The interface has defaults as text, so a default that is JSON may come as its text. */
const initialOf = (value: unknown, kind: string): string =>
  value === null || (typeof value === 'string' && isJsonKind(kind)) ? (value ?? '') : typed(value, kind)

function typed(value: unknown, kind: string): string {
  if (value === undefined || (value === null && (!isJsonKind(kind) || kind === 'json_object'))) return ''
  if (kind === 'checkbox') return String(value === true || value === 'true' || value === 1)
  if (FILES.includes(kind)) {
    const entries = entriesOf(value)
    return entries.length === 0 ? '' : JSON.stringify(entries)
  }
  if (TEXTS.includes(kind) && typeof value !== 'object') return String(value)
  return JSON.stringify(value, null, 2)
}

/** A variable may have any name, `__proto__` too. */
function put(inputs: Record<string, unknown>, variable: string, value: unknown): void {
  Object.defineProperty(inputs, variable, { value, enumerable: true, configurable: true, writable: true })
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(value: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(value) as unknown }
  } catch {
    return null
  }
}
