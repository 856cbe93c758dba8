import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'

/** Binds an input to a form field: the API name is its label, and its error is shown below it. */
export function registerField<Values extends FieldValues, Sent>(
  form: UseFormReturn<Values, unknown, Sent>,
  name: FieldPath<Values>,
) {
  return {
    ...form.register(name),
    label: name.split('.').at(-1),
    error: form.getFieldState(name, form.formState).error?.message,
  }
}
