import type { Key } from '#contract/console.ts'
import type { Run } from '#contract/runs.ts'
import type { Parameters } from '#contract/workflows.ts'
import { ENTRY_OF } from '../../run/entries.ts'
import { faultOfFiles, type FileRule, ruleOfUpload, sentFile } from '../../run/files.ts'
import { asFields, type Control, controlsOf, type Faults, type Filled, inputsOf, WHOLE } from '../../run/inputs.ts'
import type { Asked } from './board.ts'

/** The input that the question fills in where an app is no chat. */
export const QUESTION = 'query'

/** What an app can be asked. */
export interface AppForm {
  entry: Run['entry']
  controls: Control[]
  /** What it takes beside the inputs; null where it does not say that it takes any. */
  files: FileRule | null
}

export const entryOf = ({ kind }: Key): Run['entry'] => ENTRY_OF[kind === 'knowledge' ? 'chat' : kind]

export const formOf = (app: Key, parameters: Parameters | undefined): AppForm => ({
  entry: entryOf(app),
  controls: controlsOf(parameters),
  files: ruleOfUpload(parameters),
})

/** Whether the question reaches this app: as such, or as the input that is called so. */
export const takesQuestion = ({ entry, controls }: AppForm): boolean =>
  entry === 'chat.send' || controls.some(({ variable }) => variable === QUESTION)

/** A file may stand beside any question, by its URL, though the app does not say that it takes one. */
export const takesFiles = ({ entry, files }: AppForm): boolean => entry === 'chat.send' || files !== null

/** The inputs of several apps as one form: what two of them call by one name is asked once. */
export function commonControls(forms: readonly AppForm[]): Control[] {
  const found = new Map<string, Control>()
  for (const control of forms.flatMap(inputControls)) {
    const former = found.get(control.variable)
    found.set(control.variable, former ? { ...former, required: former.required || control.required } : control)
  }
  return [...found.values()]
}

/** The inputs that stand in the form: the question has a field of its own. */
const inputControls = ({ entry, controls }: AppForm): Control[] =>
  entry === 'chat.send' ? controls : controls.filter(({ variable }) => variable !== QUESTION)

export interface Request {
  body: Record<string, unknown>
  /** What keeps it from being sent, by variable. */
  faults: Faults
  lack: 'needsQuery' | 'needsInput' | 'needsUser' | null
}

export interface Terms {
  user: string
  response_mode: 'streaming' | 'blocking'
  /** The form that was filled in, for all apps: an input of another app's form stays at home. */
  common: readonly Control[]
}

/** The request to one app, of what is asked of it alone or of all. */
export function requestOf(form: AppForm, asked: Asked, { user, response_mode, common }: Terms): Request {
  const isChat = form.entry === 'chat.send'
  const controls = inputControls(form)
  const { inputs: typed, faults } = inputsOf(controls, ownOf(controls, common, asked.filled))
  const question = isChat ? undefined : form.controls.find(({ variable }) => variable === QUESTION)
  const said = question ? inputsOf([question], { [QUESTION]: asked.query }) : { inputs: {}, faults: {} }
  const inputs = { ...said.inputs, ...typed }
  const isSilent = isChat
    ? asked.query.trim() === ''
    : said.faults[QUESTION]?.key === 'required' && !(QUESTION in typed)
  const files = takesFiles(form) ? asked.files : []
  const fileFault = form.files ? faultOfFiles(form.files, files) : null
  const isEmpty = form.entry === 'completion.send' && Object.keys(inputs).length === 0
  return {
    body: {
      // A title costs a call of the model, and nobody reads that of a round.
      ...(isChat ? { query: asked.query, auto_generate_name: false } : {}),
      inputs,
      user: user.trim(),
      response_mode,
      ...(files.length > 0 ? { files: files.map(sentFile) } : {}),
    },
    faults: {
      ...faults,
      ...(isSilent || QUESTION in typed ? {} : said.faults),
      ...(fileFault ? { files: { ...fileFault, label: 'files' } } : {}),
    },
    lack: isSilent ? 'needsQuery' : user.trim() === '' ? 'needsUser' : isEmpty ? 'needsInput' : null,
  }
}

/** Of what was typed for all, what this app's form names, and what no form names. */
function ownOf(controls: readonly Control[], common: readonly Control[], filled: Filled): Filled {
  const names = new Set(controls.map(({ variable }) => variable))
  const others = new Set(common.map(({ variable }) => variable).filter((name) => !names.has(name)))
  const kept = <Value>(values: Record<string, Value>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !others.has(name)))
  // What is no JSON object goes on as it is, to be refused by its own fault.
  if (filled[WHOLE] === undefined || asFields(controls, filled) === null) return kept(filled)
  return { [WHOLE]: JSON.stringify(kept(JSON.parse(filled[WHOLE]) as Record<string, unknown>)) }
}
