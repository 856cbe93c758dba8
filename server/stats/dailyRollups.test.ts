import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { RunStats } from '#contract/console/stats.ts'
import { TestConsole } from '../app.testing.ts'
import type { CallEnd } from '../ledger/callRow.ts'
import { Ledger } from '../ledger/ledger.ts'

const testConsole = TestConsole.forFile()
let ledger: Ledger
beforeAll(async () => {
  ledger = new Ledger(testConsole.database.pool)
})
beforeEach(() => testConsole.database.pool.query('DELETE FROM calls'))

const HOUR_MS = 3_600_000
const SPAN_DAYS = 5
/** Half an hour off the others. */
const ZONES = ['UTC', 'Asia/Kolkata', 'America/Los_Angeles']
const readStats = (zone = 'UTC') => testConsole.json<RunStats>('GET', `/api/stats?days=${SPAN_DAYS}&zone=${zone}`)
const listRollups = async () =>
  await testConsole.query<{ begins: Date }>('SELECT begins FROM daily_rollups ORDER BY begins')

const insertRun = async (hours: number, kind: 'chat' | 'workflow' = 'chat') => {
  const id = randomUUID()
  await ledger.insertCall({
    id,
    entry: kind === 'chat' ? 'chat.send' : 'workflows.run',
    status: 'dispatched',
    person_id: null,
    workspace_id: testConsole.workspace,
    key_id: testConsole.keys[kind],
    params: null,
    request: null,
    request_hash: null,
    response_mode: 'streaming',
    title: '',
    end_user: null,
    parent_id: null,
    server_id: randomUUID(),
    created_at: new Date(Date.now() - hours * HOUR_MS),
  })
  return id
}

test('a finished day is summed up once, and again when one of its runs is added, ends or goes', async () => {
  await insertRun(60)
  expect((await readStats()).total.runs).toBe(1)
  const before = await listRollups()
  expect(before.length).toBeGreaterThanOrEqual(SPAN_DAYS - 2)
  const late = await insertRun(60)
  expect(await listRollups()).toHaveLength(before.length - 1)
  expect((await readStats()).total).toMatchObject({ runs: 2, unclear: 0 })
  await ledger.endCall(late, { status: 'unknown', duration_ms: 5 })
  expect((await readStats()).total).toMatchObject({ runs: 2, unclear: 1 })
  await ledger.reconcileCall(late, { status: 'failed' })
  expect((await readStats()).total).toMatchObject({ runs: 2, unclear: 0, failed: 1 })
  expect(await listRollups()).toEqual(before)
  await insertRun(0)
  await ledger.updateRunIds(late, {
    conversation_id: null,
    message_id: null,
    task_id: 'task',
    workflow_run_id: null,
    workflow_id: null,
  })
  expect(await listRollups()).toEqual(before)
  await testConsole.json('POST', `/api/workspaces/${testConsole.workspace}/purge`, {
    before: new Date(Date.now() - HOUR_MS),
  })
  await testConsole.console.retentionJob.whenIdle()
  // The first one and the newest go on as far as the ledger knows.
  expect((await readStats()).total).toMatchObject({ runs: 2, failed: 0 })
})

test('what is kept of a day is read by whoever sees a part of it, in parts', async () => {
  await insertRun(60, 'chat')
  await insertRun(60, 'workflow')
  await readStats()
  const other = await testConsole.json<RunStats>('GET', `/api/stats?days=${SPAN_DAYS}&workspace=${randomUUID()}`)
  expect(other).toMatchObject({ by_day: [], total: { runs: 0, p50: null } })
  const same = await testConsole.json<RunStats>(
    'GET',
    `/api/stats?days=${SPAN_DAYS}&workspace=${testConsole.workspace}`,
  )
  expect(same.by_app.map(({ key }) => key)).toEqual([testConsole.keys.chat, testConsole.keys.workflow].sort())
})

