import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Retention } from '#contract/console/retention.ts'
import { answerSlowly, createAnswerIds } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../../app.testing.ts'

const testConsole = TestConsole.forFile()

const DAY_MS = 24 * 3_600_000
const path = () => `/api/workspaces/${testConsole.workspace}/retention`
const ids = async () =>
  (await testConsole.query<{ id: string }>('SELECT id FROM calls ORDER BY created_at')).map(({ id }) => id)

async function insertCall(age: number, { status = 'succeeded', frames = 0, workspace = testConsole.workspace } = {}) {
  const id = randomUUID()
  await testConsole.query(
    `INSERT INTO calls(id, entry, status, workspace_id, key_id, created_at, frames, bytes, request)
     VALUES ($1, 'chat.send', $2, $3, $4, $5, $6, 1000000, '{}')`,
    [id, status, workspace, testConsole.keys.chat, new Date(Date.now() - age * DAY_MS), frames],
  )
  await testConsole.query(
    `INSERT INTO frames(call_id, seq, at, bytes, block) SELECT $1, seq, seq, 6, 'data: ' FROM generate_series(1, $2::int) AS seq`,
    [id, frames],
  )
  return id
}

async function readAfterRetention(): Promise<Retention> {
  await testConsole.console.retentionJob.whenIdle()
  return testConsole.json<Retention>('GET', path())
}

it('by age the old calls of a workspace go with their frames; those that go on, wait for a person, or are of others, stay', async () => {
  const old = await insertCall(40, { frames: 12_001 })
  const paused = await insertCall(45, { status: 'paused' })
  await testConsole.query(
    `INSERT INTO paused_runs(run_id, frames, forms, deadline) VALUES ($1, 0, '[]', now() + interval '1 day')`,
    [paused],
  )
  const stays = [
    paused,
    await insertCall(50, { status: 'streaming' }),
    await insertCall(60, { workspace: randomUUID() }),
    await insertCall(1, { frames: 3 }),
  ]
  expect(await testConsole.json<Retention>('GET', path())).toMatchObject({
    keep_days: null,
    counted_at: null,
    removed: 0,
  })
  await testConsole.json('PATCH', path(), { keep_days: 30 })
  expect(await readAfterRetention()).toMatchObject({ keep_days: 30, removed: 1, calls: 3 })
  expect((await ids()).sort()).toEqual([...stays].sort())
  const rows = await testConsole.query('SELECT call_id FROM frames WHERE call_id = $1 LIMIT 1', [old])
  expect(rows).toEqual([])
  expect((await testConsole.database.pool.query('SELECT 1 FROM frames')).rowCount).toBe(3)
})

it('by size the oldest go until the rest fits', async () => {
  const before = (await readAfterRetention()).removed
  await testConsole.json('PATCH', path(), { keep_days: null, keep_megabytes: null })
  await testConsole.query(`UPDATE calls SET status = 'interrupted' WHERE status IN ('streaming', 'paused')`)
  const made: string[] = []
  for (const age of [9, 8, 7, 6, 5]) made.push(await insertCall(age))
  await testConsole.json('PATCH', path(), { keep_megabytes: 4 })
  const after = await readAfterRetention()
  expect(after.bytes).toBeLessThanOrEqual(4_000_000)
  expect(after.removed).toBeGreaterThan(before)
  const left = await ids()
  expect(made.filter((id) => left.includes(id))).toEqual(made.slice(-2))
})

it('counts what the calls, their frames and the saved files take', async () => {
  const id = await insertCall(0)
  await testConsole.query(
    `INSERT INTO kept_files(id, run_id, url_hash, url, name, type, bytes, data, kept_at)
     VALUES ($1, $1, 'h', 'u', 'n', 't', 300, '', now())`,
    [id],
  )
  await testConsole.query('UPDATE retention SET counted_at = NULL')
  await testConsole.json<Retention>('GET', path())
  const { bytes, frame_bytes, file_bytes, calls } = await readAfterRetention()
  expect([frame_bytes, file_bytes]).toEqual([(calls ?? 0) * 1_000_000, 300])
  expect(bytes).toBeGreaterThan((frame_bytes ?? 0) + 300)
  await testConsole.query('DELETE FROM calls WHERE id = $1', [id])
})

it('a purge removes what began before its moment, and says when it is done', async () => {
  await testConsole.json('PATCH', path(), { keep_megabytes: null })
  testConsole.platform.script = (_seen, response) => answerSlowly(response, createAnswerIds(), ['kept'], 0)
  const asked = await testConsole.ask({ query: 'Which lamp?' })
  await asked.text()
  const moment = new Date(Date.now() - DAY_MS / 2).toISOString()
  await testConsole.json('POST', `/api/workspaces/${testConsole.workspace}/purge`, { before: moment })
  expect(await readAfterRetention()).toMatchObject({ purge_before: null })
  const rows = await testConsole.query<{ id: string }>(
    `SELECT id FROM calls WHERE workspace_id = $1 AND status <> 'streaming'`,
    [testConsole.workspace],
  )
  expect(rows.map(({ id }) => id)).toEqual([asked.headers.get('run-id')])
})

it('a deleted workspace keeps its limits and pending erasures until its last call is gone', async () => {
  const { pool } = testConsole.database
  const { retentionJob } = testConsole.console
  const { id } = await testConsole.json<{ id: string }>('POST', '/api/workspaces', {
    name: 'Closed',
    base_url: testConsole.platform.url,
  })
  await testConsole.json('PATCH', `/api/workspaces/${id}/retention`, { keep_days: 30 })
  await retentionJob.whenIdle()
  const old = await insertCall(40, { workspace: id })
  const erased = await insertCall(2, { workspace: id })
  const kept = await insertCall(2, { workspace: id })
  await pool.query(`UPDATE calls SET end_user = 'ada' WHERE id = $1`, [erased])
  await pool.query(`INSERT INTO erasures(workspace_id, end_user, before) VALUES ($1, 'ada', now())`, [id])
  await testConsole.json('DELETE', `/api/workspaces/${id}`)

  const runJob = async () => {
    retentionJob.runSoon()
    await retentionJob.whenIdle()
    const { rows } = await pool.query<{ id: string }>('SELECT id FROM calls WHERE id = ANY($1)', [[old, erased, kept]])
    const rules = await pool.query('SELECT FROM retention WHERE workspace_id = $1', [id])
    return { calls: rows.map((row) => row.id), rules: rules.rowCount }
  }
  expect(await runJob()).toEqual({ calls: [kept], rules: 1 })
  expect((await pool.query('SELECT FROM erasures WHERE workspace_id = $1', [id])).rowCount).toBe(0)
  await pool.query('UPDATE calls SET created_at = $2 WHERE id = $1', [kept, new Date(Date.now() - 31 * DAY_MS)])
  expect(await runJob()).toEqual({ calls: [], rules: 0 })
})

it('a moment that is none, a rule of nothing and a workspace that is not there are refused', async () => {
  const purge = (before: string) =>
    testConsole.fetch('POST', `/api/workspaces/${testConsole.workspace}/purge`, { before })
  expect((await purge('yesterday')).status).toBe(400)
  expect((await testConsole.fetch('PATCH', path(), { keep_days: 0 })).status).toBe(400)
  expect((await testConsole.fetch('GET', `/api/workspaces/${randomUUID()}/retention`)).status).toBe(404)
})
