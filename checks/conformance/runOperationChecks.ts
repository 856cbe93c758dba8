import { contract } from '#contract/index.ts'
import { optionalEndpoints as entries } from '#contract/platform/optionalEndpoints.ts'
import {
  type ConformanceRequest,
  type ConformanceStep,
  type ConformanceSuite,
  readList,
  readPath,
  readText,
  toRequest,
  UNKNOWN_ID,
  USER,
} from './conformanceSuite.ts'
import { HumanForm, PausedRun, Variable } from './fieldTables.ts'
import { parseStream } from './streamChecks.ts'

type AppKey = NonNullable<ConformanceRequest['key']>

/** Applications with a form in their graph; a check without one says so and is passed. */
export interface FormApps {
  workflow: AppKey | null
  chatflow: AppKey | null
}

/** What the current Service API has for applications beyond the interface, each where it is offered. */
export async function checkRunOperations(suite: ConformanceSuite, apps: FormApps): Promise<void> {
  await checkApp(suite)
  await checkVersions(suite)
  const step = suite.step('run events')
  const unknownRun = toRequest(entries.runEvents, {
    params: { workflow_run_id: UNKNOWN_ID },
    query: `user=${USER}`,
    key: 'workflow',
  })
  if (!(await step.isOffered(unknownRun))) return
  await step.refuses('an unknown run', unknownRun, 404, 'not_found')
  await checkFinishedRun(step)
  const unknownForm = toRequest(entries.readForm, { params: { form_token: 'A'.repeat(22) }, key: 'workflow' })
  await suite.step('form').refuses('an unknown token', unknownForm, 404, 'not_found')
  if (apps.workflow) await checkPause(suite, apps.workflow, 'workflow')
  if (apps.chatflow) {
    const conversation_id = await checkPause(suite, apps.chatflow, 'chatflow')
    await checkVariables(suite, apps.chatflow, conversation_id)
  }
}

async function checkApp(suite: ConformanceSuite): Promise<void> {
  for (const [name, entry] of Object.entries({
    site: entries.readSite,
    meta: entries.readMeta,
    feedbacks: entries.listFeedbacks,
  }))
    if (await suite.step(name).isOffered(toRequest(entry))) await suite.expectReply(name, entry)
  await suite.step('speech').isOffered(toRequest(entries.textToAudio, { body: { text: 'Tea', user: USER } }))
  const step = suite.step('end users')
  const read = (end_user_id: string) => toRequest(entries.readEndUser, { params: { end_user_id } })
  if (!(await step.isOffered(read(UNKNOWN_ID)))) return
  await step.refuses('an unknown one', read(UNKNOWN_ID), 404)
  const logs = await suite.send(toRequest(entries.workflowLogs, { key: 'workflow' }))
  const id = readText(logs.body, 'data', 0, 'created_by_end_user', 'id')
  const { status, body } = await suite.send({ ...read(id), key: 'workflow' })
  step.equal('the one of a run', [status, readPath(body, 'id')], [200, id])
}

async function checkVersions(suite: ConformanceSuite): Promise<void> {
  const step = suite.step('versions')
  const toRun = (workflow_id: string, inputs: object = { query: 'Tea' }) => ({
    params: { workflow_id },
    body: { inputs, user: USER, response_mode: 'blocking' },
  })
  const unknown = toRequest(entries.runVersion, toRun(UNKNOWN_ID))
  if (!(await step.isOffered(unknown))) return
  await step.refuses('an unknown one', unknown, 404, 'not_found')
  await step.refuses('no id', toRequest(entries.runVersion, toRun('nonsense')), 400, 'bad_request')
  const { body: latest } = await suite.send(toRequest(entries.workflowLogs, { key: 'workflow' }))
  const params = { workflow_run_id: readText(latest, 'data', 0, 'workflow_run', 'id') }
  const detail = await suite.expectReply('versions: a run', contract.workflows.readRun, { params, key: 'workflow' })
  const workflow_id = readText(detail, 'workflow_id')
  const inputs = JSON.parse(readText(detail, 'inputs')) as object
  const reply = await suite.expectReply('versions: the one of a run', entries.runVersion, toRun(workflow_id, inputs))
  step.equal('the run names it', readPath(reply, 'data', 'workflow_id'), workflow_id)
}

async function checkFinishedRun(step: ConformanceStep): Promise<void> {
  const { suite } = step
  const { body } = await suite.send(toRequest(entries.workflowLogs, { query: 'status=succeeded', key: 'workflow' }))
  const run = readPath(body, 'data', 0)
  const workflow_run_id = readText(run, 'workflow_run', 'id')
  const readAs = (user: string) => {
    const query = new URLSearchParams({ user }).toString()
    return toRequest(entries.runEvents, { params: { workflow_run_id }, query, key: 'workflow' })
  }
  await step.refuses('of another user', readAs('another'), 404, 'not_found')
  const reply = await suite.send(readAs(readText(run, 'created_by_end_user', 'session_id')))
  const { events, pings } = parseStream(reply.text)
  const found = [pings, events.map(({ event }) => event), events[0]?.['task_id']]
  step.equal('a finished run has its end alone', found, [0, ['workflow_finished'], workflow_run_id])
}

