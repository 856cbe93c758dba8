import { contract } from '#contract/index.ts'
import {
  Control,
  ImageUpload,
  Parameters,
  SystemParameters,
  TextInput,
  WorkflowRun,
  WorkflowRunDetail,
} from './fieldTables.ts'
import { checkRunStream, checkStream } from './streamChecks.ts'
import { readPath, readList, toRequest, type ConformanceSuite } from './conformanceSuite.ts'

const { run, readRun, parameters } = contract.workflows
const APP_KINDS = ['workflow', 'chat', 'completion'] as const

/** Operations 11 to 13: reads the form first, and fills it in. */
export async function checkWorkflows(suite: ConformanceSuite): Promise<void> {
  for (const key of APP_KINDS) await checkForm(suite, key)
  const read = await suite.send(toRequest(parameters, { key: 'workflow' }))
  const controls = readList(read.body, 'user_input_form').map(toFormField)
  const inputs = Object.fromEntries(controls.map((control) => [control.variable, toValidValue(control)]))
  const user = 'conformance'

  const reply = await suite.expectReply('11 run workflow', run, {
    body: { inputs, user, response_mode: 'blocking', files: [] },
  })
  suite.expectFields('11 run workflow: its ids', { workflow_run_id: 'uuid', task_id: 'uuid', data: 'object' }, reply)
  suite.expectFields('11 run workflow: fields of its data', WorkflowRun, readPath(reply, 'data'))
  suite.expectEqual('11 run workflow: it succeeds', readPath(reply, 'data', 'status'), 'succeeded')
  suite.expectEqual('11 run workflow: its id', readPath(reply, 'data', 'id'), readPath(reply, 'workflow_run_id'))
  await checkRunDetail(suite, readPath(reply, 'data'), inputs)

  const events = await checkStream(suite, '11 workflow stream', run, {
    body: { inputs, user, response_mode: 'streaming' },
  })
  checkRunStream(suite, '11 workflow stream', events)
  suite.expectEqual('11 workflow stream: it succeeds', readPath(events.at(-1), 'data', 'status'), 'succeeded')
  await checkRunDetail(suite, readPath(events.at(-1), 'data'), inputs)

  await checkWrongInputs(suite, controls, inputs)
  const wrongApp = { body: { inputs, user, response_mode: 'blocking' }, key: 'chat' as const }
  await suite.expectRefusal('11 run workflow: the key of a chat', toRequest(run, wrongApp), 400, 'not_workflow_app')
}

/** The record of operation 12 must match the final state of the run. */
async function checkRunDetail(suite: ConformanceSuite, ended: unknown, inputs: Record<string, unknown>): Promise<void> {
  const params = { workflow_run_id: String(readPath(ended, 'id')) }
  const read = await suite.expectReply('12 read run', readRun, { params, key: 'workflow' })
  suite.expectFields('12 read run: its fields', WorkflowRunDetail, read)
  for (const field of ['id', 'workflow_id', 'status', 'outputs', 'total_steps', 'created_at', 'finished_at'])
    suite.expectEqual(`12 read run: ${field} as it ended`, readPath(read, field), readPath(ended, field))
  const runDetail = JSON.parse(String(readPath(read, 'inputs'))) as Record<string, unknown>
  suite.expectEqual(
    '12 read run: its inputs',
    Object.keys(inputs).map((name) => runDetail[name]),
    Object.values(inputs),
  )
}

async function checkForm(suite: ConformanceSuite, key: (typeof APP_KINDS)[number]): Promise<void> {
  const name = `13 read parameters of the ${key}`
  const read = await suite.expectReply(name, parameters, { key })
  suite.expectFields(`${name}: its fields`, Parameters, read)
  suite.expectFields(`${name}: file_upload.image`, ImageUpload, readPath(read, 'file_upload', 'image'))
  suite.expectFields(`${name}: system_parameters`, SystemParameters, readPath(read, 'system_parameters'))
  for (const item of readList(read, 'user_input_form')) {
    suite.expectEqual(`${name}: a control has one kind`, Object.keys(item as object).length, 1)
    const { kind, variable, control } = toFormField(item)
    suite.expectFields(`${name}: fields of ${variable}`, kind === 'text-input' ? TextInput : Control, control)
  }
}

interface FormField {
  kind: string
  variable: string
  control: unknown
}

function toFormField(item: unknown): FormField {
  const [kind = '', control] = Object.entries(item as Record<string, unknown>)[0] ?? []
  return { kind, variable: String(readPath(control, 'variable')), control }
}

const REMOTE_FILE = { type: 'document', transfer_method: 'remote_url', url: 'https://example.org/teas.pdf' }

function toValidValue({ kind, control }: FormField): unknown {
  if (kind === 'number') return 2
  if (kind === 'checkbox') return false
  if (kind === 'select') return readPath(control, 'options', 0)
  if (kind === 'json_object') return { a: 1 }
  if (kind === 'file') return REMOTE_FILE
  return kind === 'file-list' ? [REMOTE_FILE] : 'How is green tea steeped?'
}

/** An invalid value for a control of the kind. */
const WRONG_VALUE_BY_KIND: Record<string, unknown> = {
  'text-input': 1,
  paragraph: { a: 1 },
  select: 'no option of it',
  number: 'many',
  checkbox: 'perhaps',
  json_object: 'text',
  file: 'text',
  'file-list': 'text',
}

async function checkWrongInputs(
  suite: ConformanceSuite,
  controls: FormField[],
  inputs: Record<string, unknown>,
): Promise<void> {
  const createRequest = (spoiled: object) =>
    toRequest(run, { body: { inputs: spoiled, user: 'conformance', response_mode: 'streaming' } })
  for (const { kind, variable, control } of controls) {
    const { [variable]: _, ...without } = inputs
    if (readPath(control, 'required') === true)
      await suite.expectRefusal(
        `11 run workflow: without the input ${variable}`,
        createRequest(without),
        400,
        'invalid_param',
      )
    const wrong = createRequest({ ...inputs, [variable]: WRONG_VALUE_BY_KIND[kind] })
    await suite.expectRefusal(`11 run workflow: a wrong ${kind}`, wrong, 400, 'invalid_param')
    const validInputs = readPath(control, 'max_length')
    if (kind !== 'paragraph' || typeof validInputs !== 'number') continue
    const long = createRequest({ ...inputs, [variable]: 'x'.repeat(validInputs + 1) })
    await suite.expectRefusal(`11 run workflow: ${variable} too long`, long, 400, 'invalid_param')
  }
  const more = { inputs: { ...inputs, undeclared: 1 }, user: 'conformance', response_mode: 'blocking' }
  await suite.expectReply('11 run workflow, with an input that is not declared', run, { body: more })
}
