import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createHit, type OpenApps } from '../apps.fixture.ts'
import { setupApps } from '../serveApps.fixture.ts'

const { serve } = setupApps()
const TEA = [createHit(1, 'Green tea is steeped at 80 degrees.')]
const QUESTION = { inputs: {}, query: 'How is green tea steeped?' }

/** Asks the chatflow and answers its form. @returns the conversation */
async function ask(platform: OpenApps, note: string, conversation_id = ''): Promise<string> {
  const { body } = await platform.ask('chatflow', { ...QUESTION, user: 'ada', conversation_id })
  const [reason] = (body as unknown as { data: { reasons: { form_token: string }[] } }).data.reasons
  const answer = { inputs: { answer: 'So.', note }, action: 'send', user: 'bob' }
  const run = await platform.request('chatflow', 'GET', `/workflow/${body['workflow_run_id']}/events?user=ada`)
  await platform.call('chatflow', 'POST', `/form/human_input/${reason?.form_token}`, answer)
  expect(await run.text()).toContain('workflow_finished')
  return String(body['conversation_id'])
}

interface Variable {
  id: string
  name: string
  value: unknown
}

const list = async (platform: OpenApps, id: string, query = '') => {
  const { body } = await platform.call('chatflow', 'GET', `/conversations/${id}/variables?user=ada${query}`)
  return body as unknown as { data: Variable[]; has_more: boolean; limit: number }
}

test('a chatflow keeps values of a conversation between its messages, and clients read and set them', async () => {
  const platform = await serve({ find: () => TEA })
  const id = await ask(platform, 'first')
  const { data } = await list(platform, id)
  expect(data.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
    {
      id: expect.any(String),
      name: 'last_decision',
      value_type: 'string',
      value: 'send',
      description: 'The action that the reviewer chose last.',
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    },
    expect.objectContaining({ name: 'notes', value_type: 'array[string]', value: ['first'] }),
  ])
  const notes = data.find(({ name }) => name === 'notes')
  const put = (variable_id: string, body: object, user = 'ada') =>
    platform.call('chatflow', 'PUT', `/conversations/${id}/variables/${variable_id}`, { user, ...body })
  expect(await put(notes?.id ?? '', { value: ['set'] })).toMatchObject({
    status: 200,
    body: { id: notes?.id, name: 'notes', value: ['set'] },
  })
  // The next run reads what was set.
  await ask(platform, 'second', id)
  const one = await list(platform, id, '&variable_name=notes')
  expect(one.data.map(({ value }) => value)).toEqual([['set', 'second']])

  const first = await list(platform, id, '&limit=1')
  expect(first).toMatchObject({ has_more: true, limit: 1 })
  const second = await list(platform, id, `&limit=1&last_id=${first.data[0]?.id}`)
  expect(second.has_more).toBe(false)
  expect([first.data[0]?.name, second.data[0]?.name].toSorted()).toEqual(['last_decision', 'notes'])

  expect(await put(notes?.id ?? '', { value: 'text' })).toMatchObject({ status: 400, body: { code: 'bad_request' } })
  expect(await put(notes?.id ?? '', {})).toMatchObject({ status: 400, body: { code: 'invalid_param' } })
  expect(await put(randomUUID(), { value: [] })).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await put(notes?.id ?? '', { value: [] }, 'eve')).toMatchObject({ status: 404 })
})

test('other conversations have no variables', async () => {
  const platform = await serve({ find: () => TEA })
  const { body } = await platform.ask('chat', { ...QUESTION, user: 'ada' })
  const path = `/conversations/${body['conversation_id']}/variables?user=ada`
  expect((await platform.call('chat', 'GET', path)).body).toEqual({ limit: 20, has_more: false, data: [] })
  expect(await platform.call('chatflow', 'GET', path)).toMatchObject({ status: 404 })
  expect(await platform.call('workflow', 'GET', path)).toMatchObject({ status: 400, body: { code: 'not_chat_app' } })
})

test('an application lists its ratings, and names the end users of its records', async () => {
  const platform = await serve({ find: () => TEA })
  const { body } = await platform.ask('chat', { ...QUESTION, user: 'grace' })
  const rate = (rating: string | null) =>
    platform.call('chat', 'POST', `/messages/${body['id']}/feedbacks`, { user: 'grace', rating, content: 'Clear.' })
  await rate('like')
  const feedbacks = async (app: string) =>
    (
      (await platform.call(app, 'GET', '/app/feedbacks?limit=101')).body as unknown as {
        data: Record<string, unknown>[]
      }
    ).data.filter(({ message_id }) => message_id === body['id'])
  const [feedback] = await feedbacks('chat')
  expect(feedback).toEqual({
    id: expect.any(String),
    app_id: 'chat',
    conversation_id: body['conversation_id'],
    message_id: body['id'],
    rating: 'like',
    content: 'Clear.',
    from_source: 'user',
    from_end_user_id: expect.any(String),
    from_account_id: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    updated_at: expect.any(String),
  })
  expect(await feedbacks('chatflow')).toEqual([])
  const endUser = `/end-users/${String(feedback?.['from_end_user_id'])}`
  expect((await platform.call('chat', 'GET', endUser)).body).toMatchObject({ app_id: 'chat', session_id: 'grace' })
  for (const [app, path] of [
    ['completion', endUser],
    ['chat', `/end-users/${randomUUID()}`],
  ] as const)
    expect(await platform.call(app, 'GET', path)).toMatchObject({ status: 404, body: { code: 'end_user_not_found' } })
  await rate(null)
  expect(await feedbacks('chat')).toEqual([])
})
