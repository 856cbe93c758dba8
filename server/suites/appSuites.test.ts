import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { Suite } from '#contract/console/suites.ts'
import {
  createAnswerIds,
  openStream,
  sendError,
  toEventBlock,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { listResults, runExperiment as runToEnd } from './experiment.testing.ts'
import { createPerson } from '../auth/people.testing.ts'

interface SentBody {
  query?: string
  conversation_id?: string
  inputs: Record<string, unknown>
  response_mode: string
  files?: object[]
  user: string
}

const testConsole = TestConsole.forFile()
beforeEach(() => {
  testConsole.platform.requests.length = 0
  testConsole.platform.script = ({ body }, response) => {
    const { query, conversation_id } = JSON.parse(body) as SentBody
    if (query?.includes('refuse'))
      return sendError(response, 400, { code: 'invalid_param', message: 'No.', status: 400 })
    const ids = { ...createAnswerIds(), ...(conversation_id ? { conversation_id } : {}) }
    const usage = { total_tokens: 10, total_price: '0.002', currency: 'USD' }
    openStream(response)
    response.write(toMessageBlock(ids, query?.includes('delivery') ? 'Within 3 days.' : 'Within 30 days.'))
    if (query?.includes('breaks')) return void response.end()
    response.end(toMessageEndBlock(ids, { usage }))
  }
})

const createSuite = (target: 'chat' | 'completion' | 'workflow', cases: object[], checks?: object[]) =>
  testConsole.json<Suite>('POST', '/api/suites', {
    workspace: testConsole.workspace,
    name: 'Answers',
    target,
    about: testConsole.keys[target],
    cases,
    checks,
  })
const runExperiment = ({ id }: Suite, given: object = {}) => runToEnd(testConsole, id, given)
const listSent = () => testConsole.platform.requests.map(({ body }) => JSON.parse(body) as SentBody)

it('asks a chat app, and says of each check whether it passed and why', async () => {
  const suite = await createSuite(
    'chat',
    [
      { input: { query: 'Returns?' }, expected: { answer: 'Within 30 days.' } },
      { input: { query: 'And delivery?', inputs: { city: 'Rome' } }, expected: { answer: 'Within 30 days.' } },
      { input: { query: 'Costs?' }, checks: [{ type: 'cost', threshold: 1, currency: 'EUR' }] },
    ],
    [{ type: 'equals' }, { type: 'tokens', threshold: 10 }, { type: 'ends-with-terminal-event' }],
  )
  expect(suite).toMatchObject({ target: 'chat', about: testConsole.keys.chat, cases: 3 })
  const experiment = await runExperiment(suite, { user: 'somebody', inputs: { city: 'Paris' } })
  expect(experiment).toMatchObject({
    outcomes: { pass: 1, fail: 1, error: 1 },
    target: { source: 'app', key: testConsole.keys.chat, dataset_id: null },
    batch: { kind: 'experiment', entry: 'chat.send', counts: { succeeded: 3 } },
  })
  const results = await listResults(testConsole, experiment.id)
  expect(results.map(({ case_name, outcome, rank }) => [case_name, outcome, rank])).toEqual([
    ['Returns?', 'pass', null],
    ['And delivery?', 'fail', null],
    ['Costs?', 'error', null],
  ])
  expect(results[1]?.verdicts.map(({ type, verdict, reason }) => [type, verdict, reason])).toEqual([
    ['equals', 'fail', 'The answer is “Within 3 days.”. Character 9 is U+0020, not “0” (U+0030).'],
    ['tokens', 'pass', 'The run used 10 tokens.'],
    ['ends-with-terminal-event', 'pass', 'The terminal event was received.'],
  ])
  expect(results[2]?.verdicts.at(-1)?.reason).toBe('The price is in USD, and the check is in EUR.')
  expect(listSent().sort((one, other) => String(one.query).localeCompare(String(other.query)))).toMatchObject([
    { query: 'And delivery?', inputs: { city: 'Rome' }, user: 'somebody', response_mode: 'streaming' },
    { query: 'Costs?', inputs: { city: 'Paris' } },
    { query: 'Returns?', inputs: { city: 'Paris' } },
  ])
  expect(await testConsole.json('GET', `/api/runs/${results[0]?.run}`)).toMatchObject({ status: 'succeeded' })
})

it('averages the scores of checks that name a metric, by their weights', async () => {
  const suite = await createSuite(
    'chat',
    [
      { input: { query: 'Returns?' }, checks: [{ type: 'contains', value: '30', metric: 'days', weight: 3 }] },
      { input: { query: 'And delivery?' }, checks: [{ type: 'contains', value: '30', metric: 'days', weight: 0 }] },
      { input: { query: 'How is delivery?' }, checks: [{ type: 'contains', value: '30', metric: 'days' }] },
    ],
    [
      { type: 'not-contains', value: 'sorry', metric: 'polite' },
      { type: 'cost', threshold: 1, currency: 'EUR', metric: 'price', weight: 0 },
    ],
  )
  const experiment = await runExperiment(suite)
  expect(experiment.outcomes).toEqual({ pass: 2, fail: 1, error: 0 })
  expect(experiment.scores).toEqual([
    { metric: 'days', average: 0.75, count: 2 },
    { metric: 'polite', average: 1, count: 3 },
  ])
  const plain = await createSuite('chat', [
    { input: { query: 'Returns?' }, checks: [{ type: 'contains', value: '30' }] },
  ])
  expect((await runExperiment(plain)).scores).toEqual([])
})

it('sends the files of a case with its first question', async () => {
  const files = [{ type: 'image', transfer_method: 'remote_url', url: 'https://example.com/a.png' }]
  const suite = await createSuite('chat', [{ input: { earlier_turns: ['See this?'], query: 'And?', files } }], [])
  await runExperiment(suite)
  expect(listSent().map(({ query, files: sent }) => [query, sent])).toEqual([
    ['See this?', files],
    ['And?', undefined],
  ])
  const { workspace } = testConsole
  const retrieval = { workspace, name: 'x', target: 'retrieval', about: randomUUID() }
  const response = await testConsole.fetch('POST', '/api/suites', {
    ...retrieval,
    cases: [{ input: { query: 'x', files } }],
  })
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('cases.0.input.files')])
})

