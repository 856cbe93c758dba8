import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import type { Call } from '#contract/console/calls.ts'
import type { Experiment, Suite, SuiteCase } from '#contract/console/suites.ts'
import { sendError, sendAnswer } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { listResults, runExperiment, waitForExperiment } from './experiment.testing.ts'

const DATASET = randomUUID()
const [DOCUMENT, OTHER_DOCUMENT] = [randomUUID(), randomUUID()]
const [FIRST, SECOND, THIRD] = [randomUUID(), randomUUID(), randomUUID()]

const testConsole = TestConsole.forFile()
/** What the platform finds, best first. */
let ranking: string[] = []
beforeEach(() => {
  ranking = [FIRST, SECOND, THIRD]
  testConsole.platform.requests.length = 0
  testConsole.platform.script = (_seen, response) => sendError(response, 200, toReply(ranking))
})

/** What was asked, without the reads of what the dataset is like. */
const listSent = () => testConsole.platform.requests.filter(({ method }) => method === 'POST')
const toReply = (segments: readonly string[]) => ({
  query: { content: 'q' },
  records: segments.map((id, index) => ({
    score: 1 - index / 10,
    segment: { id, content: 'text', document_id: id === THIRD ? OTHER_DOCUMENT : DOCUMENT },
  })),
})
const toCase = (query: string, expected: object) => ({ input: { query }, expected })
const CASES = [
  toCase('First?', { segments: [{ id: SECOND, document_id: DOCUMENT, label: 'second' }] }),
  toCase('Second?', { documents: [{ id: OTHER_DOCUMENT, label: 'other' }] }),
  toCase('Third?', { segments: [{ id: randomUUID(), label: 'gone' }] }),
]
const createSuite = (cases: object[] = CASES, more: object = {}) =>
  testConsole.json<Suite>('POST', '/api/suites', {
    workspace: testConsole.workspace,
    name: 'Terms',
    target: 'retrieval',
    about: DATASET,
    cases,
    ...more,
  })
const listCases = async (id: string) => await testConsole.list<SuiteCase>(`/api/suites/${id}/cases`)

it('runs the cases of a suite as calls of the ledger, and measures what was found', async () => {
  const suite = await createSuite()
  expect(suite).toMatchObject({ cases: 3, revision: 1, checks: [{ type: 'hit@k' }], last: null, baseline: null })
  const retrieval_model = {
    search_method: 'keyword_search',
    top_k: 3,
    reranking_enable: false,
    score_threshold_enabled: false,
  }
  const experiment = await runExperiment(testConsole, suite.id, { retrieval_model })
  expect(experiment).toMatchObject({
    outcomes: { pass: 2, fail: 1, error: 0 },
    target: { dataset_id: DATASET, key: testConsole.keys.knowledge, source: 'retrieve', retrieval_model },
    batch: { kind: 'experiment', total: 3, counts: { succeeded: 3 } },
  })
  expect(experiment.metrics.hit).toBeCloseTo(2 / 3)
  expect(experiment.metrics.mrr).toBeCloseTo((1 / 2 + 1 / 3) / 3)
  expect(experiment.metrics.ndcg).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(4)) / 3)
  const results = await listResults(testConsole, experiment.id)
  expect(results.map(({ case_name, outcome, rank }) => [case_name, outcome, rank])).toEqual([
    ['First?', 'pass', 2],
    ['Second?', 'pass', 3],
    ['Third?', 'fail', 0],
  ])
  expect(results[2]?.verdicts).toEqual([
    { type: 'hit@k', verdict: 'fail', score: 0, judge_run: null, reason: 'Not among the 3 results.' },
  ])
  expect(results[0]?.found.map(({ segment_id }) => segment_id)).toEqual(ranking)
  expect(await listResults(testConsole, experiment.id, '?outcome=fail')).toHaveLength(1)
  const call = await testConsole.json<Call>('GET', `/api/calls/${results[0]?.run}`)
  expect(call).toMatchObject({
    entry: 'adjacent.retrieve',
    title: 'First?',
    request: { query: 'First?', retrieval_model },
  })
  const listed = await testConsole.json<{ data: Suite[] }>(
    'GET',
    `/api/suites?workspace=${testConsole.workspace}&about=${DATASET}`,
  )
  expect(listed.data[0]).toMatchObject({ id: suite.id, last: { id: experiment.id, outcomes: { pass: 2 } } })
  expect(await testConsole.list<unknown>('/api/batches')).toEqual([])
})