/** A run that pauses, is answered and goes on. @returns the conversation of a chatflow */
async function checkPause(suite: ConformanceSuite, key: AppKey, kind: 'workflow' | 'chatflow'): Promise<string> {
  const step = suite.step(`pause of a ${kind}`)
  const parameters = await suite.send(toRequest(contract.workflows.parameters, { key }))
  const controls = readList(parameters.body, 'user_input_form').flatMap((item) =>
    Object.values(item as Record<string, { variable: string; required?: boolean }>),
  )
  const required = controls.filter((control) => control.required).map(({ variable }) => [variable, 'Tea'])
  const body = { inputs: Object.fromEntries(required) as object, user: USER, response_mode: 'streaming' }
  const started =
    kind === 'workflow'
      ? toRequest(contract.workflows.run, { body, key })
      : toRequest(contract.chat.send, { body: { ...body, query: 'Tea?' }, key })
  const { events } = parseStream((await suite.send(started)).text)
  const form = readPath(
    events.find(({ event }) => event === 'human_input_required'),
    'data',
  )
  step.equal('the last event', events.at(-1)?.['event'], 'workflow_paused')
  step.fields('fields of the form', HumanForm, form)
  step.fields('fields of the pause', PausedRun, readPath(events.at(-1), 'data'))
  const params = { workflow_run_id: String(events[0]?.['workflow_run_id']) }
  const detail = await suite.expectReply(`${step.name}: its record`, contract.workflows.readRun, { params, key })
  step.equal('its status', readPath(detail, 'status'), 'paused')
  await checkAnswer(step, key, params, form)
  return String(events[0]?.['conversation_id'] ?? '')
}

async function checkAnswer(
  step: ConformanceStep,
  key: AppKey,
  run: { workflow_run_id: string },
  form: unknown,
): Promise<void> {
  const { suite } = step
  const params = { form_token: readText(form, 'form_token') }
  const shown = await suite.expectReply(`${step.name}: the form`, entries.readForm, { params, key })
  for (const [field, sent] of Object.entries({
    form_content: 'form_content',
    inputs: 'inputs',
    user_actions: 'actions',
  }))
    step.equal(`${field} of the form`, readPath(shown, field), readPath(form, sent))
  const inputs = Object.fromEntries(
    readList(form, 'inputs').map((field) => [
      readText(field, 'output_variable_name'),
      readPath(field, 'option_source', 'value', 0) ?? 'Some text',
    ]),
  )
  const action = readText(form, 'actions', 0, 'id')
  const submit = (body: object) => toRequest(entries.submitForm, { params, body: { user: USER, ...body }, key })
  await step.refuses('an unknown action', submit({ inputs, action: 'no-such' }), 400, 'invalid_form_data')
  if (Object.keys(inputs).length > 0)
    await step.refuses('missing fields', submit({ inputs: {}, action }), 400, 'invalid_form_data')
  const query = `user=${USER}&include_state_snapshot=true&continue_on_pause=true`
  const reading = suite.send(toRequest(entries.runEvents, { params: run, query, key }))
  const body = { inputs, action, user: USER }
  await suite.expectReply(`${step.name}: the answer`, entries.submitForm, { params, body, key })
  const { events } = parseStream((await reading).text)
  const starts = events.filter(({ event }) => event === 'workflow_started')
  const reasons = starts.map((event) => readPath(event, 'data', 'reason'))
  step.equal('its events begin with the snapshot and go on', reasons, ['initial', 'resumption'])
  const end = [events.at(-1)?.['event'], readPath(events.at(-1), 'data', 'status')]
  step.equal('it succeeds after the answer', end, ['workflow_finished', 'succeeded'])
  await step.refuses('the answer again', submit({ inputs, action }), 412, 'human_input_form_submitted')
}

async function checkVariables(suite: ConformanceSuite, key: AppKey, conversation_id: string): Promise<void> {
  const list = suite.step('conversation variables')
  const query = `user=${USER}`
  const read = await list.reply(entries.listConversationVariables, { params: { conversation_id }, query, key })
  const variables = readList(read, 'data')
  for (const variable of variables) list.fields('fields', Variable, variable)
  const text = variables.find((variable) => readPath(variable, 'value_type') === 'string')
  if (!text) return
  const set = (value: unknown) => ({
    params: { conversation_id, variable_id: readText(text, 'id') },
    body: { value, user: USER },
    key,
  })
  const entry = entries.updateConversationVariable
  const step = suite.step('conversation variable')
  const updated = await suite.expectReply('conversation variable: set', entry, set('set by hand'))
  step.equal('its value', readPath(updated, 'value'), 'set by hand')
  await step.refuses('a value of another type', toRequest(entry, set([1])), 400)
}
