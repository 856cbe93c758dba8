import type { Run } from '#contract/console/runs.ts'
import type { AppParameters } from '#contract/platform/appParameters.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { ENTRY_BY_KEY_KIND } from '../../runs/runEntries.ts'
import { findFilesError, type FileRule, toUploadRule, toFileInput } from '../../runs/inputs/inputFiles.ts'
import {
  toFieldView,
  type InputField,
  toInputFields,
  type FieldErrors,
  type FormValues,
  parseInputs,
  JSON_VIEW_KEY,
} from '../../runs/inputs/inputFields.ts'
import type { BoardInput } from '../board.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'

/** The input that the question fills in if an app is not a chat. */
export const QUESTION_FIELD = 'query'

/** What an app can be asked. */
export interface AppForm {
  entry: Run['entry']
  fields: InputField[]
  /** Its inputs in addition to the question; null if it does not declare any. */
  files: FileRule | null
}

export const getRunEntry = ({ kind }: Key): Run['entry'] => ENTRY_BY_KEY_KIND[kind === 'knowledge' ? 'chat' : kind]

export const toAppForm = (app: Key, parameters: AppParameters | undefined): AppForm => ({
  entry: getRunEntry(app),
  fields: toInputFields(parameters),
  files: toUploadRule(parameters),
})

/** Whether the question reaches this app: as such, or as the input that is called so. */
export const takesQuestion = ({ entry, fields }: AppForm): boolean =>
  entry === 'chat.send' || fields.some(({ variable }) => variable === QUESTION_FIELD)

/** A file may be sent with any question, by its URL, even if the app does not declare it. */
export const takesFiles = ({ entry, files }: AppForm): boolean => entry === 'chat.send' || files !== null

/** The inputs of several apps as one form: inputs with the same name are shared. */
export function listCommonFields(forms: readonly AppForm[]): InputField[] {
  const found = new Map<string, InputField>()
  for (const control of forms.flatMap(listInputFields)) {
    const former = found.get(control.variable)
    found.set(control.variable, former ? { ...former, required: former.required || control.required } : control)
  }
  return [...found.values()]
}

/** The inputs in the form, without the question, which has its own field. */
const listInputFields = ({ entry, fields }: AppForm): InputField[] =>
  entry === 'chat.send' ? fields : fields.filter(({ variable }) => variable !== QUESTION_FIELD)

export interface CellRequest {
  body: Record<string, unknown>
  /** What keeps it from being sent, by variable. */
  errors: FieldErrors
  missing: 'needsQuery' | 'needsInput' | 'needsUser' | null
}

export interface CellRequestOptions {
  user: string
  response_mode: 'streaming' | 'blocking'
  /** The form that was filled in, for all apps: an input of another app's form stays at home. */
  commonFields: readonly InputField[]
}

/** The request to one app, from its own request or the common one. */
export function toCellRequest(
  form: AppForm,
  input: BoardInput,
  { user, response_mode, commonFields }: CellRequestOptions,
): CellRequest {
  const isChat = form.entry === 'chat.send'
  const fields = listInputFields(form)
  const { inputs: ownValues, errors } = parseInputs(fields, pickFormValues(fields, commonFields, input.filled))
  const question = isChat ? undefined : form.fields.find(({ variable }) => variable === QUESTION_FIELD)
  const queryText = question ? parseInputs([question], { [QUESTION_FIELD]: input.query }) : { inputs: {}, errors: {} }
  const inputs = { ...queryText.inputs, ...ownValues }
  const isSilent = isChat
    ? input.query.trim() === ''
    : queryText.errors[QUESTION_FIELD]?.key === 'required' && !(QUESTION_FIELD in ownValues)
  const files = takesFiles(form) ? input.files : []
  const fileError = form.files ? findFilesError(form.files, files) : null
  const isEmpty = form.entry === 'completion.send' && Object.keys(inputs).length === 0
  return {
    body: {
      // A title costs a model call, and that of a round is never read.
      ...(isChat ? { query: input.query, auto_generate_name: false } : {}),
      inputs,
      user: user.trim(),
      response_mode,
      ...(files.length > 0 ? { files: files.map(toFileInput) } : {}),
    },
    errors: {
      ...errors,
      ...(isSilent || QUESTION_FIELD in ownValues ? {} : queryText.errors),
      ...(fileError ? { files: { ...fileError, label: 'files' } } : {}),
    },
    missing: isSilent ? 'needsQuery' : user.trim() === '' ? 'needsUser' : isEmpty ? 'needsInput' : null,
  }
}

/** Of what was typed for all, what this app's form names, and what no form names. */
function pickFormValues(
  fields: readonly InputField[],
  commonFields: readonly InputField[],
  formValues: FormValues,
): FormValues {
  const names = new Set(fields.map(({ variable }) => variable))
  const others = new Set(commonFields.map(({ variable }) => variable).filter((name) => !names.has(name)))
  const kept = <Value>(values: Record<string, Value>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !others.has(name)))
  // Input that is not a JSON object is passed on, and refused with its own error.
  if (formValues[JSON_VIEW_KEY] === undefined || toFieldView(fields, formValues) === null) return kept(formValues)
  return {
    [JSON_VIEW_KEY]: JSON.stringify(kept(parseLosslessJson(formValues[JSON_VIEW_KEY]) as Record<string, unknown>)),
  }
}
