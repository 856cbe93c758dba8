import { toFieldView, type InputField, type FormValues, JSON_VIEW_KEY } from './inputFields.ts'

/** The variables whose value differs from an earlier form, compared as input text. */
export function listChangedFields(fields: readonly InputField[], before: FormValues, after: FormValues): string[] {
  const now = after[JSON_VIEW_KEY] === undefined ? after : (toFieldView(fields, after) ?? {})
  const initial = new Map(fields.map((control) => [control.variable, control.initial]))
  const names = new Set([...initial.keys(), ...Object.keys(before), ...Object.keys(now)])
  return [...names].filter((name) => (before[name] ?? initial.get(name)) !== (now[name] ?? initial.get(name)))
}
