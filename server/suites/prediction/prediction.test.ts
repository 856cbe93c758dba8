import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import type { SuitePrediction } from '#contract/console/experiments/predictions.ts'
import type { Suite } from '#contract/console/suites.ts'
import { type RecordedRequest, sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../../app.testing.ts'

const DATASET = randomUUID()
const DOCUMENT = randomUUID()
const [QUOTA, RELAY, LEDGER] = [randomUUID(), randomUUID(), randomUUID()]
const TEXTS = {
  [QUOTA]: 'Quotas are counted per workspace and hour.',
  [RELAY]: 'The relay sends each request once, and never twice.',
  [LEDGER]: 'The ledger keeps each request of the relay for a month.',
}

const testConsole = TestConsole.forFile()
beforeEach(() => {
  testConsole.platform.requests.length = 0
})

/** A platform with the paths that are given; the others it does not have. */
const script = (replies: Record<string, (request: RecordedRequest) => unknown>) => {
  testConsole.platform.script = (request, response) => {
    const path = request.path.split('?')[0]?.replace('/v1', '') ?? ''
    const reply = replies[path]
    if (!reply) return sendError(response, 404, { code: 'not_found', message: 'Nothing at this path.', status: 404 })
    sendError(response, 200, reply(request))
  }
}
const toPage = (data: unknown[]) => ({ data, has_more: false, limit: 100, total: data.length, page: 1 })
const LISTED = {
  [`/datasets/${DATASET}/documents`]: () => toPage([{ id: DOCUMENT, name: 'Guide' }]),
  [`/datasets/${DATASET}/documents/${DOCUMENT}/segments`]: () =>
    toPage(Object.entries(TEXTS).map(([id, content]) => ({ id, content, tokens: 10, enabled: true }))),
}
const DRY_RUN_PATH = `/datasets/${DATASET}/retrieve/dry-run`

const createSuite = () =>
  testConsole.json<Suite>('POST', '/api/suites', {
    workspace: testConsole.workspace,
    name: 'Terms',
    target: 'retrieval',
    about: DATASET,
    cases: [
      { input: { query: 'How are quotas counted?' }, expected: { segments: [{ id: QUOTA }] } },
      { input: { query: 'Who keeps a request of the relay?' }, expected: { segments: [{ id: LEDGER }] } },
    ],
  })
const predict = (suite: Suite, body: object = {}) =>
  testConsole.json<SuitePrediction>('POST', `/api/suites/${suite.id}/prediction`, body)
const BOTH_FIRST = Array.from({ length: 2 }, () => ['pass', 1])
const toRanks = ({ data }: SuitePrediction) => data.map(({ outcome, rank }) => [outcome, rank])

it('asks the platform for a dry run with the change, and checks what it would find', async () => {
  const bodies: unknown[] = []
  script({
    [DRY_RUN_PATH]: ({ body }) => {
      bodies.push(JSON.parse(String(body)))
      const toRecord = (segment_id: string) => ({ segment_id, document_id: DOCUMENT, score: 0.5, tokens: 7 })
      const toResult = (query: string, ids: string[]) => ({
        query,
        records: ids.map(toRecord),
        search_method: 'keyword_search',
      })
      return { results: [toResult('a', [RELAY, QUOTA]), toResult('b', [RELAY])] }
    },
  })
  const suite = await createSuite()
  const segments = [{ id: LEDGER, document_id: DOCUMENT, content: 'Nothing.' }]
  const retrieval_model = { top_k: 2 }
  const prediction = await predict(suite, { segments, retrieval_model })
  expect(prediction).toMatchObject({ source: 'dry_run', reason: null, total: 2, has_more: false })
  expect(toRanks(prediction)).toEqual([
    ['pass', 2],
    ['fail', 0],
  ])
  expect(prediction.data.map(({ tokens }) => tokens)).toEqual([14, 7])
  expect(bodies).toEqual([
    { queries: ['How are quotas counted?', 'Who keeps a request of the relay?'], segments, retrieval_model },
  ])
  expect(await testConsole.list<unknown>('/api/calls?entry=adjacent.dryRunRetrieval')).toEqual([])
})

it('elsewhere searches the listed segments by keyword, and calls it an estimate', async () => {
  script(LISTED)
  const suite = await createSuite()
  const before = await predict(suite)
  expect(before).toMatchObject({ source: 'estimate', reason: null })
  expect(toRanks(before)).toEqual(BOTH_FIRST)
  const toDraft = (given: object) => ({ segments: [{ id: QUOTA, document_id: DOCUMENT, ...given }] })
  for (const change of [{ content: 'Cats sleep.' }, { enabled: false }, { removed: true }])
    expect(toRanks(await predict(suite, toDraft(change)))).toEqual([
      ['fail', 0],
      ['pass', 1],
    ])
  expect(toRanks(await predict(suite, toDraft({ content: 'A quota is counted.' })))[0]).toEqual(['pass', 1])
  const one = await predict(suite, { retrieval_model: { top_k: 1 } })
  expect(one.data.map(({ tokens }) => tokens)).toEqual([10, 10])
  const page = await predict(suite, { page: 2, limit: 1 })
  expect(page).toMatchObject({
    total: 2,
    page: 2,
    has_more: false,
    data: [{ case_name: 'Who keeps a request of the relay?' }],
  })
})

it('lists the dataset once for requests that name the listing, and anew for others', async () => {
  script(LISTED)
  const suite = await createSuite()
  const listed = () => testConsole.platform.requests.filter(({ path }) => path.includes('/segments')).length
  const settings = () => testConsole.platform.requests.filter(({ path }) => path.endsWith(DATASET)).length
  const { listing } = await predict(suite)
  for (const body of [{ retrieval_model: { top_k: 1 } }, { chunking: { max_tokens: 100 } }, { page: 2, limit: 1 }])
    expect(await predict(suite, { ...body, listing })).toMatchObject({ source: 'estimate', listing })
  expect([listed(), settings()]).toEqual([1, 1])

  const next = await predict(suite)
  expect([listed(), next.listing === listing]).toEqual([2, false])
  const unknown = randomUUID()
  const anew = await predict(suite, { listing: unknown })
  expect([listed(), anew.source, anew.listing === unknown]).toEqual([3, 'estimate', false])
  const other = await testConsole.json<Suite>('POST', '/api/suites', {
    workspace: testConsole.workspace,
    name: 'Another dataset',
    target: 'retrieval',
    about: randomUUID(),
  })
  expect(await predict(other, { listing: anew.listing })).toMatchObject({ source: 'none', listing: null })
})

it('estimates what other chunks would find by the text that they share with the expected segment', async () => {
  script(LISTED)
  const joined = await predict(await createSuite(), { chunking: { max_tokens: 1000 } })
  expect(joined.source).toBe('estimate')
  expect(toRanks(joined)).toEqual(BOTH_FIRST)
  expect(joined.data[0]?.tokens).toBeGreaterThan(25)
})

it('says where nothing can be predicted, and names what is wrong', async () => {
  script({})
  const suite = await createSuite()
  expect(await predict(suite)).toMatchObject({ source: 'none', reason: 'not_listed', data: [] })
  const refuse = async (body: object, path = suite.id) => {
    const response = await testConsole.fetch('POST', `/api/suites/${path}/prediction`, body)
    return [response.status, JSON.stringify(await response.json())] as const
  }
  expect(await refuse({ limit: 1000 })).toEqual([400, expect.stringContaining('body.limit')])
  expect(await refuse({ key: testConsole.keys.chat })).toEqual([
    400,
    expect.stringContaining('must be a knowledge key'),
  ])
  expect((await refuse({}, randomUUID()))[0]).toBe(404)
  const app = await testConsole.json<Suite>('POST', '/api/suites', {
    workspace: testConsole.workspace,
    name: 'App',
    target: 'chat',
    about: testConsole.keys.chat,
  })
  expect(await refuse({}, app.id)).toEqual([400, expect.stringContaining('only retrieval can be predicted')])
})
