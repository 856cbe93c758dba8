import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import {
  createHit,
  findEventData,
  joinAnswer,
  listEventNames,
  listNodeEvents,
  readStream,
  type OpenApps,
  type TestStreamEvent,
} from '../apps.fixture.ts'
import { setupApps } from '../serveApps.fixture.ts'
import { humanInputForms, workflowRuns } from '../schema.ts'

const { serve, database } = setupApps()

const TEA = [createHit(1, 'Green tea is steeped at 80 degrees.')]
const REQUEST = { inputs: { request: 'A new kettle' }, user: 'ada' }
const ANSWER = { subject: 'Kettle', comment: 'Good idea.', priority: 'high' }
const HOUR_MS = 3_600_000

interface PausedRun {
  events: TestStreamEvent[]
  run_id: string
  task_id: string
  token: string
}

async function pause(platform: OpenApps, app = 'workflow-approval'): Promise<PausedRun> {
  const events =
    app === 'chatflow'
      ? await platform.stream(app, '/chat-messages', { inputs: {}, query: 'How is green tea steeped?', user: 'ada' })
      : await platform.stream(app, '/workflows/run', REQUEST)
  return {
    events,
    run_id: String(events[1]?.['workflow_run_id']),
    task_id: String(events[1]?.['task_id']),
    token: String(findEventData(events, 'human_input_required')?.['form_token']),
  }
}

const submit = (platform: OpenApps, token: string, body: object = {}, app = 'workflow-approval') =>
  platform.call(app, 'POST', `/form/human_input/${token}`, { inputs: ANSWER, action: 'approve', user: 'bob', ...body })

const readRun = async (platform: OpenApps, id: string, app = 'workflow-approval') =>
  (await platform.call(app, 'GET', `/workflows/run/${id}`)).body

const waitForStatus = (platform: OpenApps, id: string, status: string, app?: string) =>
  vi.waitFor(async () => {
    const run = await readRun(platform, id, app)
    expect(run).toMatchObject({ status })
    return run
  })

/** Opens the events of a run, and gives them when the stream has ended. */
async function openEvents(platform: OpenApps, id: string, flags = '', app = 'workflow-approval') {
  const response = await platform.request(app, 'GET', `/workflow/${id}/events?user=ada${flags}`)
  expect(response.status).toBe(200)
  return response.text().then(readStream)
}

test('a run pauses at its form, shows it, and goes on with the answer', async () => {
  const platform = await serve()
  const { events, run_id, token } = await pause(platform)
  expect(listEventNames(events)).toEqual([
    'ping',
    'workflow_started',
    ...listNodeEvents('start'),
    'node_started review',
    'human_input_required review',
    'workflow_paused',
  ])
  const form = findEventData(events, 'human_input_required')
  expect(form).toMatchObject({
    form_content: expect.stringContaining('A new kettle\n\n**Subject:** {{#$output.subject#}}'),
    inputs: [
      { output_variable_name: 'subject', default: { type: 'variable', selector: ['start', 'request'] } },
      { output_variable_name: 'comment', default: { type: 'constant', value: 'No objections.' } },
      { output_variable_name: 'priority', type: 'select', option_source: { value: ['low', 'normal', 'high'] } },
    ],
    actions: [{ id: 'approve', button_style: 'primary' }, { id: 'send_back' }, { id: 'reject' }],
    form_token: expect.stringMatching(/^[A-Za-z0-9]{22}$/),
    resolved_default_values: { subject: 'A new kettle' },
  })
  expect(findEventData(events, 'workflow_paused')).toMatchObject({
    workflow_run_id: run_id,
    paused_nodes: ['review'],
    reasons: [{ TYPE: 'human_input_required', form_token: token }],
    total_steps: 2,
  })
  expect(await readRun(platform, run_id)).toMatchObject({ status: 'paused', outputs: {}, finished_at: null })

  expect(await submit(platform, token)).toEqual({ status: 200, body: {} })
  const ended = await waitForStatus(platform, run_id, 'succeeded')
  expect(ended).toMatchObject({
    outputs: { decision: 'approve', note: 'Approved with high priority: Kettle\n\nGood idea.' },
    total_steps: 5,
    error: null,
  })
})

