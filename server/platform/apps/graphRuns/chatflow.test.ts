import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Model } from '../../model/model.ts'
import { EARLIER_VERSIONS } from '../../workflow/exampleWorkflows.ts'
import {
  createHit,
  joinAnswer,
  readStream,
  toFileReference,
  uploadFile,
  type OpenApps,
  type TestStreamEvent,
} from '../apps.fixture.ts'
import { humanInputForms } from '../schema.ts'
import { setupApps } from '../serveApps.fixture.ts'

const { serve, serveModel, database } = setupApps()
const TEA = [createHit(1, 'Green tea is steeped at 80 degrees.')]
/** The version without a form. */
const workflow_id = EARLIER_VERSIONS.find(({ id }) => id === 'chatflow')?.workflow_id
const QUESTION = { inputs: {}, query: 'How is green tea steeped?', user: 'ada', workflow_id }

const names = (events: TestStreamEvent[]) => events.map(({ event }) => event)

const readMessage = async (platform: OpenApps, conversation_id: unknown) => {
  const { body } = await platform.call('chatflow', 'GET', `/messages?user=ada&conversation_id=${conversation_id}`)
  return (body as unknown as { data: Record<string, unknown>[] }).data.at(-1)
}

test('a failed chatflow has neither an end of the message nor an error event; its blocking reply is refused', async () => {
  const refuse = { status: 400, message: 'told to fail', messagesWith: 'FAILMODEL' }
  const { platform } = await serveModel({ refuse }, { find: () => TEA })
  const question = { ...QUESTION, query: 'FAILMODEL' }
  const events = await platform.stream('chatflow', '/chat-messages', question)
  expect(names(events)).not.toContain('message_end')
  expect(names(events)).not.toContain('error')
  expect(events.at(-1)).toMatchObject({ event: 'workflow_finished', data: { status: 'failed' } })
  expect(await readMessage(platform, events[1]?.['conversation_id'])).toMatchObject({
    status: 'error',
    error: expect.stringMatching(/^Run failed: .*told to fail/),
  })
  const blocking = await platform.ask('chatflow', question)
  expect(blocking).toMatchObject({
    status: 400,
    body: { code: 'invalid_param', message: expect.stringMatching(/^Run failed: .*told to fail/) },
  })
})

test('any user stops a chatflow, which keeps the text so far; a client that leaves does not', async () => {
  const platform = await serve({ find: () => TEA, pace_ms: 60 })
  const ask = async () => {
    const leave = new AbortController()
    const body = { ...QUESTION, response_mode: 'streaming' }
    const response = await platform.request('chatflow', 'POST', '/chat-messages', body, leave.signal)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('"event":"message"')) text += (await reader?.read())?.value ?? ''
    const [, started] = readStream(text.slice(0, text.lastIndexOf('\n\n') + 2))
    return { leave, ids: started ?? ({ event: '' } as NonNullable<typeof started>) }
  }
  const readEnd = async (run_id: unknown) => {
    const response = await platform.request('chatflow', 'GET', `/workflow/${run_id}/events?user=ada`)
    return readStream(await response.text())
  }
  const left = await ask()
  left.leave.abort()
  const rest = await readEnd(left.ids['workflow_run_id'])
  expect(names(rest).slice(-2)).toEqual(['message_end', 'workflow_finished'])
  expect(await readMessage(platform, left.ids['conversation_id'])).toMatchObject({
    status: 'normal',
    answer: 'Green tea is steeped at 80 degrees. [1]',
  })
  const stopped = await ask()
  const path = `/chat-messages/${String(stopped.ids['task_id'])}/stop`
  expect((await platform.call('chatflow', 'POST', path, { user: 'eve' })).body).toEqual({ result: 'success' })
  const end = await readEnd(stopped.ids['workflow_run_id'])
  expect(end.at(-1)).toMatchObject({
    event: 'workflow_finished',
    data: { status: 'stopped', error: 'Aborted: User requested stop' },
  })
  const message = await readMessage(platform, stopped.ids['conversation_id'])
  expect(message).toMatchObject({ status: 'normal', error: null })
  expect('Green tea is steeped at 80 degrees. [1]'.startsWith(String(message?.['answer']))).toBe(true)
  stopped.leave.abort()
})

test('a chatflow ends while two saves of its answer wait for the connection', async () => {
  let now = Date.now()
  const pieces = ['Steep ', 'it ', 'at ', '80 ', 'degrees.']
  const model: Model = {
    name: 'small',
    async *chat() {
      const connection = await database().pool.connect()
      for (const text of pieces) yield { text }
      yield { usage: { prompt_tokens: 3, completion_tokens: 5 } }
      setTimeout(() => connection.release(), 200)
    },
  }
  // More than the time between two saves passes with each piece.
  const platform = await serve({ find: () => TEA, model, clock: () => (now += 2000) })
  const events = await platform.stream('chatflow', '/chat-messages', QUESTION)
  expect(names(events).slice(-2)).toEqual(['message_end', 'workflow_finished'])
  expect(await readMessage(platform, events[1]?.['conversation_id'])).toMatchObject({
    status: 'normal',
    answer: pieces.join(''),
  })
}, 15_000)

