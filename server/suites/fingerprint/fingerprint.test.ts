import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Experiment, ExperimentComparison, Suite } from '#contract/console/suites.ts'
import { sendError, sendAnswer } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../../app.testing.ts'
import { createPerson } from '../../auth/people.testing.ts'

const DATASET = randomUUID()
const [MANUAL, PRICES, TERMS] = [randomUUID(), randomUUID(), randomUUID()]

const testConsole = TestConsole.forFile()
/** The texts of the segments of each document. */
let documents: Record<string, { name: string; texts: string[] }> = {}
let canList = true
/** The document whose segments are refused. */
let refused = ''
beforeEach(() => {
  canList = true
  refused = ''
  documents = {
    [MANUAL]: { name: 'Manual', texts: ['A lamp lasts long.', 'It is warm.'] },
    [PRICES]: { name: 'Prices', texts: ['It is 3.'] },
  }
  testConsole.platform.script = ({ method, path }, response) => {
    const reply = (body: object) => sendError(response, 200, body)
    const list = (data: object[]) => reply({ data, has_more: false, limit: 100, page: 1, total: data.length })
    const refuse = () => sendError(response, 404, { code: 'not_found', message: 'No.', status: 404 })
    if (method === 'POST') return reply({ query: { content: 'q' }, records: [] })
    if (!canList) return refuse()
    const [, document, isSegments] = /documents(?:\/([^/?]+)(\/segments)?)?\?/.exec(path) ?? []
    if (isSegments && document === refused) return refuse()
    if (isSegments && document)
      return list((documents[document]?.texts ?? []).map((content, index) => ({ id: `s${index}`, content })))
    if (path.includes('/documents?'))
      return list(
        Object.entries(documents).map(([id, { name }]) => ({ id, name, word_count: 3, hit_count: Math.random() })),
      )
    if (path.endsWith(`/datasets/${DATASET}`)) return reply({ id: DATASET, indexing_technique: 'economy' })
    return refuse()
  }
})

const createSuite = () =>
  testConsole.json<Suite>('POST', '/api/suites', {
    workspace: testConsole.workspace,
    name: 'Terms',
    target: 'retrieval',
    about: DATASET,
    cases: [{ input: { query: 'How long?' }, expected: { segments: [{ id: 's0' }] } }],
  })
const run = async ({ id: suite }: Suite, given: object = {}, headers = {}): Promise<Experiment> => {
  const reply = await testConsole.fetch('POST', `/api/suites/${suite}/experiments`, given, headers)
  const { id } = (await reply.json()) as Experiment
  return vi.waitFor(
    async () => {
      const experiment = await testConsole.json<Experiment>('GET', `/api/experiments/${id}`)
      expect(experiment.batch.state).toBe('ended')
      expect(experiment.fingerprint?.end).toBeTruthy()
      return experiment
    },
    { interval: 30, timeout: 10_000 },
  )
}
const compare = (before: Experiment, after: Experiment) =>
  testConsole.json<ExperimentComparison>('GET', `/api/experiments/${after.id}/comparison?with=${before.id}`)

it('is recorded at the start and at the end, and is the same while nothing changes', async () => {
  const suite = await createSuite()
  const first = await run(suite)
  const { start, end } = first.fingerprint ?? {}
  expect(end?.datasets).toEqual([
    { dataset_id: DATASET, hash: expect.any(String), settings: expect.any(String), documents: 2, unknown: [] },
  ])
  expect(start?.datasets).toEqual(end?.datasets)
  const second = await run(suite)
  expect(second.fingerprint?.end?.datasets).toEqual(end?.datasets)
  expect((await compare(first, second)).differences).toEqual([])
})

it('names the documents that differ between two experiments', async () => {
  const suite = await createSuite()
  const before = await run(suite)
  documents = {
    [MANUAL]: { name: 'Manual', texts: ['A lamp lasts long.', 'It is cold.'] },
    [TERMS]: { name: 'Terms', texts: ['No.'] },
  }
  const after = await run(suite)
  const { differences } = await compare(before, after)
  expect(differences.map(({ name, before: older, after: newer }) => [name, older?.split(' ')[0] ?? null, newer?.split(' ')[0] ?? null])).toEqual([
    [`document.${MANUAL}`, 'Manual', 'Manual'],
    [`document.${PRICES}`, 'Prices', null],
    [`document.${TERMS}`, null, 'Terms'],
  ]) // prettier-ignore
})

it('names what cannot be listed, and says of that neither that it changed nor that it did not', async () => {
  canList = false
  const suite = await createSuite()
  const before = await run(suite)
  expect(before.fingerprint?.end?.datasets).toEqual([
    { dataset_id: DATASET, hash: null, settings: null, documents: null, unknown: ['settings', 'documents'] },
  ])
  canList = true
  expect((await compare(before, await run(suite))).differences).toEqual([])
})

