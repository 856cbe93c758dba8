import { expect, it } from 'vitest'
import type { Call } from '#contract/console/calls.ts'
import type { SavedItem } from '#contract/console/savedItems.ts'
import type { Run } from '#contract/console/runs.ts'
import { answerSlowly, createAnswerIds, sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'

const testConsole = TestConsole.forFile()

const DATASET = 'a0000000-0000-4000-8000-000000000001'
const CREATED_ID = 'a0000000-0000-4000-8000-00000000000b'
const listCalls = async (query: string) =>
  (await testConsole.json<{ data: Call[]; total: number }>('GET', `/api/calls?${query}`)).data

it('a call is found by the thing that its path names, by the one that its reply made, and by words; it keeps why', async () => {
  const reply = { document: { id: CREATED_ID, name: 'Lamps', indexing_status: 'waiting' }, batch: 'b1' }
  testConsole.platform.script = (_seen, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  const path = `/api/keys/${testConsole.keys.knowledge}/datasets/${DATASET}/document/create-by-text`
  const body = {
    name: 'Lamps',
    text: 'An obsidian lamp.',
    indexing_technique: 'high_quality',
    doc_form: 'text_model',
    doc_language: 'English',
    process_rule: { mode: 'automatic' },
  }
  const made = await testConsole.fetch('POST', path, body, { note: encodeURIComponent('Weil es fehlt: 灯') })
  expect([made.status, await made.text()]).toEqual([200, expect.stringContaining(CREATED_ID)])
  const [call] = await listCalls(`resource=${CREATED_ID}&include_bodies=true`)
  expect(call).toMatchObject({
    entry: 'documents.createByText',
    status: 'succeeded',
    note: 'Weil es fehlt: 灯',
    http_status: 200,
    params: { dataset_id: DATASET },
    request: { text: 'An obsidian lamp.' },
    reply: { batch: 'b1' },
  })
  expect((await listCalls(`resource=${DATASET}`)).map(({ id }) => id)).toContain(call?.id)
  expect((await listCalls('q=obsidian')).map(({ id }) => id)).toEqual([call?.id])
  expect((await listCalls(`q=obsidian&entry=segments.createChildChunk`)).length).toBe(0)
  const [summary] = await listCalls(`resource=${CREATED_ID}`)
  expect(summary).toMatchObject({ params: { dataset_id: DATASET } })
  expect(summary).not.toHaveProperty('request')
  // The name of `resource` in earlier releases.
  expect((await listCalls(`thing=${CREATED_ID}`)).map(({ id }) => id)).toEqual([call?.id])
  expect(await testConsole.json<Call>('GET', `/api/calls/${call?.id}`)).toMatchObject({
    id: call?.id,
    reply: { batch: 'b1' },
  })
  expect((await testConsole.fetch('GET', `/api/calls/${CREATED_ID}`)).status).toBe(404)
})

it('runs are found by who, when, what was sent and what came, errors included', async () => {
  const runs = async (query: string) => (await testConsole.list<Run>(`/api/runs?${query}`)).map(({ id }) => id)
  testConsole.platform.script = (_seen, response) =>
    answerSlowly(response, createAnswerIds(), ['The answer is ', '黑曜石灯具'], 0)
  const first = await testConsole.ask({ query: 'Which lamp?', user: 'ada' })
  await first.text()
  const lamp = first.headers.get('run-id') ?? ''
  testConsole.platform.script = (_seen, response) =>
    sendError(response, 400, { code: 'provider_quota_exceeded', message: 'Quota is spent', status: 400 })
  const second = await testConsole.ask({ query: 'And then?', user: 'bob' }, { 'run-parent': lamp })
  await second.text()
  const spent = second.headers.get('run-id') ?? ''
  expect(await runs('q=Which%20lamp')).toEqual([lamp])
  expect(await runs(`q=${encodeURIComponent('黑曜石')}`)).toEqual([lamp])
  expect(await runs('q=quota%20is')).toEqual([spent])
  expect(await runs('user=bob')).toEqual([spent])
  expect(await runs(`parent=${lamp}`)).toEqual([spent])
  expect(await runs('person=Nobody')).toEqual([])
  const later = encodeURIComponent(new Date(Date.now() + 60_000).toISOString())
  expect(await runs(`from=${later}`)).toEqual([])
  expect(await runs(`to=${later}`)).toEqual([spent, lamp])
  expect((await testConsole.fetch('GET', '/api/runs?from=yesterday')).status).toBe(400)
})

it('a list of whole calls ends where it has grown large, and goes on from there', async () => {
  for (const [index, minute] of [3, 2, 1].entries())
    await testConsole.query(
      `INSERT INTO calls(id, entry, status, workspace_id, key_id, created_at, resource_ids, request)
       VALUES ($1, 'documents.createByText', 'succeeded', $2, $3, $4, ARRAY['large'], to_json(repeat('x', 9000000)))`,
      [
        `b0000000-0000-4000-8000-00000000000${index}`,
        testConsole.workspace,
        testConsole.keys.knowledge,
        new Date(Date.now() - minute * 60_000),
      ],
    )
  const page = (before = '') =>
    testConsole.json<{ data: Call[]; next: string | null }>(
      'GET',
      `/api/calls?resource=large&include_bodies=true${before}`,
    )
  const first = await page()
  expect(first.data.map(({ id }) => id.at(-1))).toEqual(['2', '1'])
  const second = await page(`&before=${first.next}`)
  expect(second.data.map(({ id }) => id.at(-1))).toEqual(['0'])
  expect(second.next).toBeNull()
  expect(await listCalls('resource=large')).toHaveLength(3)
})

it('what people keep is listed by its place, changed and removed', async () => {
  const place = { kind: 'input_set', workspace: testConsole.workspace, about: DATASET } as const
  const set = await testConsole.json<SavedItem>('POST', '/api/saved-items', {
    ...place,
    name: 'Lamps',
    value: { questions: ['a\u0000b'] },
  })
  await testConsole.json<SavedItem>('POST', '/api/saved-items', {
    ...place,
    about: CREATED_ID,
    name: 'Elsewhere',
    value: null,
  })
  const listed = async () =>
    await testConsole.list<SavedItem>(
      `/api/saved-items?kind=input_set&workspace=${testConsole.workspace}&about=${DATASET}`,
    )
  expect(await listed()).toEqual([set])
  const changed = await testConsole.json<SavedItem>('PATCH', `/api/saved-items/${set.id}`, { value: { questions: [] } })
  expect(changed).toMatchObject({ name: 'Lamps', value: { questions: [] } })
  await testConsole.json('DELETE', `/api/saved-items/${set.id}`)
  expect(await listed()).toEqual([])
  expect((await testConsole.fetch('PATCH', `/api/saved-items/${set.id}`, { name: 'x' })).status).toBe(404)
  expect(
    (await testConsole.fetch('POST', '/api/saved-items', { ...place, workspace: CREATED_ID, name: 'x', value: 1 }))
      .status,
  ).toBe(404)
})
