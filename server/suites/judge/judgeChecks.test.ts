import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import type { Experiment, Suite } from '#contract/console/suites.ts'
import {
  createAnswerIds,
  openStream,
  sendError,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../../app.testing.ts'
import { createPerson } from '../../auth/people.testing.ts'
import { listResults, waitForExperiment } from '../experiment.testing.ts'

interface SentBody {
  query?: string
  inputs: Record<string, string>
}

const testConsole = TestConsole.forFile()
/** What the judge answers to each question, in order; the last one again and again. */
let judgeReplies: (string | ((response: ServerResponse) => void))[] = []
let judged: string[] = []

beforeEach(() => {
  judgeReplies = ['{"pass": true, "score": 0.9, "reason": "It is right."}']
  judged = []
  testConsole.platform.requests.length = 0
  // The chat key is the app, and the completion key is the judge.
  testConsole.platform.script = ({ method, path, body, headers }, response) => {
    if (method === 'GET') return sendError(response, 404, { code: 'not_found', message: 'No.', status: 404 })
    const isJudge = path.includes('completion')
    const { inputs } = JSON.parse(body) as SentBody
    if (isJudge) judged.push(String(inputs.query ?? inputs.text))
    const reply = isJudge
      ? judgeReplies.length > 1
        ? judgeReplies.shift()
        : judgeReplies[0]
      : headers.authorization?.endsWith('other')
        ? 'The other app.'
        : 'Within 30 days.'
    if (typeof reply === 'function') return reply(response)
    const ids = createAnswerIds()
    openStream(response)
    response.write(toMessageBlock(ids, reply ?? ''))
    const usage = { total_tokens: isJudge ? 100 : 10, total_price: isJudge ? '0.03' : '0.002', currency: 'USD' }
    response.end(
      toMessageEndBlock(ids, {
        usage,
        retriever_resources: [{ segment_id: randomUUID(), document_id: 'd', content: 'Returns: 30 days.', score: 1 }],
      }),
    )
  }
})

const createSuite = (checks: object[]) =>
  testConsole.json<Suite>('POST', '/api/suites', {
    workspace: testConsole.workspace,
    name: 'Judged',
    target: 'chat',
    about: testConsole.keys.chat,
    cases: [{ input: { query: 'Returns?' }, expected: { answer: '30 days' } }],
    checks: checks.map((check) => ({ judge: testConsole.keys.completion, ...check })),
  })
const start = ({ id }: Suite, given: object = {}) =>
  testConsole.json<Experiment>('POST', `/api/suites/${id}/experiments`, given)
const waitForEnd = ({ id }: Pick<Experiment, 'id'>) => waitForExperiment(testConsole, id)
const listVerdicts = async ({ id }: Experiment) => (await listResults(testConsole, id))[0]?.verdicts
const RUBRIC = { type: 'llm-rubric', value: 'names a period' }

it('asks the judge about each answer, in a run of the ledger that the verdict names, and counts what it costs', async () => {
  const experiment = await waitForEnd(await start(await createSuite([RUBRIC, { type: 'context-faithfulness' }])))
  expect(experiment).toMatchObject({ outcomes: { pass: 1 }, batch: { tokens: 210, prices: [{ total: '0.062' }] } })
  const verdicts = await listVerdicts(experiment)
  expect(verdicts).toMatchObject([
    { type: 'llm-rubric', verdict: 'pass', score: 0.9, reason: 'It is right.', judge_run: expect.any(String) },
    { type: 'context-faithfulness', verdict: 'pass', judge_run: expect.any(String) },
  ])
  expect(judged[0]).toContain('"rubric": "names a period"')
  expect(judged[1]).toContain('Returns: 30 days.')
  const run = await testConsole.json<Run>('GET', `/api/runs/${verdicts?.[0]?.judge_run}`)
  expect(run).toMatchObject({
    status: 'succeeded',
    entry: 'completion.send',
    key: testConsole.keys.completion,
    total_price: '0.03',
    origin: { kind: 'batch', id: experiment.id },
  })
  expect(run.frames).toBeGreaterThan(0)
})

it('asks a second time where the first answer is no JSON, and then says that it cannot be decided', async () => {
  judgeReplies = ['I think it passes.', 'Sure:\n```json\n{"pass": false, "reason": "No."}\n```']
  const second = await waitForEnd(await start(await createSuite([RUBRIC])))
  expect(second.outcomes).toEqual({ pass: 0, fail: 1, error: 0 })
  expect(await listVerdicts(second)).toMatchObject([{ verdict: 'fail', score: 0, reason: 'No.' }])
  judgeReplies = ['I think it passes.']
  judged = []
  const never = await waitForEnd(await start(await createSuite([{ ...RUBRIC, type: 'not-llm-rubric' }])))
  expect(never).toMatchObject({ outcomes: { pass: 0, fail: 0, error: 1 }, batch: { tokens: 210 } })
  expect((await listVerdicts(never))?.[0]).toMatchObject({ verdict: 'error', judge_run: expect.any(String) })
  expect((await listVerdicts(never))?.[0]?.reason).toContain('“I think it passes.”')
  expect(judged).toHaveLength(2)
})

it('uses the run of a judge that is in the ledger after a crash, and asks for what is missing', async () => {
  const suite = await createSuite([RUBRIC, { type: 'factuality' }])
  const first = await waitForEnd(await start(suite))
  const before = await listVerdicts(first)
  const { pool } = testConsole.database
  // As it is when the server was killed between two judges.
  await pool.query('DELETE FROM frames WHERE call_id = $1', [before?.[1]?.judge_run])
  await pool.query('DELETE FROM calls WHERE id = $1', [before?.[1]?.judge_run])
  await pool.query('UPDATE experiment_results SET outcome = NULL WHERE experiment_id = $1', [first.id])
  await pool.query('DELETE FROM verdicts WHERE experiment_id = $1', [first.id])
  await pool.query(`UPDATE batch_rows SET state = 'running', tokens = NULL WHERE batch_id = $1`, [first.id])
  await pool.query(`UPDATE batches SET state = 'paused', pause = 'person', server_id = NULL WHERE id = $1`, [first.id])
  testConsole.platform.requests.length = 0
  judged = []
  await testConsole.json('POST', `/api/batches/${first.id}/start`, {})
  const again = await waitForEnd(first)
  expect(again).toMatchObject({ outcomes: { pass: 1 }, batch: { tokens: 210 } })
  expect((await listVerdicts(again))?.map(({ judge_run }) => judge_run)).toEqual(before?.map((one) => one.judge_run))
  expect(testConsole.platform.requests).toHaveLength(1)
  expect(judged[0]).toContain('"expected": "30 days"')
})

it('takes only apps of the workspace as judges', async () => {
  const { workspace, keys } = testConsole
  const refuse = async (judge: string) => {
    const checks = [{ ...RUBRIC, judge }]
    const body = { workspace, name: 'x', target: 'chat', about: keys.chat, checks }
    const response = await testConsole.fetch('POST', '/api/suites', body)
    return [response.status, await response.text()]
  }
  expect(await refuse(keys.knowledge)).toEqual([400, expect.stringContaining('body.checks')])
  expect((await refuse(randomUUID()))[0]).toBe(404)
  const other = await testConsole.json<{ id: string }>('POST', '/api/workspaces', {
    name: 'Other',
    base_url: testConsole.platform.url,
  })
  const foreign = await testConsole.json<{ id: string }>('POST', `/api/workspaces/${other.id}/keys`, {
    kind: 'chat',
    label: 'foreign',
    key: 'foreign-key-of-the-judge',
  })
  expect(await refuse(foreign.id)).toEqual([400, expect.stringContaining('workspace')])
})

it('shows the judge no baseline of an app that somebody who reads the experiment or the judge has no access to', async () => {
  const { workspace, keys } = testConsole
  const other = { kind: 'chat', label: 'other', key: `${testConsole.secretKey}-other` }
  const { id: otherKey } = await testConsole.json<{ id: string }>('POST', `/api/workspaces/${workspace}/keys`, other)
  const suite = await createSuite([{ type: 'pairwise', against: 'baseline', value: 'better' }])
  const baseline = await waitForEnd(await start(suite, { key: otherKey }))
  await testConsole.json('POST', `/api/experiments/${baseline.id}/approve`, { is_baseline: true })
  const isShown = async () => {
    judged = []
    judgeReplies = ['{"pass": true, "score": 0.5, "reason": "Alike."}']
    const [verdict] = (await listVerdicts(await waitForEnd(await start(suite)))) ?? []
    const wasShown = judged.join('').includes('The other app.')
    expect(verdict?.verdict === 'error').toBe(!wasShown)
    return wasShown
  }
  expect(await isShown()).toBe(true)
  for (const key of [keys.chat, keys.completion]) {
    const person = await createPerson(testConsole, 'viewer', [[workspace, key]])
    expect(await isShown()).toBe(false)
    const grants = [key, otherKey].map((one) => ({ workspace, key: one }))
    await testConsole.json('PATCH', `/api/people/${person.id}`, { grants })
    expect(await isShown()).toBe(true)
  }
})

it('is run only by who may use its judges, and pauses when that person may no longer', async () => {
  const { workspace, keys } = testConsole
  const suite = await createSuite([RUBRIC])
  const grants = (...ids: string[]) => ids.map((id): [string, string] => [workspace, id])
  const operator = await createPerson(testConsole, 'operator', grants(keys.chat))
  const send = async (path: string, body: object) =>
    (await testConsole.fetch('POST', path, body, { cookie: await operator.begin() })).status
  expect(await send(`/api/suites/${suite.id}/experiments`, {})).toBe(404)
  const { id } = await waitForEnd(await start(suite))
  judged = []
  expect(await send(`/api/batches/${id}/start`, {})).toBe(403)
  await testConsole.json('PATCH', `/api/people/${operator.id}`, {
    grants: [keys.chat, keys.completion].map((key) => ({ workspace, key })),
  })
  let release = () => undefined as unknown
  judgeReplies = [(response) => void (release = () => sendError(response, 400, {}))]
  const path = `/api/suites/${suite.id}/experiments`
  const response = await testConsole.fetch('POST', path, {}, { cookie: await operator.begin() })
  const running = (await response.json()) as Experiment
  await vi.waitFor(() => expect(judged.length).toBeGreaterThan(0))
  await testConsole.json('PATCH', `/api/people/${operator.id}`, { grants: [{ workspace, key: keys.chat }] })
  expect(await testConsole.json('GET', `/api/experiments/${running.id}`)).toMatchObject({
    batch: { state: 'paused', pause: 'no_access' },
  })
  release()
})
