import type { FormAction, FormField, FormOutcome, RunForm } from '#contract/console/forms.ts'
import { asId, asList, asNumber, asRecord, asText } from '../stream/untrustedJson.ts'
import type { RunState } from './runState.ts'

const FILE_KINDS = ['file', 'file-list']
const PAUSE_REASON = 'human_input_required'

/** The forms of a run, in the order in which they were requested: from its events, or from the reasons of its pause. */
export function listRunForms(run: RunState): RunForm[] {
  return listFormRecords(run).map((record) => toRunForm(record, run))
}

/** The forms that the run waits for. */
export const listPendingForms = (run: RunState): RunForm[] => listRunForms(run).filter(({ is_pending }) => is_pending)

/** The token that answers a form. It stays on the server. Null if the form has none or is not part of the run. */
export function findFormToken(run: RunState, form_id: string): string | null {
  const record = listFormRecords(run).find((one) => one.form_id === form_id)
  return asId(record?.form_token)
}

/** A form's definition as the platform returns it to the holder of its token (`GET /form/human_input/{form_token}`). */
export function applyPlatformDefinition(form: RunForm, reply: Record<string, unknown>): RunForm {
  const definition = readDefinition({ ...reply, actions: reply.user_actions ?? reply.actions })
  return { ...form, ...definition }
}

type FormRecord = Record<string, unknown> & { form_id: string }

/** A blocking reply has no form events; the reasons of its pause hold the same data. */
function listFormRecords(run: RunState): FormRecord[] {
  const records = new Map<string, FormRecord>()
  for (const given of [...run.forms, ...listFormReasons(run)]) {
    const form_id = asId(given.form_id)
    if (form_id !== null) records.set(form_id, { ...given, ...records.get(form_id), form_id })
  }
  return [...records.values()]
}

const listFormReasons = (run: RunState): Record<string, unknown>[] =>
  asList(run.paused?.reasons)
    .map((reason) => asRecord(reason) ?? {})
    .filter(({ TYPE, form_id }) => TYPE === PAUSE_REASON && asId(form_id) !== null)

function toRunForm(record: FormRecord, run: RunState): RunForm {
  const node_id = asId(record.node_id)
  const outcome = readOutcome(record, run)
  const reasons = listFormReasons(run)
  const isNamed = reasons.length === 0 || reasons.some(({ form_id }) => form_id === record.form_id)
  return {
    form_id: record.form_id,
    node_id,
    node_title: asId(record.node_title) ?? node_id ?? record.form_id,
    ...readDefinition(record),
    can_answer: asId(record.form_token) !== null,
    channels: readTexts(record.approval_channels),
    is_pending: run.paused !== null && outcome === null && isNamed,
    outcome,
  }
}

function readDefinition(
  record: Record<string, unknown>,
): Pick<RunForm, 'content' | 'fields' | 'actions' | 'expires_at'> {
  const resolved = asRecord(record.resolved_default_values) ?? {}
  const expiresAt = asNumber(record.expiration_time)
  return {
    content: asText(record.form_content) ?? '',
    fields: asList(record.inputs).flatMap((input) => toField(asRecord(input) ?? {}, resolved)),
    actions: asList(record.actions).flatMap((action) => toAction(asRecord(action) ?? {})),
    expires_at: expiresAt !== null && expiresAt > 0 ? toIsoTime(expiresAt) : null,
  }
}

/** The first second of the year 10000: later times have another text form, which a database does not read. */
const END_OF_TIMES = 253_402_300_800

/** Null for a time that does not have the usual text form. */
const toIsoTime = (seconds: number): string | null =>
  seconds < END_OF_TIMES ? new Date(seconds * 1000).toISOString() : null

function toField(input: Record<string, unknown>, resolved: Record<string, unknown>): FormField[] {
  const name = asId(input.output_variable_name)
  if (name === null) return []
  const kind = asId(input.type) ?? 'paragraph'
  const preset = asRecord(input.default)
  const isVariable = preset?.type === 'variable'
  const initial = (isVariable ? asText(resolved[name]) : asText(preset?.value)) ?? ''
  const source = asRecord(input.option_source)
  const limit = asNumber(input.number_limits)
  return [
    {
      name,
      kind,
      initial,
      options: asList(source?.value).filter((option) => typeof option === 'string'),
      files: FILE_KINDS.includes(kind)
        ? {
            types: readTexts(input.allowed_file_types),
            extensions: readTexts(input.allowed_file_extensions),
            methods: readTexts(input.allowed_file_upload_methods),
            maxFiles: kind === 'file' ? 1 : limit !== null && limit > 0 ? limit : null,
          }
        : null,
    },
  ]
}