test('the resumption has the events of upstream, for every reader', async () => {
  const platform = await serve()
  const { run_id, task_id, token, events } = await pause(platform)
  const readers = [
    openEvents(platform, run_id),
    openEvents(platform, run_id, '&continue_on_pause=true'),
    openEvents(platform, run_id, '&include_state_snapshot=true&continue_on_pause=true'),
  ]
  const closedByPause = await openEvents(platform, run_id, '&include_state_snapshot=true')
  expect(listEventNames(closedByPause)).toEqual([
    'ping',
    'workflow_started',
    ...listNodeEvents('start', 'review'),
    'human_input_required review',
    'workflow_paused',
  ])
  expect(findEventData(closedByPause, 'workflow_started')).toMatchObject({
    reason: 'initial',
    inputs: { request: 'A new kettle', 'sys.timestamp': expect.any(Number), 'sys.user_id': 'ada' },
  })
  expect(findEventData(closedByPause, 'node_finished', 'review')).toMatchObject({
    status: 'paused',
    index: 2,
    inputs: null,
    outputs: null,
  })
  expect(findEventData(closedByPause, 'workflow_paused')).toEqual(findEventData(events, 'workflow_paused'))
  expect(await submit(platform, token, { action: 'reject' })).toEqual({ status: 200, body: {} })
  const resumption = ['workflow_started', ...listNodeEvents('review', 'rejected', 'end_rejected'), 'workflow_finished']
  const [plain, continued, snapshot] = await Promise.all(readers)
  expect(listEventNames(plain ?? [])).toEqual(['ping', ...resumption])
  expect(listEventNames(continued ?? [])).toEqual(['ping', ...resumption])
  expect(listEventNames(snapshot ?? [])).toEqual([...listEventNames(closedByPause), ...resumption])
  expect(plain?.slice(1).every((event) => event['task_id'] === task_id)).toBe(true)
  expect(findEventData(plain ?? [], 'workflow_started')).toMatchObject({ reason: 'resumption' })
  expect(findEventData(plain ?? [], 'node_started', 'review')?.['id']).toBe(
    findEventData(events, 'node_started', 'review')?.['id'],
  )
  expect(findEventData(plain ?? [], 'node_finished', 'review')).toMatchObject({
    status: 'succeeded',
    inputs: { comment: { value_type: 'string', value: 'Good idea.' } },
    outputs: {
      ...ANSWER,
      __action_id: 'reject',
      __action_value: 'Reject',
      __rendered_content: expect.stringContaining('**Priority:** high'),
    },
  })
  expect(findEventData(plain ?? [], 'workflow_finished')).toMatchObject({ status: 'succeeded', total_steps: 5 })
  const after = await openEvents(platform, run_id, '&include_state_snapshot=true')
  expect(listEventNames(after)).toEqual(['workflow_finished'])
  expect(after[0]).toMatchObject({ task_id: run_id, workflow_run_id: run_id, data: { status: 'succeeded' } })
})

test('a submission is checked, and its form says why it is refused', async () => {
  const platform = await serve()
  const { token } = await pause(platform)
  const refusal = (status: number, code: string, message: unknown) => ({ status, body: { code, message, status } })
  expect(await submit(platform, token, { inputs: { subject: 'x' } })).toEqual(
    refusal(400, 'invalid_form_data', 'Missing required inputs: comment, priority'),
  )
  expect(await submit(platform, token, { inputs: { ...ANSWER, priority: 'huge' } })).toEqual(
    refusal(400, 'invalid_form_data', 'priority must be one of low, normal, high'),
  )
  expect(await submit(platform, token, { inputs: { ...ANSWER, comment: 5 } })).toEqual(
    refusal(400, 'invalid_form_data', 'comment must be a string'),
  )
  for (const field of ['user', 'action', 'inputs'])
    expect(await submit(platform, token, { [field]: undefined })).toEqual(
      refusal(400, 'invalid_param', expect.stringMatching(new RegExp(`^${field} `))),
    )
  expect(await submit(platform, token, {}, 'workflow')).toEqual(refusal(404, 'not_found', 'Form not found'))
  expect((await submit(platform, token, {})).status).toBe(200)
  const submitted = refusal(
    412,
    'human_input_form_submitted',
    expect.stringMatching(/^This form has already been submitted by another user, form_id=/),
  )
  expect(await submit(platform, token)).toEqual(submitted)
  expect(await platform.call('workflow-approval', 'GET', `/form/human_input/${token}`)).toEqual(submitted)
})

test('of submissions at once exactly one is accepted', async () => {
  const platform = await serve()
  const { token, run_id } = await pause(platform)
  const replies = await Promise.all(
    ['approve', 'reject', 'send_back', 'approve'].map((action) => submit(platform, token, { action })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412])
  await waitForStatus(platform, run_id, 'succeeded')
  const [form] = await database().db.select().from(humanInputForms).where(eq(humanInputForms.token, token))
  const { outputs } = await readRun(platform, run_id)
  expect((outputs as Record<string, unknown>)['decision']).toBe(form?.action)
})

