import type { FormField, RunForm } from '#contract/console/forms.ts'
import type { FieldErrors, FormValues, InputField } from '../inputs/inputFields.ts'
import { findFilesError, normalizeExtensions, parseFileEntries, toFileInput } from '../inputs/inputFiles.ts'

/**
 * A field of a form as a control of the inputs form. An unknown kind is answered as text, and so is a choice whose options
 * only the platform knows.
 */
export const toInputControl = ({ name, kind, initial, options, files }: FormField): InputField => ({
  kind: files === null && !isChoice({ kind, options }) ? 'paragraph' : kind,
  variable: name,
  label: name,
  description: '',
  required: true,
  hidden: false,
  max_length: null,
  options,
  initial: isChoice({ kind, options }) && !options.includes(initial) ? '' : initial,
  files: files && { ...files, extensions: normalizeExtensions(files.extensions), maxMegabytesByType: {} },
})

const isChoice = ({ kind, options }: Pick<FormField, 'kind' | 'options'>): boolean =>
  kind === 'select' && options.length > 0

/** The `inputs` of an answer, or the errors that block it. A text may be empty; an option and a file are required. */
export function toFormInputs(
  form: Pick<RunForm, 'fields'>,
  values: FormValues,
): { inputs: Record<string, unknown>; errors: FieldErrors } {
  const inputs: Record<string, unknown> = {}
  const errors: FieldErrors = {}
  for (const field of form.fields) {
    const control = toInputControl(field)
    const text = values[field.name] ?? control.initial
    if (control.files) {
      const entries = parseFileEntries(text)
      const error = entries.length === 0 ? { key: 'required' as const } : findFilesError(control.files, entries)
      if (error) errors[field.name] = { ...error, label: field.name }
      const files = entries.map(toFileInput)
      inputs[field.name] = field.kind === 'file' ? files[0] : files
    } else if (field.kind === 'select' && text === '') errors[field.name] = { key: 'required', label: field.name }
    else inputs[field.name] = text
  }
  return { inputs, errors }
}

/** The action of the submit keys: the primary one, or the only one. */
export const findPrimaryAction = ({ actions }: Pick<RunForm, 'actions'>) =>
  actions.find(({ style }) => style === 'primary') ?? (actions.length === 1 ? actions[0] : undefined)