const readTexts = (value: unknown): string[] => asList(value).filter((one) => typeof one === 'string')

function toAction(action: Record<string, unknown>): FormAction[] {
  const id = asId(action.id)
  return id === null ? [] : [{ id, title: asId(action.title) ?? id, style: asId(action.button_style) ?? 'default' }]
}

/** Platforms may report the end by an event; released ones only finish the node, with the action among its outputs. */
function readOutcome(record: FormRecord, run: RunState): FormOutcome | null {
  if (record.event === 'human_input_form_timeout')
    return { has_expired: true, action_id: null, action_title: null, inputs: {} }
  if (record.event === 'human_input_form_filled')
    return {
      has_expired: false,
      action_id: asId(record.action_id),
      action_title: asId(record.action_text),
      inputs: asRecord(record.submitted_data) ?? {},
    }
  const found = findNodeOutputs(run, asId(record.node_id))
  if (!found || !('__action_id' in found)) return null
  const action_id = asId(found.__action_id)
  const inputs = Object.fromEntries(Object.entries(found).filter(([name]) => !name.startsWith('__')))
  return { has_expired: action_id === null, action_id, action_title: asId(found.__action_value), inputs }
}

function findNodeOutputs(run: RunState, node_id: string | null): Record<string, unknown> | null {
  const node = node_id === null ? undefined : run.nodes.findLast((one) => one.node_id === node_id)
  return asRecord(node?.outputs)
}

/** An invalid value of an answer: the field (`action` for the button) and the reason. */
export interface FormAnswerError {
  field: string
  error: 'missing' | 'unexpected' | 'not_text' | 'not_option' | 'not_file' | 'too_many_files' | 'unknown_action'
}

/**
 * Checks an answer against the form's definition: every field has a value of its kind, options are among those
 * listed, and the action exists. A text may be empty, as on the platform.
 */
export function findAnswerErrors(
  form: Pick<RunForm, 'fields' | 'actions'>,
  { inputs, action }: { inputs: Record<string, unknown>; action: string },
): FormAnswerError[] {
  const errors: FormAnswerError[] = form.fields.flatMap((field) => {
    const error = findValueError(field, Object.hasOwn(inputs, field.name) ? inputs[field.name] : undefined)
    return error ? [{ field: field.name, error }] : []
  })
  const names = new Set(form.fields.map(({ name }) => name))
  for (const name of Object.keys(inputs)) if (!names.has(name)) errors.push({ field: name, error: 'unexpected' })
  if (!form.actions.some(({ id }) => id === action)) errors.push({ field: 'action', error: 'unknown_action' })
  return errors
}

function findValueError({ kind, options, files }: FormField, value: unknown): FormAnswerError['error'] | null {
  if (value === undefined || value === null) return 'missing'
  if (kind === 'file') return isFileInput(value) ? null : 'not_file'
  if (kind === 'file-list') {
    if (!Array.isArray(value) || !value.every(isFileInput)) return 'not_file'
    if (value.length === 0) return 'missing'
    return files?.maxFiles != null && value.length > files.maxFiles ? 'too_many_files' : null
  }
  if (typeof value !== 'string') return 'not_text'
  if (kind !== 'select') return null
  if (value === '') return 'missing'
  return options.length > 0 && !options.includes(value) ? 'not_option' : null
}

const isFileInput = (value: unknown): boolean => {
  const file = asRecord(value)
  return asId(file?.type) !== null && (asId(file?.url) ?? asId(file?.upload_file_id)) !== null
}

/** A part of a form's content: Markdown, or the place of a field. */
export type FormContentPart = { kind: 'text'; text: string } | { kind: 'field'; field: FormField }

const FIELD_PLACE = /\{\{#\$output\.([^#}]+)#\}\}/g

/** The content with its fields in place, each once; fields that it does not mention follow at the end. */
export function splitFormContent(form: Pick<RunForm, 'content' | 'fields'>): FormContentPart[] {
  const parts: FormContentPart[] = []
  const left = new Map(form.fields.map((field) => [field.name, field]))
  let start = 0
  for (const match of form.content.matchAll(FIELD_PLACE)) {
    const field = left.get(match[1] ?? '')
    if (!field) continue
    left.delete(field.name)
    parts.push({ kind: 'text', text: form.content.slice(start, match.index) }, { kind: 'field', field })
    start = match.index + match[0].length
  }
  parts.push({ kind: 'text', text: form.content.slice(start) })
  for (const field of left.values()) parts.push({ kind: 'field', field })
  return parts.filter((part) => part.kind === 'field' || part.text.trim() !== '')
}
