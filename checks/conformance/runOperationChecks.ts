import { contract } from '#contract/index.ts'
import { optionalEndpoints as entries } from '#contract/platform/optionalEndpoints.ts'
import { parseStream, type ConformanceRequest, type StreamEvent } from './conformanceClient.ts'
import { readList, readPath, toRequest, type ConformanceSuite } from './conformanceSuite.ts'
import type { FieldTable } from './fieldTables.ts'

type AppKey = NonNullable<ConformanceRequest['key']>

/** Applications with a form in their graph; a check without one says so and is passed. */
export interface FormApps {
  workflow: AppKey | null
  chatflow: AppKey | null
}

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const user = 'conformance'

const FormFields: FieldTable = {
  form_id: 'string',
  node_id: 'string',
  node_title: 'string',
  form_content: 'string',
  inputs: 'objects',
  actions: 'objects',
  form_token: 'string',
  resolved_default_values: 'object',
  expiration_time: 'integer',
}
const PausedFields: FieldTable = {
  workflow_run_id: 'uuid',
  paused_nodes: 'strings',
  outputs: 'object',
  reasons: 'objects',
  status: 'string',
  created_at: 'integer',
  elapsed_time: 'number',
  total_tokens: 'integer',
  total_steps: 'integer',
}
const VariableFields: FieldTable = {
  id: 'uuid',
  name: 'string',
  value_type: 'string',
  description: 'string',
  created_at: 'integer',
  updated_at: 'integer',
}

/** What the current Service API has for applications beyond the interface, each where it is offered. */
export async function checkRunOperations(suite: ConformanceSuite, apps: FormApps): Promise<void> {
  await checkApp(suite)
  await checkVersions(suite)
  const unknownRun = toRequest(entries.runEvents, {
    params: { workflow_run_id: UNKNOWN_ID },
    query: `user=${user}`,
    key: 'workflow',
  })
  const hasEvents = await suite.isOffered('run events', unknownRun)
  if (!hasEvents) return
  await suite.expectRefusal('run events: an unknown run', unknownRun, 404, 'not_found')
  await checkFinishedRun(suite)
  const token = { params: { form_token: 'A'.repeat(22) }, key: 'workflow' as const }
  await suite.expectRefusal('form: an unknown token', toRequest(entries.readForm, token), 404, 'not_found')
  if (apps.workflow) await checkPause(suite, apps.workflow, 'workflow')
  if (apps.chatflow) {
    const conversation_id = await checkPause(suite, apps.chatflow, 'chatflow')
    await checkVariables(suite, apps.chatflow, conversation_id)
  }
}

async function checkApp(suite: ConformanceSuite): Promise<void> {
  for (const [name, entry] of [
    ['site', entries.readSite],
    ['meta', entries.readMeta],
    ['feedbacks', entries.listFeedbacks],
  ] as const)
    if (await suite.isOffered(name, toRequest(entry, {}))) await suite.expectReply(name, entry)
  const speech = toRequest(entries.textToAudio, { body: { text: 'Tea', user } })
  await suite.isOffered('speech', speech)
  const unknownUser = toRequest(entries.readEndUser, { params: { end_user_id: UNKNOWN_ID } })
  if (!(await suite.isOffered('end users', unknownUser))) return
  await suite.expectRefusal('end users: an unknown one', unknownUser, 404)
  const logs = await suite.send(toRequest(entries.workflowLogs, { key: 'workflow' }))
  const end_user_id = String(readPath(logs.body, 'data', 0, 'created_by_end_user', 'id'))
  const read = await suite.send(toRequest(entries.readEndUser, { params: { end_user_id }, key: 'workflow' }))
  suite.expectEqual('end users: the one of a run', [read.status, readPath(read.body, 'id')], [200, end_user_id])
}

