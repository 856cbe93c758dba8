import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import {
  createHit,
  findEventData,
  listEventNames,
  listNodeEvents,
  readStream,
  toFileReference,
  uploadFile,
} from '../apps.fixture.ts'
import { workflowRuns } from '../schema.ts'
import { setupApps } from '../serveApps.fixture.ts'

const { serve, serveModel, database } = setupApps()
const TEA = [createHit(1, 'Green tea is steeped at 80 degrees.'), createHit(2, 'Black tea takes boiling water.')]
const RUN = '/workflows/run'
test('a run streams its steps with their envelope, the text as it is written, and its end', async () => {
  const platform = await serve({ find: () => TEA })
  const events = await platform.stream('workflow', RUN, {
    inputs: { query: 'How is green tea steeped?', other: 1 },
    user: 'ada',
  })
  expect(listEventNames(events).filter((name) => name !== 'text_chunk')).toEqual([
    'ping',
    'workflow_started',
    ...listNodeEvents('start', 'retrieve', 'found', 'answer', 'end_found'),
    'workflow_finished',
  ])
  const [, started] = events
  const task_id = started?.['task_id']
  const workflow_run_id = started?.['workflow_run_id']
  expect(
    events.slice(1).every((event) => event['task_id'] === task_id && event['workflow_run_id'] === workflow_run_id),
  ).toBe(true)
  expect(started?.['data']).toMatchObject({
    inputs: { query: 'How is green tea steeped?', sentences: 3, 'sys.user_id': 'ada', 'sys.files': [] },
    reason: 'initial',
  })
  expect(started?.['data']).not.toHaveProperty('inputs.other')
  expect(findEventData(events, 'node_finished', 'answer')).toMatchObject({
    node_type: 'llm',
    index: 4,
    predecessor_node_id: 'found',
    status: 'succeeded',
    error: null,
    iteration_id: null,
    process_data: {
      model_name: 'extractive',
      prompts: [{ role: 'system' }, { role: 'user', text: 'How is green tea steeped?' }],
    },
    outputs: { text: 'Green tea is steeped at 80 degrees. [1]' },
    execution_metadata: { total_tokens: expect.any(Number), currency: 'USD' },
  })
  expect(findEventData(events, 'node_finished', 'found')?.['outputs']).toEqual({
    result: true,
    selected_case_id: 'yes',
  })
  const chunks = events.filter(({ event }) => event === 'text_chunk').map(({ data }) => data as { text: string })
  expect(chunks.map(({ text }) => text).join('')).toBe('Green tea is steeped at 80 degrees. [1]')
  expect(chunks[0]).toEqual({ text: 'Green ', from_variable_selector: ['answer', 'text'] })
  expect(events.at(-1)?.['data']).toMatchObject({
    status: 'succeeded',
    outputs: { answer: 'Green tea is steeped at 80 degrees. [1]', sources: [{ title: 'chapter-1.md' }, {}] },
    total_steps: 5,
    created_by: { user: 'ada' },
  })
})

test('the other branch says that nothing was found; its nodes alone run', async () => {
  const platform = await serve()
  const { status, body } = await platform.call('workflow', 'POST', RUN, {
    inputs: { query: 'tea?' },
    user: 'ada',
    response_mode: 'blocking',
  })
  expect([status, body['data']]).toMatchObject([
    200,
    {
      status: 'succeeded',
      outputs: { answer: 'The documents hold nothing about “tea?”.', sources: [] },
      total_steps: 5,
    },
  ])
  const path = `${RUN}/${String(body['workflow_run_id'])}`
  expect((await platform.call('workflow', 'GET', path)).body['inputs']).toBe('{"query":"tea?","sentences":3}')
  for (const app of ['workflow-digest', 'workflow-inspect'])
    expect((await platform.call(app, 'GET', path)).body['code']).toBe('not_found')
})

test('a list of files is read one after the other, in an iteration', async () => {
  const platform = await serve()
  const files = [
    toFileReference(
      await uploadFile(platform, 'mill.md', '# Mill\n\nThe mill stands by the river. A cat sleeps in it.', {
        app: 'workflow-digest',
      }),
    ),
    toFileReference(await uploadFile(platform, 'inn.txt', 'The inn has six rooms.', { app: 'workflow-digest' })),
  ]
  const events = await platform.stream('workflow-digest', RUN, {
    inputs: { files, sentences: '1', focus: 'cat' },
    user: 'ada',
  })
  expect(listEventNames(events).slice(4)).toEqual([
    'iteration_started each',
    ...[0, 1].flatMap(() => ['iteration_next each', ...listNodeEvents('read', 'summary', 'section')]),
    'iteration_completed each',
    ...listNodeEvents('digest', 'end'),
    'workflow_finished',
  ])
  expect(
    events.filter(({ event }) => event === 'iteration_next').map(({ data }) => (data as { index: number }).index),
  ).toEqual([0, 1])
  expect(findEventData(events, 'iteration_started')).toMatchObject({
    metadata: { iterator_length: 2 },
    inputs: { iterator_selector: [{ filename: 'mill.md' }, { filename: 'inn.txt' }] },
  })
  expect(findEventData(events, 'node_finished', 'read')).toMatchObject({
    iteration_id: 'each',
    execution_metadata: { iteration_id: 'each', iteration_index: 0 },
  })
  expect(findEventData(events, 'iteration_completed')).toMatchObject({
    status: 'succeeded',
    steps: 6,
    error: null,
    outputs: { output: ['## mill.md\n\nA cat sleeps in it.', expect.any(String)] },
  })
  expect(events.at(-1)?.['data']).toMatchObject({
    status: 'succeeded',
    total_steps: 10,
    outputs: { digest: '## mill.md\n\nA cat sleeps in it.\n\n## inn.txt\n\nThe inn has six rooms.' },
  })
})

