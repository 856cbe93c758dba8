import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { FieldLabel, isFieldName } from './FieldLabel.tsx'

/** Binds an input to a form field, with its label, and its error below it. */
export function registerField<Values extends FieldValues, Sent>(
  form: UseFormReturn<Values, unknown, Sent>,
  name: FieldPath<Values>,
) {
  return {
    ...form.register(name),
    label: renderFieldLabel(name),
    error: form.getFieldState(name, form.formState).error?.message,
  }
}

export function renderFieldLabel(path: string) {
  const name = path.split('.').at(-1) ?? path
  return isFieldName(name) ? <FieldLabel name={name} /> : name
}
