import {
  TIMEOUT_EDGE,
  type FormAction,
  type FormField,
  type ValueSelector,
  type WorkflowNodeByType,
} from './workflowGraph.ts'
import type { NodeOutcome } from './nodeScope.ts'
import { fillFormContent, renderFormContent, toDisplayText } from './promptTemplate.ts'

/** A form as stored and shown, with the values of the run filled in. `timeout_ms` is the time to answer it. */
export interface PreparedForm {
  node_id: string
  node_title: string
  form_content: string
  inputs: FormField[]
  actions: FormAction[]
  /** The initial values that come from the run, by the name of the field. */
  resolved_default_values: Record<string, string>
  timeout_ms: number
}

const UNIT_MS = { hour: 3_600_000, day: 86_400_000 }

export function prepareForm(
  node: WorkflowNodeByType<'human-input'>,
  read: (selector: ValueSelector) => unknown,
): PreparedForm {
  return {
    node_id: node.id,
    node_title: node.title,
    form_content: renderFormContent(node.form_content, (name) => read(name.split('.'))),
    inputs: node.inputs,
    actions: node.actions,
    resolved_default_values: Object.fromEntries(
      node.inputs.flatMap((field) =>
        'default' in field && field.default?.type === 'variable'
          ? [[field.output_variable_name, toDisplayText(read(field.default.selector))]]
          : [],
      ),
    ),
    timeout_ms: node.timeout * UNIT_MS[node.timeout_unit],
  }
}

/** The answer to a form. `action` is null if it was not answered in time; it then has no values. */
export interface FormSubmission {
  node_id: string
  form_content: string
  inputs: readonly FormField[]
  action: FormAction | null
  values: Record<string, unknown>
}

const VALUE_TYPES = { paragraph: 'string', select: 'string', file: 'file', 'file-list': 'array[file]' }

/** The result of the node that waited. Its outgoing edge is the chosen action, or the timeout. */
export function toSubmissionOutcome({ form_content, inputs, action, values }: FormSubmission): NodeOutcome {
  return {
    inputs: Object.fromEntries(
      inputs
        .filter(({ output_variable_name: name }) => Object.hasOwn(values, name))
        .map(({ output_variable_name: name, type }) => [name, { value_type: VALUE_TYPES[type], value: values[name] }]),
    ),
    outputs: {
      ...values,
      __action_id: action?.id ?? '',
      __action_value: action?.title ?? '',
      __rendered_content: renderSubmission({ form_content, values }),
    },
    edgeName: action?.id ?? TIMEOUT_EDGE,
  }
}

/** The content of a form with the submitted values; files are shown by name. */
export const renderSubmission = ({ form_content, values }: Pick<FormSubmission, 'form_content' | 'values'>): string =>
  fillFormContent(
    form_content,
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toFileNames(value) ?? value])),
  )

const isFile = (value: unknown): value is { filename: string } =>
  typeof value === 'object' && value !== null && 'filename' in value

function toFileNames(value: unknown): string | null {
  if (isFile(value)) return value.filename
  return Array.isArray(value) && value.every(isFile) ? value.map(({ filename }) => filename).join(', ') : null
}