test('a file that cannot be read fails its node, the iteration and the run with the reason', async () => {
  const platform = await serve()
  const remote = { type: 'document', transfer_method: 'remote_url', url: 'http://127.0.0.1:1/a.pdf' }
  const events = await platform.stream('workflow-digest', RUN, { inputs: { files: [remote] }, user: 'ada' })
  const reason = 'http://127.0.0.1:1/a.pdf is a remote file; this platform records those and does not fetch them.'
  expect(findEventData(events, 'node_finished', 'read')).toMatchObject({
    status: 'failed',
    error: reason,
    outputs: {},
  })
  expect(findEventData(events, 'iteration_completed')).toMatchObject({
    status: 'failed',
    error: `Read the file: ${reason}`,
  })
  expect(events.at(-1)).toMatchObject({
    event: 'workflow_finished',
    data: { status: 'failed', error: `Read the file: ${reason}`, outputs: {} },
  })
})

test('the example that is to fail does so when asked, and only then; in blocking it is still 200', async () => {
  const platform = await serve()
  const run = async (inputs: object) =>
    await platform.call('workflow-inspect', 'POST', RUN, { inputs, user: 'ada', response_mode: 'blocking' })
  const failed = await run({ fail: 'yes' })
  expect(failed).toMatchObject({
    status: 200,
    body: {
      data: {
        status: 'failed',
        outputs: {},
        error: 'Read what is no file: start.fail holds true, which is no file.',
      },
    },
  })
  const attachment = toFileReference(await uploadFile(platform, 'a.txt', 'inside', { app: 'workflow-inspect' }))
  expect(await run({ text: 'hello', attachment, settings: { depth: [1] }, fail: false })).toMatchObject({
    body: {
      data: {
        status: 'succeeded',
        outputs: { report: 'Text: hello\n\nAttachment: a.txt\n\ninside\n\nSettings: {"depth":[1]}' },
      },
    },
  })
  expect(await run({ form: 'table' })).toMatchObject({
    body: { data: { status: 'succeeded', outputs: { report: expect.stringContaining('| text |  |') } } },
  })
})

test('with a model the node writes with it, and a model that fails fails the run', async () => {
  const behaviour = { pieces: ['Eighty', '.'], usage: { prompt: 40, completion: 2 } }
  const { endpoint, platform } = await serveModel(behaviour, { find: () => TEA })
  const body = { inputs: { query: 'How hot?' }, user: 'ada', response_mode: 'blocking' }
  expect((await platform.call('workflow', 'POST', RUN, body)).body['data']).toMatchObject({
    status: 'succeeded',
    total_tokens: 42,
    outputs: { answer: 'Eighty.' },
  })
  expect(JSON.stringify(endpoint.calls[0]?.body['messages'])).toContain('[1] (chapter-1.md)\\nGreen tea is steeped')
  await endpoint.close()
  expect((await platform.call('workflow', 'POST', RUN, body)).body['data']).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^Answer: The model's endpoint failed/),
  })
})

test('a run is stopped by anybody with the key, and says so', async () => {
  const { endpoint, platform } = await serveModel({ pieces: ['a', 'b'], hangAfter: 1 }, { find: () => TEA })
  const body = { inputs: { query: 'stop me' }, user: 'ada', response_mode: 'streaming' }
  const response = await platform.request('workflow', 'POST', RUN, body)
  const run = await vi.waitFor(async () => {
    const [row] = await database().db.select().from(workflowRuns).where(eq(workflowRuns.status, 'running'))
    expect(endpoint.calls).toHaveLength(1)
    return row
  })
  const running = await platform.call('workflow', 'GET', `${RUN}/${run?.id}`)
  expect(running.body).toMatchObject({ status: 'running', outputs: {}, finished_at: null, elapsed_time: 0 })
  await platform.call('workflow', 'POST', `/workflows/tasks/${run?.task_id}/stop`, { user: 'bob' })
  const events = readStream(await response.text())
  expect(findEventData(events, 'node_finished', 'answer')).toMatchObject({
    status: 'stopped',
    error: 'Aborted: User requested stop',
  })
  expect(events.at(-1)).toMatchObject({
    event: 'workflow_finished',
    data: { status: 'stopped', error: 'Aborted: User requested stop' },
  })
})