it('is recorded where the database cannot read an answer, from the other answers', async () => {
  testConsole.platform.script = ({ method, body }, response) => {
    if (method === 'GET') return sendError(response, 404, { code: 'not_found', message: 'No.', status: 404 })
    const { query } = JSON.parse(body) as { query: string }
    const dataset_id = query.includes('\\') ? DATASET : randomUUID()
    // Of the ids that an answer names, one that leads to another path is not asked about.
    sendAnswer(response, query.replace('NUL', '\0').replace('half a pair', '\ud800'), {
      retriever_resources: [dataset_id, '..'].map((id) => ({ dataset_id: id, segment_id: 's0', content: 'x' })),
    })
  }
  const { workspace, keys } = testConsole
  const cases = ['NUL', 'half a pair', 'It is written \\u0000.'].map((query) => ({ input: { query } }))
  const suite = { workspace, name: 'Answers', target: 'chat', about: keys.chat, cases }
  const { fingerprint } = await run(await testConsole.json<Suite>('POST', '/api/suites', suite))
  expect(fingerprint?.end?.datasets).toMatchObject([{ dataset_id: DATASET }])
  expect(testConsole.platform.requests.map(({ path }) => path)).not.toContainEqual(
    expect.stringMatching(/^\/v1(\/documents\b|\/?$)/),
  )
})

it('asks for no further segments where the platform refuses some, and names them as not listed', async () => {
  documents[MANUAL] = { name: 'Manual', texts: [] }
  refused = MANUAL
  testConsole.platform.requests.length = 0
  const { fingerprint } = await run(await createSuite())
  expect(fingerprint?.end?.datasets[0]).toMatchObject({ documents: 2, unknown: ['segments'], hash: expect.any(String) })
  const lists = testConsole.platform.requests.filter(({ path }) => path.includes('/segments'))
  expect(lists.every(({ path }) => path.includes(MANUAL))).toBe(true)
})

it('takes no datasets from the experiment of an app that is out of scope', async () => {
  testConsole.platform.script = ({ method, headers }, response) => {
    if (method === 'GET') return sendError(response, 404, { code: 'not_found', message: 'No.', status: 404 })
    const isOther = headers.authorization?.endsWith('other')
    sendAnswer(response, 'x', { retriever_resources: isOther ? [{ dataset_id: DATASET, segment_id: 's0' }] : [] })
  }
  const { workspace, keys, secretKey } = testConsole
  const other = { kind: 'chat', label: 'other', key: `${secretKey}-other` }
  const { id: key } = await testConsole.json<{ id: string }>('POST', `/api/workspaces/${workspace}/keys`, other)
  const body = { workspace, name: 'Scope', target: 'chat', about: keys.chat, cases: [{ input: { query: 'x' } }] }
  const suite = await testConsole.json<Suite>('POST', '/api/suites', body)
  const operator = await createPerson(testConsole, 'operator', [[workspace, keys.chat]])
  const listDatasets = async (...given: [object?, object?]) =>
    (await run(suite, ...given)).fingerprint?.start?.datasets.map(({ dataset_id }) => dataset_id)
  await run(suite, { key })
  expect(await listDatasets({}, { cookie: operator.cookie })).toEqual([])
  await run(suite, { key })
  expect(await listDatasets()).toEqual([DATASET])
})

it('shows documents only to who may use the key that listed them', async () => {
  const { workspace, keys } = testConsole
  const body = { workspace, name: 'Chat', target: 'chat', about: keys.chat, cases: [{ input: { query: 'x' } }] }
  const { id: suite } = await testConsole.json<Suite>('POST', '/api/suites', body)
  const retrieval = await createSuite()
  const [before, after] = [await run(retrieval), await run(retrieval)]
  const { pool } = testConsole.database
  const change = (id: string, name: string) =>
    pool.query('UPDATE experiments SET suite_id = $2, fingerprint = replace(fingerprint::text, $3, $4)::json WHERE id = $1', [id, suite, 'Manual', name]) // prettier-ignore
  await change(before.id, 'Manual')
  await change(after.id, 'Secret')
  await pool.query('UPDATE batches SET key_id = $1 WHERE id = ANY($2)', [keys.chat, [before.id, after.id]])
  await pool.query(`UPDATE experiments SET fingerprint = replace(fingerprint::text, $2, $3)::json WHERE id = $1`, [
    after.id,
    after.fingerprint?.end?.datasets[0]?.hash,
    'other',
  ])
  const operator = await createPerson(testConsole, 'operator', [[workspace, keys.chat]])
  for (const path of [
    `/api/experiments/${after.id}/comparison?with=${before.id}`,
    `/api/experiments/${after.id}`,
    `/api/suites/${suite}/experiments`,
    `/api/suites?workspace=${workspace}`,
  ]) {
    const response = await testConsole.fetch('GET', path, undefined, { cookie: await operator.begin() })
    const hidden = expect.not.stringMatching(/Manual|"datasets":\[\{/) as string
    expect([path, response.status, await response.text()]).toEqual([path, 200, hidden])
  }
})