it('shows the ranks of the last experiments, newest first, and repetitions that disagree as flaky', async () => {
  const suite = await createSuite([CASES[0] ?? {}])
  await runExperiment(testConsole, suite.id)
  ranking = [SECOND]
  await runExperiment(testConsole, suite.id)
  let calls = 0
  testConsole.platform.script = ({ method }, response) =>
    sendError(response, 200, toReply(method === 'POST' && calls++ === 0 ? [FIRST] : [SECOND]))
  await runExperiment(testConsole, suite.id, { repetitions: 3, at_once: 1 })
  const [one] = await listCases(suite.id)
  expect(one?.results.map(({ outcome, rank }) => [outcome, rank])).toEqual([
    ['flaky', 0],
    ['pass', 1],
    ['pass', 2],
  ])
})

it('keeps the text of a case with which an experiment ran, and begins a revision with each change', async () => {
  const suite = await createSuite()
  const before = await runExperiment(testConsole, suite.id)
  const [one] = await listCases(suite.id)
  const path = `/api/suites/${suite.id}/cases/${one?.id}`
  await testConsole.json('PATCH', path, { input: { query: 'First, please?' }, name: 'Please' })
  await testConsole.json('DELETE', `/api/suites/${suite.id}/cases/${(await listCases(suite.id))[2]?.id}`)
  const added = await testConsole.json('POST', `/api/suites/${suite.id}/cases`, {
    cases: [CASES[1], toCase('Fourth?', {})],
  })
  expect(added).toMatchObject({ added: 1, duplicates: 1 })
  expect(await testConsole.json('GET', `/api/suites/${suite.id}`)).toMatchObject({ revision: 4, cases: 3 })
  expect((await listCases(suite.id)).map(({ name }) => name)).toEqual(['Please', 'Second?', 'Fourth?'])
  const names = (await listResults(testConsole, before.id)).map(({ case_name }) => case_name)
  expect(names).toEqual(['First?', 'Second?', 'Third?'])
  const revisions = await testConsole.json<{ data: SuiteCase[] }>('GET', `${path}/revisions`)
  expect(revisions.data.map(({ revision, name }) => [revision, name])).toEqual([
    [2, 'Please'],
    [1, 'First?'],
  ])
  const after = await runExperiment(testConsole, suite.id)
  expect(after.suite_revision).toBe(4)
  // A case that names nothing cannot be decided.
  expect((await listResults(testConsole, after.id))[2]).toMatchObject({
    case_name: 'Fourth?',
    outcome: 'error',
    rank: null,
  })
})

it('keeps cases that ask the same and check it otherwise, and refuses characters that cannot be stored', async () => {
  const suite = await createSuite([])
  const add = (cases: object[]) => testConsole.fetch('POST', `/api/suites/${suite.id}/cases`, { cases })
  const toChecked = (value: string) => ({ ...toCase('First?', {}), checks: [{ type: 'cites', value: [value] }] })
  const first = await add([toChecked('a'), toChecked('b'), toChecked('a')])
  expect(await first.json()).toMatchObject({ added: 2, duplicates: 1 })
  expect(await (await add([toChecked('b')])).json()).toMatchObject({ added: 0, duplicates: 1 })

  const refusals = [
    [{ input: { query: 'a\0' } }, 'body.cases.0.input.query has a character that cannot be stored'],
    [{ input: { query: 'a', inputs: { v: ['\ud800'] } } }, 'body.cases.0.input.inputs.v.0 has a character'],
    [{ input: { query: 'a' }, expected: { answer: '\0' } }, 'body.cases.0.expected.answer has a character'],
    [{ input: { query: 'a' }, tags: ['b', '\0'] }, 'body.cases.0.tags.1 has a character'],
  ] as const
  for (const [one, message] of refusals) {
    const response = await add([one])
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(message)])
  }
  const [one] = await listCases(suite.id)
  const path = `/api/suites/${suite.id}/cases/${one?.id}`
  expect((await testConsole.fetch('PATCH', path, { input: { query: '\0' } })).status).toBe(400)
  // One that was stored would end every later addition.
  expect((await add([{ input: { query: 'Another?' } }])).status).toBe(200)
})

