import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Call } from '#contract/console/calls.ts'
import type { Alerts, RunStats } from '#contract/console/stats.ts'
import { TestConsole } from '../app.testing.ts'

const testConsole = TestConsole.forFile()
beforeEach(() => testConsole.database.pool.query('DELETE FROM calls'))

interface RunFixture {
  at?: Date
  status?: string
  kind?: 'chat' | 'workflow'
  tokens?: number | null
  price?: [string, string] | null
  took?: number
  problem?: string
  problemKind?: 'refused' | 'unreachable'
  upstreamStatus?: number
  answer?: object
  entry?: string
}

const insertRun = ({ at = new Date(), status = 'succeeded', kind = 'chat', ...given }: RunFixture) =>
  testConsole.database.pool.query(
    `INSERT INTO calls (id, entry, status, workspace_id, key_id, created_at, total_tokens, total_price, currency, duration_ms, first_token_ms, problem, answer)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      randomUUID(),
      given.entry ?? (kind === 'chat' ? 'chat.send' : 'workflows.run'),
      status,
      testConsole.workspace,
      testConsole.keys[kind],
      at,
      given.tokens ?? null,
      given.price?.[0] ?? null,
      given.price?.[1] ?? null,
      given.took ?? 1000,
      given.took ? given.took / 10 : null,
      given.problem
        ? JSON.stringify({
            kind: given.problemKind ?? 'refused',
            message: given.problem,
            ...(given.upstreamStatus ? { upstream: { status: given.upstreamStatus, body: null } } : {}),
          })
        : null,
      given.answer ? JSON.stringify(given.answer) : null,
    ],
  )
const readStats = (query = '') => testConsole.json<RunStats>('GET', `/api/stats${query}`)
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

test('runs are summed by day and app, currencies apart, and what gave no usage is counted and not added', async () => {
  await insertRun({ tokens: 100, price: ['0.10', 'USD'], took: 1000 })
  await insertRun({ tokens: 50, price: ['0.20', 'USD'], took: 3000 })
  await insertRun({ tokens: 7, price: ['3', 'EUR'], took: 2000, kind: 'workflow' })
  await insertRun({})
  await insertRun({ status: 'failed', took: 90_000 })
  await insertRun({ status: 'unknown', took: 100_000 })
  await insertRun({ at: daysAgo(3), tokens: 1 })
  await insertRun({ at: daysAgo(40), tokens: 1 })
  await insertRun({ entry: 'documents.createByText', tokens: 1 })
  const { days, total, by_day, by_app, prices, price_totals } = await readStats()
  expect(days).toHaveLength(14)
  expect(days.at(-1)).toBe(new Date().toISOString().slice(0, 10))
  expect(total).toMatchObject({ runs: 7, failed: 1, unclear: 1, tokens: 158, without_usage: 1 })
  const today = by_day.find(({ day }) => day === days.at(-1))
  expect(today).toMatchObject({ runs: 6, p50: 1000, p95: 3000, first_token_p50: 200 })
  const chat = by_app.find(({ day, key }) => day === days.at(-1) && key === testConsole.keys.chat)
  expect(chat).toMatchObject({ runs: 5, tokens: 150, failed: 1 })
  expect(prices.map(({ currency, total: sum }) => [currency, sum])).toEqual(
    expect.arrayContaining([
      ['EUR', '3'],
      ['USD', '0.3'],
    ]),
  )
  expect(prices).toHaveLength(2)
  expect(price_totals).toEqual([
    { currency: 'EUR', total: '3' },
    { currency: 'USD', total: '0.3' },
  ])
})

test('failures with the same words are one thing to look at, and so is a document that does not move', async () => {
  await insertRun({ status: 'failed', problem: 'The prompt is too long.' })
  await insertRun({ status: 'failed', problem: 'The prompt is too long.', at: new Date(Date.now() - 60_000) })
  await insertRun({ status: 'failed', problem: 'No quota.' })
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  await insertRun({
    status: 'failed',
    kind: 'workflow',
    at: minutesAgo(2),
    answer: { error: 'No file.\u0000', nodes: [] },
  })
  await insertRun({
    status: 'failed',
    at: minutesAgo(3),
    answer: { problem: { message: 'No model.' }, run: { error: null } },
  })
  await insertRun({ status: 'failed', problem: 'Long ago.', at: daysAgo(2) })
  const document = (id: string, payload: object) =>
    testConsole.database.pool.query(
      `INSERT INTO resources (workspace_id, kind, id, label, parent, payload, first_seen, last_seen) VALUES ($1, 'document', $2, 'Parts', 'dataset-1', $3, now(), now())`,
      [testConsole.workspace, id, JSON.stringify(payload)],
    )
  const hourAgo = Math.floor(Date.now() / 1000) - 3600
  const base = { name: 'Parts', created_at: hourAgo }
  await document('stuck', { ...base, id: 'stuck', indexing_status: 'splitting', doc_metadata: 'a\u0000b' })
  await document('done', { ...base, id: 'done', indexing_status: 'completed' })
  await document('new', { ...base, id: 'new', indexing_status: 'splitting', created_at: hourAgo + 3590 })
  const { failures, stalled, runs } = await testConsole.json<Alerts>('GET', '/api/alerts')
  expect(failures.map(({ message, count }) => [message, count])).toEqual([
    ['The prompt is too long.', 2],
    ['No quota.', 1],
    ['No file.\u0000', 1],
    ['No model.', 1],
  ])
  expect(runs[0]?.id).toBeDefined()
  expect(runs).toHaveLength(6)
  expect(stalled).toMatchObject([{ document: 'stuck', dataset: 'dataset-1', state: 'splitting', label: 'Parts' }])
  const other = await testConsole.json<Alerts>('GET', `/api/alerts?workspace=${randomUUID()}`)
  expect(other).toEqual({ failures: [], refused_uploads: [], stalled: [], drift: [], runs: [] })
})

test('uploads that the platform refused in the last day are alerts by workspace and operation', async () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const upload = { entry: 'adjacent.createByFile', status: 'failed' }
  await insertRun({ ...upload, problem: 'File type not allowed.', at: minutesAgo(3) })
  await insertRun({ ...upload, problem: 'File too large.\u0000', at: minutesAgo(2) })
  await insertRun({ ...upload, problem: 'No connection.', problemKind: 'unreachable' })
  await insertRun({ ...upload, problem: 'File type not allowed.', at: daysAgo(2) })
  await insertRun({ ...upload, status: 'succeeded' })
  await insertRun({ entry: 'documents.createByText', status: 'failed', problem: 'The text is empty.' })
  await insertRun({ entry: 'annotations.create', status: 'failed', problem: 'Too many requests.', upstreamStatus: 429 })
  await insertRun({ entry: 'annotations.create', status: 'failed', problem: 'No model.', upstreamStatus: 400 })
  const { refused_uploads, failures } = await testConsole.json<Alerts>('GET', '/api/alerts')
  expect(refused_uploads).toMatchObject([
    { operation: 'annotations.create', count: 1, message: 'No model.' },
    {
      operation: 'adjacent.createByFile',
      count: 2,
      message: 'File too large.\u0000',
      workspace: testConsole.workspace,
    },
  ])
  const files = refused_uploads[1]
  expect(
    [files?.first_at, files?.last_at].map((at) => Math.round((Date.now() - Date.parse(at ?? '')) / 60_000)),
  ).toEqual([3, 2])
  const call = await testConsole.json<Call>('GET', `/api/calls/${files?.last_call}`)
  expect(call.problem?.message).toBe('File too large.\u0000')
  expect(failures).toEqual([])
})
