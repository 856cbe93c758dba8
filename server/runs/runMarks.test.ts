import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Call, CallStats } from '#contract/console/calls.ts'
import type { Run } from '#contract/console/runs.ts'
import type { SavedItem } from '#contract/console/savedItems.ts'
import { answerSlowly, createAnswerIds, sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { createPerson } from '../auth/people.testing.ts'

const testConsole = TestConsole.forFile()

async function runOnce(query: string, headers: Record<string, string> = {}): Promise<string> {
  testConsole.platform.script = (_seen, response) =>
    answerSlowly(response, createAnswerIds(), ['Some words before it, and then the obsidian lamp in the answer.'], 0)
  const response = await testConsole.ask({ query, user: 'ada' }, headers)
  await response.text()
  return response.headers.get('run-id') ?? ''
}
const listRuns = async (query: string) =>
  await testConsole.list<Run>(`/api/runs?workspace=${testConsole.workspace}&${query}`)
const listIds = async (query: string) => (await listRuns(query)).map(({ id }) => id)

it('a run knows where it was started, and is found by it; a script is told from a page', async () => {
  const board = await testConsole.json<SavedItem>('POST', '/api/saved-items', {
    kind: 'board',
    workspace: testConsole.workspace,
    name: 'Three answers',
    value: {},
  })
  const byScript = await runOnce('one')
  const byChat = await runOnce('two', { 'run-origin': 'chat' })
  const byBoard = await runOnce('three', { 'run-origin': 'board', 'run-origin-id': board.id })
  const origins = (await listRuns('')).map(({ id, origin }) => [id, origin])
  expect(origins).toEqual([
    [byBoard, { kind: 'board', id: board.id, name: 'Three answers' }],
    [byChat, { kind: 'chat', id: null, name: null }],
    [byScript, { kind: 'api', id: null, name: null }],
  ])
  expect(await listIds('origin=api')).toEqual([byScript])
  expect(await listIds(`origin=board&resource=${board.id}`)).toEqual([byBoard])
  await testConsole.json('DELETE', `/api/saved-items/${board.id}`)
  expect((await listRuns('origin=board'))[0]?.origin).toEqual({ kind: 'board', id: null, name: null })
})

it('an origin that no page has is refused by name, and nothing is sent', async () => {
  testConsole.platform.requests.length = 0
  for (const origin of ['batch', 'moon']) {
    const refused = await testConsole.ask({ query: 'q', user: 'u' }, { 'run-origin': origin })
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('headers.run-origin')])
  }
  const refused = await testConsole.ask({ query: 'q', user: 'u' }, { 'run-origin': 'board', 'run-origin-id': 'x' })
  expect(await refused.text()).toContain('headers.run-origin-id')
  expect(testConsole.platform.requests).toEqual([])
})

it('runs carry tags and a note, one by one and together', async () => {
  const [one, other] = [await runOnce('first'), await runOnce('second')]
  const set = await testConsole.json<Run>('PATCH', `/api/runs/${one}`, {
    tags: ['good', 'good', 'to review'],
    run_note: ' Why so slow? ',
  })
  expect(set).toMatchObject({ tags: ['good', 'to review'], run_note: 'Why so slow?' })
  expect(
    await testConsole.json('POST', '/api/run-tags', { run_ids: [one, other], add: ['v2'], remove: ['good'] }),
  ).toEqual({ updated: 2 })
  expect(await testConsole.json<Run>('GET', `/api/runs/${one}`)).toMatchObject({
    tags: ['to review', 'v2'],
    run_note: 'Why so slow?',
  })
  expect(await listIds('tag=v2')).toEqual([other, one])
  expect(await listIds('tag=good')).toEqual([])
  const tags = await testConsole.json<{ data: unknown }>('GET', `/api/run-tags?workspace=${testConsole.workspace}`)
  expect(tags.data).toEqual([
    { tag: 'v2', runs: 2 },
    { tag: 'to review', runs: 1 },
  ])
  expect(await testConsole.json<Run>('PATCH', `/api/runs/${one}`, { tags: [], run_note: null })).toMatchObject({
    tags: [],
    run_note: null,
  })
  expect(await listIds('tag=to%20review')).toEqual([])
})

it('bad tags are refused by their field, and of several runs none is changed', async () => {
  const run = await runOnce('third')
  const refused = await testConsole.fetch('POST', '/api/run-tags', { run_ids: [run, randomUUID()], add: ['x'] })
  expect(refused.status).toBe(404)
  expect((await testConsole.json<Run>('GET', `/api/runs/${run}`)).tags).toEqual([])
  for (const tags of [['a,b'], [' '], ['x'.repeat(41)], Array.from({ length: 21 }, (_, index) => `t${index}`)]) {
    const bad = await testConsole.fetch('PATCH', `/api/runs/${run}`, { tags })
    expect([bad.status, await bad.text()]).toEqual([400, expect.stringContaining('body.tags')])
  }
  const many = Array.from({ length: 20 }, (_, index) => `t${index}`)
  await testConsole.json('PATCH', `/api/runs/${run}`, { tags: many })
  const full = await testConsole.fetch('POST', '/api/run-tags', { run_ids: [run], add: ['one more'] })
  expect([full.status, await full.text()]).toEqual([400, expect.stringContaining('body.add')])
})