test('the figures are what the runs say, whatever becomes of them in between', async () => {
  const end = fc.record({
    status: fc.constantFrom('succeeded', 'succeeded', 'failed', 'interrupted', 'unknown', 'stopped'),
    duration_ms: fc.integer({ min: 0, max: 2_000_000 }),
    first_token_ms: fc.option(fc.integer({ min: 0, max: 9_000 })),
    total_tokens: fc.option(fc.integer({ min: 0, max: 5_000 })),
    total_price: fc.option(fc.constantFrom('0.001', '12', '-1.5', '8E-7', 'free', '')),
    currency: fc.option(fc.constantFrom('USD', 'RMB')),
  }) as fc.Arbitrary<CallEnd>
  const at = fc.nat(40)
  const step = fc.oneof(
    fc.record({
      does: fc.constant('begin' as const),
      hours: fc.integer({ min: 0, max: SPAN_DAYS * 24 }),
      chat: fc.boolean(),
    }),
    fc.record({ does: fc.constant('end' as const), at, end }),
    fc.record({ does: fc.constant('settle' as const), at, end }),
    fc.record({ does: fc.constant('remove' as const), at }),
    fc.record({ does: fc.constant('look' as const), zone: fc.constantFrom(...ZONES) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
      await testConsole.query('DELETE FROM calls')
      const ids: string[] = []
      for (const given of steps) {
        const id = 'at' in given ? ids[given.at % Math.max(1, ids.length)] : undefined
        if (given.does === 'begin') ids.push(await insertRun(given.hours, given.chat ? 'chat' : 'workflow'))
        if (given.does === 'end' && id) await ledger.endCall(id, given.end)
        if (given.does === 'settle' && id) await ledger.reconcileCall(id, given.end)
        if (given.does === 'remove' && id) await testConsole.query('DELETE FROM calls WHERE id = $1', [id])
        if (given.does === 'look') await readStats(given.zone)
      }
      for (const zone of ZONES) expect(toSummary(await readStats(zone))).toEqual(await recomputeStats(zone))
    }),
    { numRuns: 25 },
  )
})

interface Row {
  created_at: Date
  status: string
  key_id: string
  duration_ms: number | null
  first_token_ms: number | null
  total_tokens: number | null
  total_price: string | null
  currency: string | null
}
type RollupSummary = ReturnType<typeof toRollupSummary> & { day: string; key: string }

const toSummary = ({ by_app, prices }: RunStats): RollupSummary[] =>
  by_app.map(({ day, key, runs, failed, unclear, tokens, without_usage, p50, p95, first_token_p50 }) => ({
    ...{ day, key, runs, failed, unclear, tokens, without_usage, p50, p95, first_token_p50 },
    prices: prices
      .filter((price) => price.day === day && price.key === key)
      .map(({ currency, total }) => [currency, Number(total)])
      .sort(),
  }))

/** The same from the calls one by one, with none of the code that is tested. */
async function recomputeStats(zone: string): Promise<RollupSummary[]> {
  const rows = await testConsole.query<Row>('SELECT * FROM calls')
  const dayOf = (at: Date) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at)
  const today = new Date(`${dayOf(new Date())}T00:00:00Z`)
  const first = new Date(today.getTime() - (SPAN_DAYS - 1) * 24 * HOUR_MS).toISOString().slice(0, 10)
  const apps = Map.groupBy(
    rows.filter(({ created_at }) => dayOf(created_at) >= first),
    (row) => `${dayOf(row.created_at)} ${row.key_id}`,
  )
  return [...apps]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, app]) => {
      const [day = '', key = ''] = name.split(' ')
      return { day, key, ...toRollupSummary(app) }
    })
}

function toRollupSummary(rows: readonly Row[]) {
  const done = rows.filter(({ status }) => status === 'succeeded')
  const tokens = rows.flatMap(({ total_tokens }) => total_tokens ?? [])
  const priced = rows.filter(({ total_price }) => total_price !== null && /\d/.test(total_price))
  return {
    runs: rows.length,
    failed: rows.filter(({ status }) => status === 'failed').length,
    unclear: rows.filter(({ status }) => status === 'interrupted' || status === 'unknown').length,
    tokens: tokens.length === 0 ? null : tokens.reduce((one, other) => one + other, 0),
    without_usage: done.filter(({ total_tokens }) => total_tokens === null).length,
    p50: getPercentile(
      done.map(({ duration_ms }) => duration_ms),
      0.5,
    ),
    p95: getPercentile(
      done.map(({ duration_ms }) => duration_ms),
      0.95,
    ),
    first_token_p50: getPercentile(
      done.map(({ first_token_ms }) => first_token_ms),
      0.5,
    ),
    prices: [...Map.groupBy(priced, ({ currency }) => currency ?? '')]
      .map(([currency, paid]) => [
        currency,
        Number(paid.reduce((sum, { total_price }) => sum + Number(total_price), 0).toFixed(9)),
      ])
      .sort(),
  }
}

/** Of three digits, as it is shown. */
function getPercentile(times: (number | null)[], of: number): number | null {
  const sorted = times.filter((time) => time !== null).sort((one, other) => one - other)
  const exact = sorted[Math.ceil(sorted.length * of) - 1]
  return exact === undefined ? null : Number(exact.toPrecision(3))
}