async function checkVersions(suite: ConformanceSuite): Promise<void> {
  const run = (workflow_id: string) =>
    toRequest(entries.runVersion, {
      params: { workflow_id },
      body: { inputs: { query: 'Tea' }, user, response_mode: 'blocking' },
    })
  const unknown = run(UNKNOWN_ID)
  if (!(await suite.isOffered('versions', unknown))) return
  await suite.expectRefusal('versions: an unknown one', unknown, 404, 'not_found')
  await suite.expectRefusal('versions: no id', run('nonsense'), 400, 'bad_request')
  const { body: latest } = await suite.send(toRequest(entries.workflowLogs, { key: 'workflow' }))
  const workflow_run_id = String(readPath(latest, 'data', 0, 'workflow_run', 'id'))
  const detail = await suite.expectReply('versions: a run', contract.workflows.readRun, {
    params: { workflow_run_id },
    key: 'workflow',
  })
  const workflow_id = String(readPath(detail, 'workflow_id'))
  const inputs = JSON.parse(String(readPath(detail, 'inputs'))) as object
  const reply = await suite.expectReply('versions: the one of a run', entries.runVersion, {
    params: { workflow_id },
    body: { inputs, user, response_mode: 'blocking' },
  })
  suite.expectEqual('versions: the run names it', readPath(reply, 'data', 'workflow_id'), workflow_id)
}

async function checkFinishedRun(suite: ConformanceSuite): Promise<void> {
  const { body } = await suite.send(toRequest(entries.workflowLogs, { query: 'status=succeeded', key: 'workflow' }))
  const run = readPath(body, 'data', 0)
  const workflow_run_id = String(readPath(run, 'workflow_run', 'id'))
  const owner = String(readPath(run, 'created_by_end_user', 'session_id'))
  const read = (name: string) =>
    toRequest(entries.runEvents, {
      params: { workflow_run_id },
      query: new URLSearchParams({ user: name }).toString(),
      key: 'workflow',
    })
  await suite.expectRefusal('run events: of another user', read('another'), 404, 'not_found')
  const { events, pings } = parseStream((await suite.send(read(owner))).text)
  suite.expectEqual(
    'run events: a finished run has its end alone',
    [pings, events.map(({ event }) => event), events[0]?.['task_id']],
    [0, ['workflow_finished'], workflow_run_id],
  )
}

/** A run that pauses, is answered and goes on. @returns the conversation of a chatflow */
async function checkPause(suite: ConformanceSuite, key: AppKey, kind: 'workflow' | 'chatflow'): Promise<string> {
  const name = `pause of a ${kind}`
  const parameters = await suite.send(toRequest(contract.workflows.parameters, { key }))
  const inputs = Object.fromEntries(
    readList(parameters.body, 'user_input_form')
      .flatMap((item) => Object.values(item as Record<string, { variable: string; required?: boolean }>))
      .filter(({ required }) => required)
      .map(({ variable }) => [variable, 'Tea']),
  )
  const started =
    kind === 'workflow'
      ? toRequest(contract.workflows.run, { body: { inputs, user, response_mode: 'streaming' }, key })
      : toRequest(contract.chat.send, { body: { inputs, query: 'Tea?', user, response_mode: 'streaming' }, key })
  const { events } = parseStream((await suite.send(started)).text)
  suite.expectEqual(`${name}: the last event`, events.at(-1)?.['event'], 'workflow_paused')
  const required = events.find(({ event }) => event === 'human_input_required')
  suite.expectFields(`${name}: fields of the form`, FormFields, readPath(required, 'data'))
  suite.expectFields(`${name}: fields of the pause`, PausedFields, readPath(events.at(-1), 'data'))
  const workflow_run_id = String(events[0]?.['workflow_run_id'])
  const detail = await suite.expectReply(`${name}: its record`, contract.workflows.readRun, {
    params: { workflow_run_id },
    key,
  })
  suite.expectEqual(`${name}: its status`, readPath(detail, 'status'), 'paused')
  await checkAnswer(suite, name, { key, workflow_run_id, form: readPath(required, 'data') })
  return String(events[0]?.['conversation_id'] ?? '')
}

