import type { Parameters } from '#contract/workflows.ts'

/** One control of an app's form (`user_input_form` of operation 13). A kind that is not known is filled in as JSON. */
export interface Control {
  kind: string
  variable: string
  label: string
  required: boolean
  hidden: boolean
  max_length: number | null
  options: string[]
  initial: string
}

/** The values of a form as a person typed them, by variable. */
export type Filled = Record<string, string>

export const KNOWN_KINDS = ['text-input', 'paragraph', 'select', 'number', 'checkbox']

export function controlsOf(parameters: Parameters | undefined): Control[] {
  return (parameters?.user_input_form ?? []).flatMap((item) =>
    Object.entries(item).flatMap(([kind, control]): Control[] => {
      if (!control.variable) return []
      return [
        {
          kind,
          variable: control.variable,
          label: control.label || control.variable,
          required: control.required ?? false,
          hidden: control.hide ?? false,
          max_length: control.max_length && control.max_length > 0 ? control.max_length : null,
          options: control.options ?? [],
          initial: typed(control.default, kind),
        },
      ]
    }),
  )
}

/** What is wrong with a form: a message of the room and its values, by variable. */
export type Faults = Record<
  string,
  { key: 'required' | 'tooLong' | 'notNumber' | 'notJson'; label: string; max?: number }
>

/** The `inputs` of the request, or what keeps them from being sent. Empty fields that nobody asks for are left out. */
export function inputsOf(
  controls: readonly Control[],
  filled: Filled,
): { inputs: Record<string, unknown>; faults: Faults } {
  const inputs: Record<string, unknown> = {}
  const faults: Faults = {}
  for (const control of controls) {
    const { kind, variable, label, max_length } = control
    const value = filled[variable] ?? control.initial
    if (kind === 'checkbox') inputs[variable] = value === 'true'
    else if (value.trim() === '') {
      if (control.required) faults[variable] = { key: 'required', label }
    } else if (kind === 'number') {
      if (Number.isFinite(Number(value))) inputs[variable] = Number(value)
      else faults[variable] = { key: 'notNumber', label }
    } else if (KNOWN_KINDS.includes(kind)) {
      if (max_length !== null && [...value].length > max_length)
        faults[variable] = { key: 'tooLong', label, max: max_length }
      else inputs[variable] = value
    } else {
      const parsed = parse(value)
      if (parsed) inputs[variable] = parsed.value
      else faults[variable] = { key: 'notJson', label }
    }
  }
  return { inputs, faults }
}

/** The form as a former request had filled it in. */
export function filledFrom(controls: readonly Control[], inputs: Record<string, unknown>): Filled {
  return Object.fromEntries(
    controls.flatMap(({ variable, kind }) => (variable in inputs ? [[variable, typed(inputs[variable], kind)]] : [])),
  )
}

function typed(value: unknown, kind: string): string {
  if (value === null || value === undefined) return ''
  if (kind === 'checkbox') return String(value === true || value === 'true' || value === 1)
  if (KNOWN_KINDS.includes(kind) && typeof value !== 'object') return String(value)
  return typeof value === 'string' && KNOWN_KINDS.includes(kind) ? value : JSON.stringify(value, null, 2)
}

function parse(value: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(value) as unknown }
  } catch {
    return null
  }
}
