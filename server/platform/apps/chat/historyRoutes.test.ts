import { expect, test } from 'vitest'
import { createHit, type OpenApps } from '../apps.fixture.ts'
import { setupApps } from '../serveApps.fixture.ts'

const { serve } = setupApps()
let clock = Date.parse('2026-01-01')
const open = () => serve({ find: () => [createHit(1, 'Tea is a drink.')], clock: () => (clock += 1000) })

async function ask(platform: OpenApps, user: string, query: string, conversation_id?: unknown) {
  return (await platform.ask('chat', { query, user, conversation_id })).body
}
const get = (platform: OpenApps, path: string) => platform.call('chat', 'GET', path)
const listIds = (body: Record<string, unknown>) => (body['data'] as { id: string }[]).map(({ id }) => id)

test('conversations are listed for their user, the last used first, page by page', async () => {
  const platform = await open()
  const ids: unknown[] = []
  for (const query of ['one?', 'two?', 'three?']) ids.push((await ask(platform, 'lister', query))['conversation_id'])
  await ask(platform, 'somebody else', 'other?')
  await ask(platform, 'lister', 'again?', ids[0])
  const expected = [ids[0], ids[2], ids[1]]
  const first = await get(platform, '/conversations?user=lister&limit=2')
  expect(listIds(first.body)).toEqual(expected.slice(0, 2))
  expect(first.body).toMatchObject({ has_more: true, limit: 2 })
  const second = await get(platform, `/conversations?user=lister&limit=2&last_id=${listIds(first.body).at(-1)}`)
  expect(listIds(second.body)).toEqual(expected.slice(2))
  expect(second.body['has_more']).toBe(false)
  expect(listIds((await get(platform, '/conversations?user=lister&sort_by=created_at')).body)).toEqual(ids)
  expect((await get(platform, '/conversations?user=somebody&last_id=' + String(ids[0]))).status).toBe(404)
  expect((await get(platform, '/conversations?user=lister&limit=101')).body['message']).toMatch(/^limit /)
  expect(listIds((await get(platform, '/conversations')).body)).toEqual([])
})

test('messages of a conversation are read back in time, each page in the order in which they were said', async () => {
  const platform = await open()
  const first = await ask(platform, 'ada', 'What is tea 1?')
  for (const number of [2, 3]) await ask(platform, 'ada', `What is tea ${number}?`, first['conversation_id'])
  const path = `/messages?user=ada&conversation_id=${String(first['conversation_id'])}&limit=2`
  const latest = await get(platform, path)
  expect(latest.body).toMatchObject({
    has_more: true,
    limit: 2,
    data: [
      {
        query: 'What is tea 2?',
        answer: 'Tea is a drink. [1]',
        status: 'normal',
        error: null,
        parent_message_id: first['message_id'],
        feedback: null,
        message_files: [],
        agent_thoughts: [],
        retriever_resources: [{ position: 1 }],
        currency: 'USD',
      },
      { query: 'What is tea 3?' },
    ],
  })
  const earlier = await get(platform, `${path}&first_id=${listIds(latest.body)[0]}`)
  expect(earlier.body).toMatchObject({ has_more: false, data: [{ id: first['message_id'] }] })
  expect((await get(platform, '/messages?user=ada')).body['message']).toMatch(/^conversation_id /)
  expect((await get(platform, path.replace('ada', 'bob'))).status).toBe(404)
})

test('an answer is rated, the rating is shown, and taken back', async () => {
  const platform = await open()
  const { message_id, conversation_id } = await ask(platform, 'ada', 'What is tea?')
  const path = `/messages/${String(message_id)}/feedbacks`
  const rate = (body: object) => platform.call('chat', 'POST', path, body)
  expect(await rate({ rating: 'like', user: 'ada', content: 'good' })).toEqual({
    status: 200,
    body: { result: 'success' },
  })
  const { body } = await get(platform, `/messages?user=ada&conversation_id=${String(conversation_id)}`)
  expect(body['data']).toMatchObject([{ feedback: { rating: 'like' } }])
  expect((await rate({ rating: null, user: 'ada' })).status).toBe(200)
  expect((await rate({ rating: null, user: 'ada' })).body).toMatchObject({
    code: 'invalid_param',
    message: expect.stringMatching(/rating/),
  })
  expect((await rate({ rating: 'like', user: 'bob' })).status).toBe(404)
  expect((await rate({ rating: 'fine', user: 'ada' })).body['message']).toMatch(/^rating /)
})

test('a conversation is deleted with its messages, by its user alone', async () => {
  const platform = await open()
  const { conversation_id, message_id } = await ask(platform, 'ada', 'What is tea?')
  const path = `/conversations/${String(conversation_id)}`
  expect((await platform.call('chat', 'DELETE', path, { user: 'bob' })).status).toBe(404)
  expect((await platform.call('chat', 'DELETE', path, {})).status).toBe(400)
  expect(await platform.call('chat', 'DELETE', path, { user: 'ada' })).toEqual({ status: 204, body: null })
  expect((await platform.call('chat', 'DELETE', path, { user: 'ada' })).status).toBe(404)
  const feedback = { rating: 'like', user: 'ada' }
  expect((await platform.call('chat', 'POST', `/messages/${String(message_id)}/feedbacks`, feedback)).status).toBe(404)
})