test('an annotation answers in place of the graph', async () => {
  const platform = await serve({ find: () => TEA })
  const enable = { score_threshold: 0.8, embedding_provider_name: 'p', embedding_model_name: 'm' }
  const { body: job } = await platform.call('chatflow', 'POST', '/apps/annotation-reply/enable', enable)
  const status = `/apps/annotation-reply/enable/status/${String(job['job_id'])}`
  await expect
    .poll(async () => (await platform.call('chatflow', 'GET', status)).body)
    .toMatchObject({ job_status: 'completed' })
  await platform.call('chatflow', 'POST', '/apps/annotations', { question: QUESTION.query, answer: 'Gently.' })
  const events = await platform.stream('chatflow', '/chat-messages', QUESTION)
  expect(names(events)).toEqual(['ping', 'message', 'message_end'])
  expect(joinAnswer(events)).toBe('Gently.')
  const blocking = await platform.ask('chatflow', QUESTION)
  expect(blocking.body).toMatchObject({ event: 'message', mode: 'advanced-chat', answer: 'Gently.' })
  await platform.call('chatflow', 'POST', '/apps/annotation-reply/disable', enable)
})

test('a chatflow answers while annotations cannot be compared', async () => {
  const platform = await serve({ find: () => TEA })
  const { pool } = database()
  await pool.query('ALTER TABLE platform.annotation_replies RENAME TO annotation_replies_away')
  try {
    const { status, body } = await platform.ask('chatflow', QUESTION)
    expect([status, body['answer']]).toEqual([200, 'Green tea is steeped at 80 degrees. [1]'])
    expect((await readMessage(platform, body['conversation_id']))?.['status']).toBe('normal')
  } finally {
    await pool.query('ALTER TABLE platform.annotation_replies_away RENAME TO annotation_replies')
  }
})

test('the files of a form are those that its answerer has uploaded', async () => {
  const platform = await serve()
  const app = 'workflow-approval'
  const events = await platform.stream(app, '/workflows/run', { inputs: { request: 'A kettle' }, user: 'ada' })
  const form = events.find(({ event }) => event === 'human_input_required')?.['data'] as { form_token: string }
  const rule = {
    allowed_file_types: ['document' as const],
    allowed_file_extensions: [],
    allowed_file_upload_methods: ['local_file' as const],
  }
  await database()
    .db.update(humanInputForms)
    .set({
      form_content: 'Offer: {{#$output.offer#}}, papers: {{#$output.papers#}}',
      inputs: [
        { output_variable_name: 'offer', type: 'file', ...rule },
        { output_variable_name: 'papers', type: 'file-list', number_limits: 2, ...rule },
      ],
    })
    .where(eq(humanInputForms.token, form.form_token))
  const upload = async (user: string, name: string) =>
    toFileReference(await uploadFile(platform, name, 'text', { app, user }))
  const submit = (inputs: object) =>
    platform.call(app, 'POST', `/form/human_input/${form.form_token}`, { inputs, action: 'approve', user: 'bob' })
  const refused = (message: RegExp) => ({
    status: 400,
    body: { code: 'invalid_form_data', message: expect.stringMatching(message) },
  })
  const [a, b, c] = [await upload('bob', 'a.txt'), await upload('bob', 'b.txt'), await upload('bob', 'c.txt')]
  expect(await submit({ offer: await upload('ada', 'x.txt'), papers: [a] })).toMatchObject(refused(/^offer\.0\./))
  expect(await submit({ offer: a, papers: [] })).toMatchObject(refused(/^papers must be a list/))
  expect(await submit({ offer: a, papers: [a, b, c] })).toMatchObject(refused(/^papers must have at most 2/))
  expect(await submit({ offer: { ...a, type: 'image' }, papers: [a] })).toMatchObject(refused(/^offer\.0\.type/))
  const run = String(events[1]?.['workflow_run_id'])
  const reading = await platform.request(app, 'GET', `/workflow/${run}/events?user=ada`)
  expect(await submit({ offer: a, papers: [b, c] })).toEqual({ status: 200, body: {} })
  const finished = readStream(await reading.text()).find(
    ({ event, data }) => event === 'node_finished' && (data as { node_id: string }).node_id === 'review',
  )
  expect(finished?.['data']).toMatchObject({
    inputs: { offer: { value_type: 'file' }, papers: { value_type: 'array[file]' } },
    outputs: {
      offer: { filename: 'a.txt' },
      papers: [{ filename: 'b.txt' }, { filename: 'c.txt' }],
      __rendered_content: 'Offer: a.txt, papers: b.txt, c.txt',
    },
  })
})
