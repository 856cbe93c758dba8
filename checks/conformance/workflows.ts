import { contract } from '#contract/index.ts'
import {
  Control,
  ImageUpload,
  Parameters,
  SystemParameters,
  TextInput,
  WorkflowRun,
  WorkflowRunDetail,
} from './fields.ts'
import { ran, streams } from './streams.ts'
import { at, listAt, requestOf, type Suite } from './suite.ts'

const { run, readRun, parameters } = contract.workflows
const APPS = ['workflow', 'chat', 'completion'] as const

/** Operations 11 to 13: the form is read first, and filled in as it asks. */
export async function workflows(suite: Suite): Promise<void> {
  for (const key of APPS) await form(suite, key)
  const read = await suite.ask(requestOf(parameters, { key: 'workflow' }))
  const controls = listAt(read.body, 'user_input_form').map(controlOf)
  const inputs = Object.fromEntries(controls.map((control) => [control.variable, valueOf(control)]))
  const user = 'conformance'

  const reply = await suite.answers('11 run workflow', run, {
    body: { inputs, user, response_mode: 'blocking', files: [] },
  })
  suite.fits('11 run workflow: its ids', { workflow_run_id: 'uuid', task_id: 'uuid', data: 'object' }, reply)
  suite.fits('11 run workflow: fields of its data', WorkflowRun, at(reply, 'data'))
  suite.equal('11 run workflow: it succeeds', at(reply, 'data', 'status'), 'succeeded')
  suite.equal('11 run workflow: its id', at(reply, 'data', 'id'), at(reply, 'workflow_run_id'))
  await detail(suite, at(reply, 'data'), inputs)

  const events = await streams(suite, '11 workflow stream', run, { body: { inputs, user, response_mode: 'streaming' } })
  ran(suite, '11 workflow stream', events)
  suite.equal('11 workflow stream: it succeeds', at(events.at(-1), 'data', 'status'), 'succeeded')
  await detail(suite, at(events.at(-1), 'data'), inputs)

  await wrongInputs(suite, controls, inputs)
  const wrongApp = { body: { inputs, user, response_mode: 'blocking' }, key: 'chat' as const }
  await suite.refuses('11 run workflow: the key of a chat', requestOf(run, wrongApp), 400, 'not_workflow_app')
}

/** The run as operation 12 tells it afterwards is the run as it ended. */
async function detail(suite: Suite, ended: unknown, inputs: Record<string, unknown>): Promise<void> {
  const params = { workflow_run_id: String(at(ended, 'id')) }
  const read = await suite.answers('12 read run', readRun, { params, key: 'workflow' })
  suite.fits('12 read run: its fields', WorkflowRunDetail, read)
  for (const field of ['id', 'workflow_id', 'status', 'outputs', 'total_steps', 'created_at', 'finished_at'])
    suite.equal(`12 read run: ${field} as it ended`, at(read, field), at(ended, field))
  const told = JSON.parse(String(at(read, 'inputs'))) as Record<string, unknown>
  suite.equal(
    '12 read run: its inputs',
    Object.keys(inputs).map((name) => told[name]),
    Object.values(inputs),
  )
}

async function form(suite: Suite, key: (typeof APPS)[number]): Promise<void> {
  const name = `13 read parameters of the ${key}`
  const read = await suite.answers(name, parameters, { key })
  suite.fits(`${name}: its fields`, Parameters, read)
  suite.fits(`${name}: file_upload.image`, ImageUpload, at(read, 'file_upload', 'image'))
  suite.fits(`${name}: system_parameters`, SystemParameters, at(read, 'system_parameters'))
  for (const item of listAt(read, 'user_input_form')) {
    suite.equal(`${name}: a control has one kind`, Object.keys(item as object).length, 1)
    const { kind, variable, control } = controlOf(item)
    suite.fits(`${name}: fields of ${variable}`, kind === 'text-input' ? TextInput : Control, control)
  }
}

interface Field {
  kind: string
  variable: string
  control: unknown
}

function controlOf(item: unknown): Field {
  const [kind = '', control] = Object.entries(item as Record<string, unknown>)[0] ?? []
  return { kind, variable: String(at(control, 'variable')), control }
}

const FILE = { type: 'document', transfer_method: 'remote_url', url: 'https://example.org/teas.pdf' }

function valueOf({ kind, control }: Field): unknown {
  if (kind === 'number') return 2
  if (kind === 'checkbox') return false
  if (kind === 'select') return at(control, 'options', 0)
  if (kind === 'json_object') return { a: 1 }
  if (kind === 'file') return FILE
  return kind === 'file-list' ? [FILE] : 'How is green tea steeped?'
}

/** A value that a control of the kind never takes. */
const WRONG: Record<string, unknown> = {
  'text-input': 1,
  paragraph: { a: 1 },
  select: 'no option of it',
  number: 'many',
  checkbox: 'perhaps',
  json_object: 'text',
  file: 'text',
  'file-list': 'text',
}

async function wrongInputs(suite: Suite, controls: Field[], inputs: Record<string, unknown>): Promise<void> {
  const asked = (spoiled: object) =>
    requestOf(run, { body: { inputs: spoiled, user: 'conformance', response_mode: 'streaming' } })
  for (const { kind, variable, control } of controls) {
    const { [variable]: _, ...without } = inputs
    if (at(control, 'required') === true)
      await suite.refuses(`11 run workflow: without the input ${variable}`, asked(without), 400, 'invalid_param')
    const wrong = asked({ ...inputs, [variable]: WRONG[kind] })
    await suite.refuses(`11 run workflow: a wrong ${kind}`, wrong, 400, 'invalid_param')
    const most = at(control, 'max_length')
    if (kind !== 'paragraph' || typeof most !== 'number') continue
    const long = asked({ ...inputs, [variable]: 'x'.repeat(most + 1) })
    await suite.refuses(`11 run workflow: ${variable} too long`, long, 400, 'invalid_param')
  }
  const more = { inputs: { ...inputs, undeclared: 1 }, user: 'conformance', response_mode: 'blocking' }
  await suite.answers('11 run workflow, with an input that is not declared', run, { body: more })
}