it('an answer has the rating that was last given here, by whom, and is found by it', async () => {
  const [good, bad, unrated, other] = [
    await runOnce('rated up'),
    await runOnce('rated down'),
    await runOnce('not rated any more'),
    await runOnce('never rated'),
  ]
  const { name, cookie } = await createPerson(testConsole, 'operator')
  const rate = async (run_id: string, rating: string | null, headers: Record<string, string> = {}) => {
    testConsole.platform.script = (_seen, response) => sendError(response, 200, { result: 'success' })
    const { message_id } = await testConsole.json<Run>('GET', `/api/runs/${run_id}`)
    const path = `/api/keys/${testConsole.keys.chat}/messages/${message_id}/feedbacks`
    const body = { rating, user: 'ada', content: 'says "rating":"dislike" \u0000' }
    expect((await testConsole.fetch('POST', path, body, headers)).status).toBe(200)
  }
  await rate(good, 'dislike')
  await rate(good, 'like', { cookie })
  await rate(bad, 'dislike')
  await rate(unrated, 'like')
  await rate(unrated, null)
  const rows = await listRuns(`ids=${[good, bad, unrated, other].join(',')}`)
  expect(rows.map(({ rating }) => rating && [rating.rating, rating.person])).toEqual([
    null,
    null,
    ['dislike', 'admin'],
    ['like', name],
  ])
  expect(await testConsole.json<Run>('GET', `/api/runs/${good}`)).toMatchObject({ rating: { rating: 'like' } })
  expect(await listIds('rating=like')).toEqual([good])
  expect(await listIds('rating=dislike')).toEqual([bad])
  expect(await listIds('rating=dislike&sort=duration&order=desc')).toEqual([bad])
  expect(await listIds(`rating=like&key=${testConsole.keys.completion}`)).toEqual([])
  const calls = await testConsole.json<{ data: Call[] }>('GET', '/api/calls?rating=like')
  expect(calls.data.map(({ id }) => id)).toEqual([good])
  expect((await testConsole.fetch('GET', '/api/runs?rating=good')).status).toBe(400)
})

it('a search shows where the words were found', async () => {
  const run = await runOnce('What hangs there?')
  const [found] = await listRuns('q=OBSIDIAN%20lamp&limit=1')
  expect(found).toMatchObject({ id: run, excerpt: expect.stringContaining('the obsidian lamp in the answer') })
  expect((await listRuns('limit=1'))[0]).not.toHaveProperty('excerpt')
})

it('selected runs are listed by their ids, and a failure names its message', async () => {
  const run = await runOnce('fourth')
  testConsole.platform.script = (_seen, response) =>
    sendError(response, 400, { code: 'provider_quota_exceeded', message: 'Quota of 12 is spent', status: 400 })
  const failing = await testConsole.ask({ query: 'fifth', user: 'ada' })
  await failing.text()
  const failed = failing.headers.get('run-id') ?? ''
  expect(await listIds(`ids=${run},${failed}`)).toEqual([failed, run])
  const [row] = await listRuns(`ids=${failed}`)
  expect(row?.error_message).toContain('Quota of 12 is spent')
  const stats = await testConsole.json<CallStats>(
    'GET',
    `/api/call-stats?kind=runs&group=failure&workspace=${testConsole.workspace}`,
  )
  expect(stats.groups).toHaveLength(1)
  expect(stats.groups[0]).toMatchObject({ calls: 1, value: expect.stringContaining('Quota of # is spent') })
  const error = encodeURIComponent(stats.groups[0]?.value ?? '')
  expect(await listIds(`error=${error}`)).toEqual([failed])
  for (const bad of ['ids=x', 'group=moon', 'zone=Mars/Base', 'origin=moon'])
    expect([(await testConsole.fetch('GET', `/api/call-stats?${bad}`)).status, bad]).toEqual([400, bad])
})

it('a person with one app sees, counts and tags the runs of that app alone', async () => {
  const run = await runOnce('sixth', { 'run-origin': 'chat' })
  await testConsole.json('PATCH', `/api/runs/${run}`, { tags: ['secret'] })
  const { cookie } = await createPerson(testConsole, 'operator', [[testConsole.workspace, testConsole.keys.workflow]])
  const ask = (method: string, path: string, body?: unknown) => testConsole.fetch(method, path, body, { cookie })
  const stats = (await (await ask('GET', '/api/call-stats?group=app')).json()) as CallStats
  expect(stats).toMatchObject({ total: { calls: 0 }, groups: [] })
  expect(await (await ask('GET', `/api/run-tags?workspace=${testConsole.workspace}`)).json()).toMatchObject({
    data: [],
  })
  expect(((await (await ask('GET', `/api/calls?ids=${run}`)).json()) as { data: Call[] }).data).toEqual([])
  expect((await ask('PATCH', `/api/runs/${run}`, { tags: ['mine'] })).status).toBe(404)
  expect((await ask('POST', '/api/run-tags', { run_ids: [run], add: ['mine'] })).status).toBe(404)
  expect((await testConsole.json<Run>('GET', `/api/runs/${run}`)).tags).toEqual(['secret'])
})
