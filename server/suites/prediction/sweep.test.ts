import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Batch } from '#contract/console/batches.ts'
import type { Sweep } from '#contract/console/experiments/sweeps.ts'
import type { Suite } from '#contract/console/suites.ts'
import { type RecordedRequest, sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../../app.testing.ts'
import { createPerson } from '../../auth/people.testing.ts'

const [DOCUMENT, QUOTA, RELAY] = [randomUUID(), randomUUID(), randomUUID()]
const TEXTS = { [QUOTA]: 'Quotas are counted per workspace.', [RELAY]: 'The relay sends each request once.' }
const SETTINGS = [{}, { top_k: 1, retrieval_model: { top_k: 1 } }, { chunk_tokens: 50, is_estimate: true }]

const testConsole = TestConsole.forFile()
/** The dry runs that wait for their answer. */
let pending: (() => void)[] = []
/** Dry runs of `false` the platform does not have. */
let hasDryRun: boolean | 'waits' = true
beforeEach(() => {
  pending = []
  hasDryRun = true
  testConsole.platform.requests.length = 0
  testConsole.platform.script = (request, response) => {
    const answer = () => {
      const reply = toReply(request)
      if (reply) return sendError(response, 200, reply)
      sendError(response, 404, { code: 'not_found', message: 'Nothing at this path.', status: 404 })
    }
    if (hasDryRun === 'waits' && request.path.endsWith('/dry-run')) pending.push(answer)
    else answer()
  }
})

function toReply({ path, body }: RecordedRequest): object | null {
  const toPage = (data: unknown[]) => ({ data, has_more: false, limit: 100, total: data.length, page: 1 })
  if (path.includes('/documents?')) return toPage([{ id: DOCUMENT, name: 'Guide' }])
  if (path.includes('/segments?'))
    return toPage(Object.entries(TEXTS).map(([id, content]) => ({ id, content, tokens: 10, enabled: true })))
  if (!path.endsWith('/dry-run') || hasDryRun === false) return null
  const { queries, retrieval_model } = JSON.parse(body) as { queries: string[]; retrieval_model?: { top_k: number } }
  const found = [RELAY, QUOTA].slice(0, retrieval_model?.top_k)
  const records = found.map((segment_id) => ({ segment_id, document_id: DOCUMENT, score: 0.5, tokens: 7 }))
  return { results: queries.map((query) => ({ query, records, search_method: 'keyword_search' })) }
}
const countDryRuns = () => testConsole.platform.requests.filter(({ path }) => path.endsWith('/dry-run')).length

const createSuite = () =>
  testConsole.json<Suite>('POST', '/api/suites', {
    workspace: testConsole.workspace,
    name: 'Terms',
    target: 'retrieval',
    about: randomUUID(),
    cases: [
      { input: { query: 'How are quotas counted?' }, expected: { segments: [{ id: QUOTA }] } },
      { input: { query: 'Who sends a request?' }, expected: { segments: [{ id: RELAY }] } },
    ],
  })
const toPath = ({ id }: Suite) => `/api/suites/${id}/sweeps`
const start = async (suite: Suite, settings: object[] = SETTINGS, id: string = randomUUID()) =>
  (await testConsole.json<{ sweep: Sweep }>('POST', toPath(suite), { id, settings })).sweep
const readLast = async (suite: Suite) =>
  (await testConsole.json<{ sweep: Sweep | null }>('GET', `${toPath(suite)}/last`)).sweep
const waitFor = (suite: Suite, state: Batch['state']) =>
  vi.waitFor(
    async () => {
      const sweep = await readLast(suite)
      expect(sweep?.batch).toMatchObject({ state, counts: { running: 0 } })
      return sweep
    },
    { interval: 20 },
  )

it('asks the cases with each setting on the server, and records neither a call nor an experiment', async () => {
  const suite = await createSuite()
  expect(await readLast(suite)).toBeNull()
  const { batch } = await start(suite)
  expect(batch).toMatchObject({ kind: 'sweep', total: 3, person: 'admin' })
  const sweep = await waitFor(suite, 'ended')
  const [current, smaller, estimate] = sweep?.settings ?? []
  expect(current).toMatchObject({ number: 1, state: 'succeeded', source: 'dry_run', questions: 2, hit: 1, mrr: 0.75 })
  expect(smaller).toMatchObject({ values: { top_k: 1 }, source: 'dry_run', hit: 0.5, tokens: 7, best: null })
  expect(estimate).toMatchObject({ values: { chunk_tokens: 50, is_estimate: true }, source: 'estimate', questions: 2 })
  expect(await testConsole.query('SELECT FROM calls')).toHaveLength(0)
  expect(await testConsole.list<Batch>('/api/batches')).toEqual([])
  expect(await testConsole.list(`/api/suites/${suite.id}/experiments`)).toEqual([])
  expect(await testConsole.list(`/api/suites/${suite.id}/trend`)).toEqual([])
  expect(await testConsole.json('GET', `/api/suites/${suite.id}`)).toMatchObject({ baseline: null, last: null })
})

it('is paused with the reason where the platform has no dry run and lists no segments', async () => {
  testConsole.platform.script = (_request, response) => sendError(response, 404, { code: 'not_found', status: 404 })
  const suite = await createSuite()
  await start(suite)
  const sweep = await waitFor(suite, 'paused')
  expect(sweep?.batch).toMatchObject({
    pause: 'refused',
    problem: { message: 'The platform has no dry run, and its segments cannot be searched here.' },
  })
  expect(sweep?.settings.every(({ state }) => state === 'waiting')).toBe(true)
})

it('shows a setting that the platform refuses as failed, and goes on', async () => {
  const suite = await createSuite()
  const { script } = testConsole.platform
  testConsole.platform.script = (request, response) => {
    if (!request.body.includes('"top_k":1')) return script(request, response)
    sendError(response, 400, { code: 'invalid_param', message: 'Too small.', status: 400 })
  }
  await start(suite)
  const sweep = await waitFor(suite, 'ended')
  expect(sweep?.settings.map(({ state }) => state)).toEqual(['succeeded', 'failed', 'succeeded'])
  expect(sweep?.settings[1]).toMatchObject({ problem: { kind: 'refused' }, source: null, questions: 0, hit: null })
})

it('is started once for one id, is cancelled, and is replaced only when it has ended', async () => {
  hasDryRun = 'waits'
  const suite = await createSuite()
  const { batch } = await start(suite)
  await vi.waitFor(() => expect(pending).toHaveLength(1))
  expect((await start(suite, SETTINGS, batch.id)).batch.id).toBe(batch.id)
  expect((await testConsole.fetch('POST', toPath(suite), { settings: SETTINGS })).status).toBe(409)
  expect((await testConsole.fetch('DELETE', `/api/suites/${suite.id}`)).status).toBe(409)
  await testConsole.json('POST', `/api/batches/${batch.id}/cancel`)
  pending[0]?.()
  const cancelled = await waitFor(suite, 'ended')
  expect(cancelled?.settings.map(({ state }) => state)).toEqual(['succeeded', 'stopped', 'stopped'])
  expect(countDryRuns()).toBe(1)

  hasDryRun = true
  const next = await start(suite, [{}])
  expect((await waitFor(suite, 'ended'))?.batch.id).toBe(next.batch.id)
  expect((await testConsole.fetch('GET', `/api/batches/${batch.id}`)).status).toBe(404)
  await testConsole.json('DELETE', `/api/suites/${suite.id}`)
  expect((await testConsole.fetch('GET', `/api/batches/${next.batch.id}`)).status).toBe(404)
})

it('executes a row again whose server died', async () => {
  hasDryRun = 'waits'
  const suite = await createSuite()
  const { batch } = await start(suite, [{}, { top_k: 1 }])
  await vi.waitFor(() => expect(pending).toHaveLength(1))
  await testConsole.json('POST', `/api/batches/${batch.id}/pause`)
  pending[0]?.()
  await waitFor(suite, 'paused')
  hasDryRun = true
  // As a server that is killed leaves it.
  await testConsole.query(
    `UPDATE batch_rows SET state = 'running', run_id = gen_random_uuid(), attempts = 1, result = NULL WHERE batch_id = $1`,
    [batch.id],
  )
  await testConsole.json('POST', `/api/batches/${batch.id}/start`, {})
  const ended = await waitFor(suite, 'ended')
  expect(ended?.settings.map(({ source }) => source)).toEqual(['dry_run', 'dry_run'])
})

it('belongs to those with access to its key, and a viewer starts none', async () => {
  const suite = await createSuite()
  await start(suite)
  await waitFor(suite, 'ended')
  const { keys, workspace } = testConsole
  const chatOnly = await createPerson(testConsole, 'operator', [[workspace, keys.chat]])
  const viewer = await createPerson(testConsole, 'viewer')
  const statusFor = async ({ cookie }: { cookie: string }, method: string, path: string, body?: object) =>
    (await testConsole.fetch(method, path, body, { cookie })).status
  expect(await statusFor(chatOnly, 'GET', `${toPath(suite)}/last`)).toBe(404)
  expect(await statusFor(viewer, 'GET', `${toPath(suite)}/last`)).toBe(200)
  expect(await statusFor(viewer, 'POST', toPath(suite), { settings: SETTINGS })).toBe(403)
})