it('stops after a dry run, goes on when it is resumed, and tells refusals from misses', async () => {
  const suite = await createSuite()
  const id = randomUUID()
  await testConsole.json('POST', `/api/suites/${suite.id}/experiments`, { id, only: 1 })
  expect((await waitForExperiment(testConsole, id, 'paused')).batch).toMatchObject({
    pause: 'dry_run',
    counts: { succeeded: 1, waiting: 2 },
  })
  testConsole.platform.script = (_seen, response) =>
    sendError(response, 400, { code: 'bad', message: 'Too odd.', status: 400 })
  await testConsole.json('POST', `/api/batches/${id}/start`, {})
  expect((await waitForExperiment(testConsole, id)).outcomes).toEqual({ pass: 1, fail: 0, error: 2 })
  // The same id again is the same experiment.
  expect(await testConsole.json('POST', `/api/suites/${suite.id}/experiments`, { id })).toMatchObject({ id })
  testConsole.platform.script = (_seen, response) => sendError(response, 200, toReply(ranking))
  await testConsole.json('POST', `/api/batches/${id}/retry`, { states: ['failed'] })
  expect((await waitForExperiment(testConsole, id)).outcomes).toEqual({ pass: 2, fail: 1, error: 0 })
})

it('measures the sources of an app’s answers where a chat key is given, as runs that say so', async () => {
  const suite = await createSuite()
  const sources = [FIRST, SECOND].map((segment_id) => ({ segment_id, document_id: DOCUMENT, dataset_id: DATASET }))
  testConsole.platform.script = (_seen, response) => sendAnswer(response, 'It is so.', { retriever_resources: sources })
  const given = { key: testConsole.keys.chat, user: 'somebody', inputs: { department: 'Service' } }
  const experiment = await runExperiment(testConsole, suite.id, given)
  expect(experiment).toMatchObject({
    target: { source: 'chat', key: testConsole.keys.chat },
    outcomes: { pass: 1, fail: 2, error: 0 },
    batch: { entry: 'chat.send' },
  })
  const [first] = await listResults(testConsole, experiment.id)
  expect(first).toMatchObject({ rank: 2, outcome: 'pass' })
  const sent = JSON.parse(String(listSent()[0]?.body)) as unknown
  expect(sent).toMatchObject({ query: 'First?', user: 'somebody', inputs: { department: 'Service' } })
  expect(await testConsole.json('GET', `/api/runs/${first?.run}`)).toMatchObject({ status: 'succeeded' })
})