test('a paused run outlives its platform', async () => {
  const first = await serve()
  const { token, run_id } = await pause(first)
  await first.close()
  const second = await serve()
  expect(await readRun(second, run_id)).toMatchObject({ status: 'paused' })
  const reading = openEvents(second, run_id, '&include_state_snapshot=true&continue_on_pause=true')
  expect(await submit(second, token)).toEqual({ status: 200, body: {} })
  await waitForStatus(second, run_id, 'succeeded')
  expect(listEventNames(await reading)).toContain('workflow_finished')
})

test('a form whose time is over sends its run along the time-out', async () => {
  let now = Date.now()
  const platform = await serve({ clock: () => now })
  const { token, run_id } = await pause(platform)
  now += 73 * HOUR_MS
  const expired = {
    status: 412,
    body: {
      code: 'human_input_form_expired',
      message: expect.stringMatching(/^This form has expired, form_id=/),
      status: 412,
    },
  }
  expect(await platform.call('workflow-approval', 'GET', `/form/human_input/${token}`)).toEqual(expired)
  expect(await submit(platform, token)).toEqual(expired)
  await platform.close()
  // A platform closes what has expired when it starts, and at intervals.
  const second = await serve({ clock: () => now })
  const run = await waitForStatus(second, run_id, 'succeeded')
  expect(run).toMatchObject({ outputs: { note: 'Nobody answered in time: A new kettle' } })
  expect(await submit(second, token)).toEqual(expired)
})

test('stopping a paused run changes nothing; a blocking reply shows the pause', async () => {
  const platform = await serve()
  const blocking = { ...REQUEST, response_mode: 'blocking' }
  const { body } = await platform.call('workflow-approval', 'POST', '/workflows/run', blocking)
  expect(body['data']).toMatchObject({
    id: body['workflow_run_id'],
    status: 'paused',
    finished_at: null,
    paused_nodes: ['review'],
    reasons: [{ TYPE: 'human_input_required', node_id: 'review' }],
  })
  const stopped = await platform.call('workflow-approval', 'POST', `/workflows/tasks/${body['task_id']}/stop`, {
    user: 'ada',
  })
  expect(stopped.body).toEqual({ result: 'success' })
  expect(await readRun(platform, String(body['workflow_run_id']))).toMatchObject({ status: 'paused' })
})

test('the events of a run are for its application, and for those with a graph', async () => {
  const platform = await serve()
  const { run_id } = await pause(platform)
  const read = (app: string, path: string) => platform.call(app, 'GET', path)
  const notFound = { status: 404, body: { code: 'not_found', message: 'Workflow run not found', status: 404 } }
  expect(await read('workflow', `/workflow/${run_id}/events?user=ada`)).toEqual(notFound)
  expect(await read('workflow-approval', `/workflow/${run_id}/events`)).toMatchObject({ status: 400 })
  expect(await read('chat', `/workflow/${run_id}/events?user=ada`)).toMatchObject({
    status: 400,
    body: { code: 'not_workflow_app' },
  })
})

test('readers of a running workflow get what comes from now on, with a snapshot also what was', async () => {
  const platform = await serve({ find: () => TEA, pace_ms: 60 })
  const request = { inputs: { query: 'How is green tea steeped?' }, user: 'ada', response_mode: 'streaming' }
  const leave = new AbortController()
  const response = await platform.request('workflow', 'POST', '/workflows/run', request, leave.signal)
  const reader = response.body?.getReader()
  let text = ''
  while (!text.includes('text_chunk')) text += new TextDecoder().decode((await reader?.read())?.value)
  const run_id = String(readStream(text.slice(0, text.lastIndexOf('\n\n') + 2))[1]?.['workflow_run_id'])
  // The client leaves: the run goes on, and is recorded.
  leave.abort()
  const [plain, snapshot] = await Promise.all([
    openEvents(platform, run_id, '', 'workflow'),
    openEvents(platform, run_id, '&include_state_snapshot=true', 'workflow'),
  ])
  expect(plain[0]?.event).toBe('ping')
  expect(listEventNames(plain)).not.toContain('workflow_started')
  expect(listEventNames(plain).slice(-4)).toEqual([
    'node_finished answer',
    ...listNodeEvents('end_found'),
    'workflow_finished',
  ])
  expect(listEventNames(snapshot).filter((name) => name !== 'text_chunk')).toEqual([
    'ping',
    'workflow_started',
    ...listNodeEvents('start', 'retrieve', 'found'),
    'node_started answer',
    ...listEventNames(plain).slice(-4),
  ])
  expect(findEventData(snapshot, 'node_finished', 'retrieve')).toMatchObject({
    status: 'succeeded',
    index: 2,
    outputs: null,
  })
  expect(await readRun(platform, run_id, 'workflow')).toMatchObject({ status: 'succeeded' })
  const [row] = await database().db.select().from(workflowRuns).where(eq(workflowRuns.id, run_id))
  expect(row?.state).toBeNull()
})