it('cannot decide a conversation that breaks off before its last question, nor a refused one', async () => {
  const suite = await createSuite(
    'chat',
    [{ input: { earlier_turns: ['Please refuse'], query: 'Returns?' } }, { input: { query: 'Just refuse' } }],
    [{ type: 'not-contains', value: '3 days' }],
  )
  const experiment = await runExperiment(suite)
  expect(experiment.outcomes).toEqual({ pass: 0, fail: 0, error: 2 })
  expect(listSent().map(({ query }) => query)).not.toContain('Returns?')
  expect((await listResults(testConsole, experiment.id))[1]).toMatchObject({
    verdicts: [],
    problem: { kind: 'refused' },
  })
})

it('runs a version of a workflow with the inputs of a case, and checks its nodes and outputs', async () => {
  testConsole.platform.script = ({ body }, response) => {
    const { inputs } = JSON.parse(body) as SentBody
    const [workflow_run_id, task_id] = [randomUUID(), randomUUID()]
    const send = (event: string, data: object) =>
      response.write(toEventBlock({ event, workflow_run_id, task_id, data }))
    const node = { id: randomUUID(), node_id: 'sum', node_type: 'code', title: 'Sum', index: 1 }
    openStream(response)
    send('workflow_started', { id: workflow_run_id, workflow_id: 'w', inputs })
    send('node_started', node)
    send('node_finished', { ...node, status: 'succeeded', outputs: { total: 3 }, elapsed_time: 0.1 })
    send('workflow_finished', {
      id: workflow_run_id,
      workflow_id: 'w',
      status: 'succeeded',
      outputs: { total: inputs.broken ? 4 : 3 },
      elapsed_time: 0.2,
      total_tokens: 5,
    })
    response.end()
  }
  const suite = await createSuite(
    'workflow',
    [
      { name: 'Sound', input: { inputs: {} } },
      { name: 'Broken', input: { inputs: { broken: true } } },
    ],
    [
      { type: 'json-path', path: '$.outputs.total', value: 3 },
      { type: 'node-output', node: 'Sum', path: '$.total', value: 3 },
      { type: 'node-latency', node: 'sum', threshold: 100 },
      { type: 'exceptions' },
      { type: 'not-pauses-for-form' },
    ],
  )
  const experiment = await runExperiment(suite, { workflow_id: 'w' })
  expect(experiment).toMatchObject({ outcomes: { pass: 1, fail: 1, error: 0 }, target: { workflow_id: 'w' } })
  expect(testConsole.platform.requests[0]?.path).toContain('/workflows/w/run')
  const [, broken] = await listResults(testConsole, experiment.id)
  expect(broken).toMatchObject({ case_name: 'Broken', outcome: 'fail' })
  expect(broken?.verdicts.map(({ verdict }) => verdict)).toEqual(['fail', 'pass', 'pass', 'pass', 'pass'])
})

