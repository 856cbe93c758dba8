import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import type { TrendPoint } from '#contract/console/experiments/experimentTrend.ts'
import type { Experiment, ExperimentComparison, Suite } from '#contract/console/suites.ts'
import { sendError, sendAnswer } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { runExperiment as runToEnd } from './experiment.testing.ts'

const testConsole = TestConsole.forFile()
/** What the app answers to a question. */
let answers: Record<string, string> = {}
beforeEach(() => {
  answers = {}
  testConsole.platform.script = ({ body }, response) => {
    const answer = answers[(JSON.parse(body) as { query: string }).query]
    if (answer === undefined) return sendError(response, 400, { code: 'invalid_param', message: 'No.', status: 400 })
    sendAnswer(response, answer)
  }
})

const createSuite = (more: object = {}) =>
  testConsole.json<Suite>('POST', '/api/suites', {
    workspace: testConsole.workspace,
    name: 'Answers',
    target: 'chat',
    about: testConsole.keys.chat,
    checks: [{ type: 'contains', value: 'yes' }],
    cases: ['a', 'b', 'c', 'd'].map((query) => ({ input: { query } })),
    ...more,
  })
const runExperiment = ({ id }: Suite, given: object = {}) => runToEnd(testConsole, id, given)
const compare = (before: Experiment, after: Experiment, query = '') =>
  testConsole.json<ExperimentComparison>('GET', `/api/experiments/${after.id}/comparison?with=${before.id}${query}`)
const listChanges = ({ data }: ExperimentComparison) => data.map(({ case_name, change }) => [case_name, change])

it('tells fixed cases from regressed ones, with the run and the reason of each, and the pages of one change', async () => {
  const suite = await createSuite()
  answers = { a: 'yes', b: 'no', c: 'yes', d: 'no' }
  const before = await runExperiment(suite, { tags: { 'git.sha': '1' } })
  answers = { a: 'yes', b: 'yes', c: 'no', d: 'no' }
  const after = await runExperiment(suite, { tags: { 'git.sha': '2' } })
  const comparison = await compare(before, after)
  expect(comparison).toMatchObject({
    before: { id: before.id },
    after: { id: after.id },
    counts: { regressed: 1, fixed: 1, flaky: 0, still_failing: 1, error: 0, missing: 0, still_passing: 1 },
    edited: 0,
    pass_rates: { before: { passed: 2, total: 4 }, after: { passed: 2, total: 4 } },
    test: { fixed: 1, regressed: 1, p_value: null, conclusion: 'too_few' },
    differences: [{ name: 'tags.git.sha', before: '1', after: '2' }],
    knowledge_edits: null,
    total: 4,
  })
  expect(listChanges(comparison)).toEqual([
    ['c', 'regressed'],
    ['b', 'fixed'],
    ['d', 'still_failing'],
    ['a', 'still_passing'],
  ])
  const [regressed] = comparison.data
  expect(regressed?.before).toMatchObject({ outcome: 'pass', reason: null })
  expect(regressed?.after).toMatchObject({
    outcome: 'fail',
    reason: expect.stringMatching(/^The answer does not contain “yes”. The answer is “/) as string,
  })
  expect(await testConsole.json('GET', `/api/runs/${regressed?.after?.run}`)).toMatchObject({ status: 'succeeded' })
  expect(listChanges(await compare(before, after, '&change=fixed'))).toEqual([['b', 'fixed']])
  expect(await compare(before, after, '&limit=3&page=2')).toMatchObject({
    data: [{ case_name: 'a' }],
    total: 4,
    has_more: false,
  })
})

it('sums the last experiments up for charts, oldest first', async () => {
  const suite = await createSuite()
  answers = { a: 'yes', b: 'no', c: 'yes' }
  const first = await runExperiment(suite)
  answers = { a: 'yes', b: 'yes', c: 'yes', d: 'yes' }
  const second = await runExperiment(suite, { repetitions: 2 })
  await testConsole.json('POST', `/api/experiments/${second.id}/approve`, { is_baseline: true })
  const waiting = await testConsole.json<Experiment>('POST', `/api/suites/${suite.id}/experiments`, { only: 1 })
  expect(waiting.suite).toBe(suite.id)
  const { data, total } = await testConsole.json<{ data: TrendPoint[]; total: number }>(
    'GET',
    `/api/suites/${suite.id}/trend`,
  )
  expect(total).toBe(2)
  expect(data).toMatchObject([
    { experiment: first.id, is_baseline: false, pass_rate: { passed: 2, total: 3 } },
    { experiment: second.id, is_baseline: true, pass_rate: { passed: 4, total: 4, high: 1 } },
  ])
  expect(data[0]?.latency?.p95).toBeGreaterThanOrEqual(data[0]?.latency?.p50 ?? Infinity)
})

it('counts the changes of a dataset between two experiments of its retrieval', async () => {
  const dataset = randomUUID()
  const segment = { id: randomUUID(), content: 'text', document_id: randomUUID() }
  testConsole.platform.script = ({ path }, response) =>
    sendError(
      response,
      200,
      path.includes('retrieve') ? { query: {}, records: [{ segment, score: 1 }] } : { id: dataset },
    )
  const suite = await createSuite({
    target: 'retrieval',
    about: dataset,
    checks: [{ type: 'hit@k' }],
    cases: [{ input: { query: 'a' }, expected: { segments: [{ id: segment.id }] } }],
  })
  const before = await runExperiment(suite)
  await testConsole.json('PATCH', `/api/keys/${testConsole.keys.knowledge}/datasets/${dataset}`, { name: 'Renamed' })
  const after = await runExperiment(suite)
  const { knowledge_edits } = await compare(before, after)
  expect(knowledge_edits).toMatchObject({ count: 1, from: before.batch.created_at, to: after.batch.ended_at })
  expect((await compare(after, before)).knowledge_edits).toEqual(knowledge_edits)
})