test('a chatflow pauses in its answer, shows its form in the history, and goes on', async () => {
  const platform = await serve({ find: () => TEA })
  const { events, run_id, token } = await pause(platform, 'chatflow')
  expect(listEventNames(events).filter((name) => name !== 'message')).toEqual([
    'ping',
    'workflow_started',
    ...listNodeEvents('start', 'retrieve', 'draft', 'announce'),
    'node_started review',
    'human_input_required review',
    'workflow_paused',
  ])
  expect(joinAnswer(events)).toBe('A person reviews the answer first.\n\n')
  const ids = { conversation_id: expect.any(String), message_id: expect.any(String), created_at: expect.any(Number) }
  expect(events.slice(1).every((event) => 'conversation_id' in event && 'message_id' in event)).toBe(true)
  expect(events[1]).toMatchObject({
    ...ids,
    data: { inputs: { 'sys.query': 'How is green tea steeped?', 'sys.dialogue_count': 1, 'sys.user_id': 'ada' } },
  })
  const conversation_id = String(events[1]?.['conversation_id'])
  const history = async () => {
    const { body } = await platform.call('chatflow', 'GET', `/messages?user=ada&conversation_id=${conversation_id}`)
    return (body as { data: Record<string, unknown>[] }).data[0]
  }
  const form = findEventData(events, 'human_input_required') ?? {}
  const { approval_channels: _, ...form_definition } = form
  expect(await history()).toMatchObject({
    status: 'paused',
    answer: 'A person reviews the answer first.\n\n',
    extra_contents: [
      { workflow_run_id: run_id, submitted: false, form_definition, form_submission_data: null, type: 'human_input' },
    ],
  })
  const reading = openEvents(platform, run_id, '&include_state_snapshot=true&continue_on_pause=true', 'chatflow')
  const inputs = { answer: 'At 80 degrees.', note: 'Shorter.' }
  expect(await submit(platform, token, { inputs, action: 'send' }, 'chatflow')).toEqual({ status: 200, body: {} })
  await waitForStatus(platform, run_id, 'succeeded', 'chatflow')
  const read = await reading
  expect(read.find(({ event }) => event === 'message_replace')).toMatchObject({
    ...ids,
    answer: 'A person reviews the answer first.\n\n',
    reason: '',
  })
  expect(joinAnswer(read)).toBe('At 80 degrees.')
  expect(listEventNames(read).slice(-2)).toEqual(['message_end', 'workflow_finished'])
  expect(read.at(-2)).toMatchObject({
    ...ids,
    metadata: {
      usage: { total_tokens: expect.any(Number) },
      retriever_resources: [expect.objectContaining({ position: 1 })],
      model: 'extractive',
    },
  })
  expect(await history()).toMatchObject({
    status: 'normal',
    answer: 'A person reviews the answer first.\n\nAt 80 degrees.',
    retriever_resources: [expect.objectContaining({ position: 1 })],
    extra_contents: [
      {
        submitted: true,
        form_definition: { ...form_definition, form_token: null },
        form_submission_data: {
          node_id: 'review',
          node_title: 'Review the answer',
          action_id: 'send',
          action_text: 'Send',
          submitted_data: inputs,
          rendered_content: expect.stringContaining('**Answer:** At 80 degrees.'),
        },
      },
    ],
  })
  expect(await readRun(platform, run_id, 'chatflow')).toMatchObject({
    outputs: { answer: 'A person reviews the answer first.\n\nAt 80 degrees.', files: [] },
  })
})

test('the blocking reply of a paused chatflow', async () => {
  const platform = await serve({ find: () => TEA })
  const question = { inputs: {}, query: 'How is green tea steeped?', user: 'ada' }
  expect((await platform.ask('chatflow', question)).body).toMatchObject({
    event: 'workflow_paused',
    mode: 'advanced-chat',
    answer: 'A person reviews the answer first.\n\n',
    data: { status: 'paused', paused_nodes: ['review'], finished_at: null },
  })
})
