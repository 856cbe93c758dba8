import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Retention } from '#contract/console/retention.ts'
import type { Frame } from '#contract/console/runs.ts'
import { TestConsole } from '../../app.testing.ts'
import { FrameSealer } from '../frames/frameSealer.ts'
import { ResourceStore } from '../resources.ts'
import { RetentionJob } from './retentionJob.ts'

const DAY_MS = 24 * 3_600_000
const LARGE_TEXT = 'x'.repeat(1_200_000)
const log = pino({ level: 'silent' })

const testConsole = TestConsole.forFile()
let resources: ResourceStore
beforeAll(async () => {
  resources = createResourceStore()
})
beforeEach(async () => {
  for (const table of ['calls', 'frames', 'frame_chunks', 'resources']) await testConsole.query(`DELETE FROM ${table}`)
})

const createResourceStore = () => new ResourceStore(testConsole.database.pool, () => expect.unreachable())
const path = () => `/api/workspaces/${testConsole.workspace}`
const erase = (end_user: string, before: string) =>
  testConsole.json<Retention>('POST', `${path()}/purge`, { before, end_user })
const yesterday = () => new Date(Date.now() - DAY_MS).toISOString()

interface RunOptions {
  end_user: string | null
  conversation_id?: string
  days?: number
  status?: string
}

/** A run with two frames, the resources that it names, and a body in pieces. */
async function insertRun({ end_user, conversation_id = randomUUID(), days = 2, status = 'succeeded' }: RunOptions) {
  const { pool } = testConsole.database
  const [id, message_id, body_id] = [randomUUID(), randomUUID(), randomUUID()]
  const created_at = new Date(Date.now() - days * DAY_MS)
  await pool.query(
    `INSERT INTO calls(id, entry, status, workspace_id, key_id, created_at, duration_ms, frames, end_user, conversation_id,
       message_id, task_id, workflow_run_id, request_body_id)
     VALUES ($1, 'chat.send', $2, $3, $4, $5, 1, 2, $6, $7, $8, 't' || $8, 'w' || $8, $9)`,
    [
      id,
      status,
      testConsole.workspace,
      testConsole.keys.chat,
      created_at,
      end_user,
      conversation_id,
      message_id,
      body_id,
    ],
  )
  const frames: Frame[] = [1, 2].map((seq) => ({ seq, at: seq, bytes: 7, block: 'data: 1' }))
  for (const { seq, at, bytes, block } of frames)
    await pool.query('INSERT INTO frames(call_id, seq, at, bytes, block) VALUES ($1, $2, $3, $4, $5)', [
      ...[id, seq, at, bytes, block],
    ])
  await pool.query('INSERT INTO body_pieces(call_id, body_id, piece, is_last, data) VALUES ($1, $2, 0, true, $3)', [
    ...[id, body_id, Buffer.from(LARGE_TEXT)],
  ])
  resources.record(testConsole.workspace, [
    { kind: 'conversation', id: conversation_id, parent: testConsole.keys.chat, label: `Question of ${end_user}` },
    { kind: 'message', id: message_id, parent: conversation_id, payload: { query: 'What?' } },
    { kind: 'task', id: `t${message_id}`, parent: message_id },
    { kind: 'workflow_run', id: `w${message_id}`, parent: id },
  ])
  await resources.whenIdle()
  return { id, conversation_id, message_id }
}

async function sealFrames(): Promise<void> {
  const sealer = new FrameSealer({ pool: testConsole.database.pool, log, sealAfterMs: 0 })
  sealer.runSoon()
  await sealer.whenIdle()
}

/** The calls that are left, and the calls or resources of each other table. */
async function readRemaining() {
  const list = async (table: string, column: string) => {
    const rows = await testConsole.query<{ id: string }>(`SELECT DISTINCT ${column} AS id FROM ${table}`)
    return rows.map(({ id }) => id).sort()
  }
  return {
    calls: await list('calls', 'id'),
    frames: await list('frames', 'call_id'),
    chunks: await list('frame_chunks', 'call_id'),
    bodies: await list('body_pieces', 'call_id'),
    resources: await list('resources', 'id'),
  }
}
type TestRun = Awaited<ReturnType<typeof insertRun>>
const listResourceIds = (runs: readonly TestRun[]) => [
  ...new Set(
    runs.flatMap(({ conversation_id, message_id }) => [
      conversation_id,
      message_id,
      `t${message_id}`,
      `w${message_id}`,
    ]),
  ),
]
const listCallIds = (runs: readonly TestRun[]) => runs.map(({ id }) => id).sort()

it('deletes the runs of one end user with their frames, bodies and resources, and nothing of others', async () => {
  const conversation_id = randomUUID()
  await insertRun({ end_user: 'ada', conversation_id })
  await insertRun({ end_user: 'ada', conversation_id, days: 3 })
  const sealed = [
    await insertRun({ end_user: 'eve' }),
    await insertRun({ end_user: null }),
    await insertRun({ end_user: 'Ada' }),
  ]
  await sealFrames()
  await insertRun({ end_user: 'ada' })
  const unsealed = [
    await insertRun({ end_user: 'eve', days: 4 }),
    await insertRun({ end_user: 'ada', days: 0.5 }),
    await insertRun({ end_user: 'ada', status: 'streaming' }),
  ]
  // A message that only a list of the platform named is of its conversation.
  resources.record(testConsole.workspace, [{ kind: 'message', id: 'listed', parent: conversation_id }])
  await resources.whenIdle()
  const { removed } = await testConsole.json<Retention>('GET', `${path()}/retention`)

  const before = yesterday()
  expect((await erase('ada', before)).erasures).toEqual([{ end_user: 'ada', before }])
  await testConsole.console.retentionJob.whenIdle()
  expect(await readRemaining()).toEqual({
    calls: listCallIds([...sealed, ...unsealed]),
    frames: listCallIds(unsealed),
    chunks: listCallIds(sealed),
    bodies: listCallIds([...sealed, ...unsealed]),
    resources: listResourceIds([...sealed, ...unsealed]).sort(),
  })
  expect(await testConsole.json<Retention>('GET', `${path()}/retention`)).toMatchObject({
    erasures: [],
    purge_before: null,
    removed: removed + 3,
    calls: 6,
  })
})