it('takes an ended experiment as the baseline, one for each suite', async () => {
  const suite = await createSuite()
  const [one, other] = [await runExperiment(testConsole, suite.id), await runExperiment(testConsole, suite.id)]
  const approve = (id: string, is_baseline: boolean) =>
    testConsole.json<Experiment>('POST', `/api/experiments/${id}/approve`, { is_baseline })
  expect(await approve(one.id, true)).toMatchObject({ is_baseline: true, approved_by: expect.any(String) })
  await approve(other.id, true)
  expect(await testConsole.json('GET', `/api/suites/${suite.id}`)).toMatchObject({ baseline: other.id })
  expect(await testConsole.json('GET', `/api/experiments/${one.id}`)).toMatchObject({
    is_baseline: false,
    approved_by: null,
  })
  await approve(other.id, false)
  expect(await testConsole.json('GET', `/api/suites/${suite.id}`)).toMatchObject({ baseline: null })
  const audited = await testConsole.list<object>('/api/audit?action=baseline.')
  const about = { about: suite.id, label: 'Terms', workspace: testConsole.workspace, person: 'admin' }
  expect(audited).toMatchObject([
    { ...about, action: 'baseline.withdrawn', detail: { experiment: other.id } },
    { ...about, action: 'baseline.approved', detail: { experiment: other.id, replaced: one.id } },
    { ...about, action: 'baseline.approved', detail: { experiment: one.id, replaced: null } },
  ])
})

it('names the field of what it cannot take, and removes a suite with all that belongs to it', async () => {
  const refuse = (body: object) =>
    testConsole.fetch('POST', '/api/suites', { workspace: testConsole.workspace, name: 'x', ...body })
  const long = await refuse({ target: 'retrieval', about: DATASET, cases: [toCase('q'.repeat(251), {})] })
  expect([long.status, await long.text()]).toEqual([400, expect.stringContaining('body.cases.0.input.query')])
  const noQuery = await refuse({ target: 'retrieval', about: DATASET, cases: [{ input: {} }] })
  expect([noQuery.status, await noQuery.text()]).toEqual([400, expect.stringContaining('is required for a retrieval')])
  expect((await refuse({ target: 'chat', about: DATASET })).status).toBe(404)
  for (const id of ['..', '.']) {
    expect((await refuse({ target: 'retrieval', about: id })).status).toBe(400)
    const cases = [{ input: { query: 'x' }, expected: { documents: [{ id }] } }]
    expect((await refuse({ target: 'retrieval', about: DATASET, cases })).status).toBe(400)
  }
  const empty = await createSuite([])
  expect((await testConsole.fetch('POST', `/api/suites/${empty.id}/experiments`, {})).status).toBe(409)
  const wrongKey = { key: testConsole.keys.workflow }
  expect((await testConsole.fetch('POST', `/api/suites/${empty.id}/experiments`, wrongKey)).status).toBe(400)
  const suite = await createSuite()
  const { id } = await runExperiment(testConsole, suite.id)
  await testConsole.json('DELETE', `/api/suites/${suite.id}`)
  expect((await testConsole.fetch('GET', `/api/experiments/${id}`)).status).toBe(404)
  expect((await testConsole.fetch('GET', `/api/batches/${id}`)).status).toBe(404)
  expect((await testConsole.fetch('GET', `/api/suites/${suite.id}`)).status).toBe(404)
})

it('finishes the rows of a server that was killed, and asks none of them twice', async () => {
  const suite = await createSuite()
  const { id } = await runExperiment(testConsole, suite.id)
  const { pool } = testConsole.database
  // As it was between the end of the call and that of the row: nothing of the result is written.
  const isFirst = 'WHERE experiment_id = $1 AND number = 1'
  await pool.query(`UPDATE experiment_results SET outcome = NULL, rank = NULL ${isFirst}`, [id])
  await pool.query(`DELETE FROM verdicts ${isFirst}`, [id])
  await pool.query(`UPDATE batch_rows SET state = 'running' WHERE batch_id = $1 AND number = 1`, [id])
  await pool.query(`UPDATE batches SET state = 'paused', pause = 'person', server_id = NULL WHERE id = $1`, [id])
  testConsole.platform.requests.length = 0
  await testConsole.json('POST', `/api/batches/${id}/start`, {})
  expect(await waitForExperiment(testConsole, id)).toMatchObject({ outcomes: { pass: 2, fail: 1 } })
  expect((await listResults(testConsole, id))[0]).toMatchObject({
    outcome: 'pass',
    rank: 2,
    verdicts: [{ verdict: 'pass' }],
  })
  expect(listSent()).toHaveLength(0)
})
