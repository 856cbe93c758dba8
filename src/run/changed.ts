import { asFields, type Control, type Filled, WHOLE } from './inputs.ts'

/** The variables whose value is another than a former form had; all that is compared is what was typed. */
export function changedIn(controls: readonly Control[], before: Filled, after: Filled): string[] {
  const now = after[WHOLE] === undefined ? after : (asFields(controls, after) ?? {})
  const initial = new Map(controls.map((control) => [control.variable, control.initial]))
  const names = new Set([...initial.keys(), ...Object.keys(before), ...Object.keys(now)])
  return [...names].filter((name) => (before[name] ?? initial.get(name)) !== (now[name] ?? initial.get(name)))
}