it('keeps a conversation that a later run continues, without the name that the erased question gave it', async () => {
  const { conversation_id, message_id } = await insertRun({ end_user: 'ada' })
  const later = await insertRun({ end_user: 'ada', conversation_id, days: 0.5 })
  await erase('ada', yesterday())
  await testConsole.console.retentionJob.whenIdle()
  expect((await readRemaining()).resources).toEqual(listResourceIds([later]).sort())
  const rows = await testConsole.query('SELECT label, payload, parent FROM resources WHERE id = ANY($1)', [
    [conversation_id, message_id],
  ])
  expect(rows).toEqual([{ label: null, payload: null, parent: testConsole.keys.chat }])
})

it('leaves the drifts of an erased run without the texts of their samples', async () => {
  const { pool } = testConsole.database
  const [erased, other] = [await insertRun({ end_user: 'ada' }), await insertRun({ end_user: 'eve' })]
  const drifts: [kind: string, call_id: string | null, sample: unknown][] = [
    ['field', erased.id, 'Where does Ada live?'],
    ['event', erased.id, { event: 'mood', inputs: [{ phone: 5551234, asks: true, note: null }] }],
    ['status', erased.id, 418],
    ['field', other.id, 'Where does Eve live?'],
    ['field', null, 'A name'],
  ]
  for (const [index, [kind, call_id, sample]] of drifts.entries())
    await pool.query(
      `INSERT INTO drifts(workspace_id, id, operation, kind, path, sample, count, call_id, first_seen, last_seen)
       VALUES ($1, $2, 'chat.send', $3, 'x', $4, 1, $5, now(), now())`,
      [testConsole.workspace, String(index), kind, JSON.stringify(sample), call_id],
    )
  await erase('ada', yesterday())
  await testConsole.console.retentionJob.whenIdle()
  const { rows } = await pool.query<{ sample: unknown }>('SELECT sample FROM drifts ORDER BY id')
  expect(rows.map(({ sample }) => sample)).toEqual([
    '…',
    { event: '…', inputs: [{ phone: 0, asks: true, note: null }] },
    418,
    'Where does Eve live?',
    'A name',
  ])
})

it('continues a pending erasure after a restart, and finds runs behind a page of others', async () => {
  const { pool } = testConsole.database
  await pool.query(
    `INSERT INTO calls(id, entry, status, workspace_id, key_id, created_at, end_user)
     SELECT gen_random_uuid(), 'chat.send', 'succeeded', $1, $2, now() - interval '3 days', CASE WHEN n % 10 = 0 THEN 'ada' ELSE 'eve' END
     FROM generate_series(1, 4500) AS n`,
    [testConsole.workspace, testConsole.keys.chat],
  )
  const last = await insertRun({ end_user: 'ada' })
  await pool.query('INSERT INTO erasures(workspace_id, end_user, before) VALUES ($1, $2, $3)', [
    ...[testConsole.workspace, 'ada', yesterday()],
  ])
  const countCalls = async (end_user: string) =>
    (await pool.query('SELECT FROM calls WHERE end_user = $1', [end_user])).rowCount ?? 0
  const createJob = () => new RetentionJob({ database: testConsole.database, log, resources: createResourceStore() })
  const first = createJob()
  first.runSoon()
  await expect.poll(() => countCalls('ada'), { interval: 1 }).toBeLessThan(451)
  first.stop()
  await first.whenIdle()
  expect(await countCalls('ada')).toBeGreaterThan(0)
  expect((await testConsole.json<Retention>('GET', `${path()}/retention`)).erasures).toHaveLength(1)

  const second = createJob()
  second.runSoon()
  await second.whenIdle()
  expect([await countCalls('ada'), await countCalls('eve')]).toEqual([0, 4050])
  expect((await readRemaining()).resources).not.toContain(last.message_id)
  expect((await testConsole.json<Retention>('GET', `${path()}/retention`)).erasures).toEqual([])
})

it('of two requests for one end user the later moment applies, and several are listed oldest first', async () => {
  testConsole.console.retentionJob.stop()
  const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']
  await erase('ada', late)
  await erase('ada', early)
  expect((await erase('eve', early)).erasures).toEqual([
    { end_user: 'eve', before: early },
    { end_user: 'ada', before: late },
  ])
})

it('refuses an end user that no run can have', async () => {
  for (const end_user of ['', 'x'.repeat(256), 'a\0b', '\ud800', 7, null]) {
    const response = await testConsole.fetch('POST', `${path()}/purge`, { before: yesterday(), end_user })
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('body.end_user')])
  }
})