async function checkAnswer(
  suite: ConformanceSuite,
  name: string,
  { key, workflow_run_id, form }: { key: AppKey; workflow_run_id: string; form: unknown },
): Promise<void> {
  const params = { form_token: String(readPath(form, 'form_token')) }
  const shown = await suite.expectReply(`${name}: the form`, entries.readForm, { params, key })
  for (const [field, wanted] of [
    ['form_content', readPath(form, 'form_content')],
    ['inputs', readPath(form, 'inputs')],
    ['user_actions', readPath(form, 'actions')],
  ] as const)
    suite.expectEqual(`${name}: ${field} of the form`, readPath(shown, field), wanted)
  const values = Object.fromEntries(readList(form, 'inputs').map((field) => toFieldValue(field)))
  const submit = (body: object) => toRequest(entries.submitForm, { params, body: { user, ...body }, key })
  const action = String(readPath(form, 'actions', 0, 'id'))
  const wrong = submit({ inputs: values, action: 'no-such' })
  await suite.expectRefusal(`${name}: an unknown action`, wrong, 400, 'invalid_form_data')
  if (Object.keys(values).length > 0) {
    const missing = submit({ inputs: {}, action })
    await suite.expectRefusal(`${name}: missing fields`, missing, 400, 'invalid_form_data')
  }
  const snapshot = toRequest(entries.runEvents, {
    params: { workflow_run_id },
    query: `user=${user}&include_state_snapshot=true&continue_on_pause=true`,
    key,
  })
  const reading = suite.send(snapshot)
  await suite.expectReply(`${name}: the answer`, entries.submitForm, {
    params,
    body: { inputs: values, action, user },
    key,
  })
  const { events } = parseStream((await reading).text)
  checkResumption(suite, name, events)
  const again = submit({ inputs: values, action })
  await suite.expectRefusal(`${name}: the answer again`, again, 412, 'human_input_form_submitted')
}

function checkResumption(suite: ConformanceSuite, name: string, events: StreamEvent[]): void {
  const starts = events.filter(({ event }) => event === 'workflow_started')
  suite.expectEqual(
    `${name}: its events begin with the snapshot and go on`,
    starts.map((event) => readPath(event, 'data', 'reason')),
    ['initial', 'resumption'],
  )
  suite.expectEqual(
    `${name}: it succeeds after the answer`,
    [events.at(-1)?.['event'], readPath(events.at(-1), 'data', 'status')],
    ['workflow_finished', 'succeeded'],
  )
}

function toFieldValue(field: unknown): [string, unknown] {
  const name = String(readPath(field, 'output_variable_name'))
  return [name, readPath(field, 'option_source', 'value', 0) ?? 'Some text']
}

async function checkVariables(suite: ConformanceSuite, key: AppKey, conversation_id: string): Promise<void> {
  const list = await suite.expectReply('conversation variables', entries.listConversationVariables, {
    params: { conversation_id },
    query: `user=${user}`,
    key,
  })
  const variables = readList(list, 'data')
  for (const variable of variables) suite.expectFields('conversation variables: fields', VariableFields, variable)
  const text = variables.find((variable) => readPath(variable, 'value_type') === 'string')
  if (!text) return
  const params = { conversation_id, variable_id: String(readPath(text, 'id')) }
  const updated = await suite.expectReply('conversation variable: set', entries.updateConversationVariable, {
    params,
    body: { value: 'set by hand', user },
    key,
  })
  suite.expectEqual('conversation variable: its value', readPath(updated, 'value'), 'set by hand')
  const unfit = toRequest(entries.updateConversationVariable, { params, body: { value: [1], user }, key })
  await suite.expectRefusal('conversation variable: a value of another type', unfit, 400)
}