it('hides from somebody with one key the experiments with another key, and keeps them and their approval', async () => {
  const suite = await createSuite('chat', [{ input: { query: 'Returns?' } }], [{ type: 'contains', value: '30' }])
  const path = `/api/suites/${suite.id}`
  const { vault } = testConsole.console
  const { id: key } = await vault.createKey(testConsole.workspace, { kind: 'chat', label: 'Other', key: 'other' }, null)
  const other = await runExperiment(suite, { key })
  await testConsole.json('POST', `/api/experiments/${other.id}/approve`, { is_baseline: true })
  const { cookie } = await createPerson(testConsole, 'viewer', [[testConsole.workspace, testConsole.keys.chat]])
  const read = async (url: string) => (await testConsole.fetch('GET', url, undefined, { cookie })).json()
  const readAll = async () => [
    await read(path),
    await read(`/api/suites?workspace=${testConsole.workspace}`),
    await read(`${path}/experiments`),
    await read(`${path}/trend`),
    await read(`${path}/cases`),
  ]
  const list = (ids: string[], toItem: (id: string) => object) => ({ data: ids.map(toItem), total: ids.length })
  expect(await readAll()).toMatchObject([
    { id: suite.id, baseline: null, last: null },
    {
      data: expect.arrayContaining([expect.objectContaining({ id: suite.id, baseline: null, last: null })]) as unknown,
    },
    list([], (id) => ({ id })),
    list([], (experiment) => ({ experiment })),
    { data: [{ results: [] }] },
  ])
  const own = await runExperiment(suite)
  expect(await readAll()).toMatchObject([
    { baseline: null, last: { id: own.id } },
    {},
    list([own.id], (id) => ({ id })),
    list([own.id], (experiment) => ({ experiment })),
    { data: [{ results: [{ experiment: own.id }] }] },
  ])
  expect(await testConsole.json('GET', path)).toMatchObject({ baseline: other.id, last: { id: own.id } })
  expect(await testConsole.json('GET', `${path}/experiments`)).toMatchObject({ total: 2 })
  const operator = await createPerson(testConsole, 'operator', [[testConsole.workspace, testConsole.keys.chat]])
  const change = (method: string, url: string, body?: object, headers = {}) =>
    testConsole.fetch(method, url, body, headers).then(({ status }) => status)
  const approve = (headers = {}) => change('POST', `/api/experiments/${own.id}/approve`, { is_baseline: true }, headers)
  expect(await approve({ cookie: operator.cookie })).toBe(409)
  expect(await change('DELETE', path, undefined, { cookie: operator.cookie })).toBe(409)
  expect(await testConsole.json('GET', path)).toMatchObject({ baseline: other.id })
  expect(await approve()).toBe(200)
  expect(await approve({ cookie: operator.cookie })).toBe(200)
  expect(await change('DELETE', path)).toBe(200)
})

it('finishes a row whose verdict could not be written, and asks nothing twice', async () => {
  const suite = await createSuite('chat', [{ input: { query: 'Returns?' } }], [{ type: 'contains', value: '30' }])
  const { pool } = testConsole.database
  const query = pool.query.bind(pool) as (...given: unknown[]) => unknown
  let writes = 0
  vi.spyOn(pool, 'query').mockImplementation((...given: unknown[]) =>
    JSON.stringify(given[0]).includes('INSERT INTO verdicts') && writes++ === 0
      ? Promise.reject(new Error('Connection terminated'))
      : query(...given),
  )
  onTestFinished(() => void vi.restoreAllMocks())
  const experiment = await runExperiment(suite)
  expect(writes).toBe(2)
  expect(experiment.outcomes).toEqual({ pass: 1, fail: 0, error: 0 })
  expect((await listResults(testConsole, experiment.id))[0]).toMatchObject({ state: 'succeeded', problem: null })
  expect(testConsole.platform.requests).toHaveLength(1)
})
