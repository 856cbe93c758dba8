import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { openEmptyDatabase } from '../db/embedded/databasePool.testing.ts'
import { Ledger } from './ledger.ts'

const SILENT_AFTER_MS = 8_000
const own = randomUUID()
const claimant = { server_id: own, silentAfterMs: SILENT_AFTER_MS }
let database: Database
let ledger: Ledger
let workspace: string
let key: string
beforeAll(async () => {
  database = await openEmptyDatabase()
  ledger = new Ledger(database.pool)
  workspace = randomUUID()
  key = randomUUID()
})
afterAll(() => database.close())
beforeEach(() => database.pool.query('TRUNCATE calls, servers CASCADE'))

async function addServer(seenAgo: string): Promise<string> {
  const id = randomUUID()
  await database.pool.query('INSERT INTO servers(id, seen_at) VALUES ($1, now() - $2::interval)', [id, seenAgo])
  return id
}

async function addCall(server_id: string | null, status = 'streaming'): Promise<string> {
  const id = randomUUID()
  await database.pool.query(
    `INSERT INTO calls(id, entry, status, workspace_id, key_id, response_mode, server_id, created_at, workflow_run_id)
     VALUES ($1, 'workflows.run', $2, $3, $4, 'streaming', $5, now(), 'run')`,
    [id, status, workspace, key, server_id],
  )
  return id
}

const listIds = async () => (await ledger.listOrphans(claimant, null)).map(({ id }) => id)
const readCall = async (id: string) => (await ledger.findSummary(id)) ?? undefined

it('are the active calls of servers that are silent or gone, and those that were left to anybody', async () => {
  const lost = [await addCall(await addServer('1 minute')), await addCall(randomUUID()), await addCall(null)]
  await addCall(await addServer('1 second'))
  await addCall(own)
  await addCall(await addServer('1 minute'), 'succeeded')
  expect((await listIds()).sort()).toEqual(lost.sort())
})

it('are not taken from a server that has written a heartbeat since they were listed', async () => {
  const owner = await addServer('1 minute')
  const [first, second] = [await addCall(owner), await addCall(owner)]
  const rows = await ledger.listOrphans(claimant, null)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const takeOver = async (id: string) => ledger.takeOver(byId.get(id) ?? expect.unreachable(), claimant)
  expect(await takeOver(first)).toBe(true)
  await database.pool.query('UPDATE servers SET seen_at = now()')
  expect(await takeOver(second)).toBe(false)
  expect([(await readCall(first))?.server_id, (await readCall(second))?.server_id]).toEqual([own, owner])
  // Nor ended.
  const end = { status: 'interrupted' as const, duration_ms: 1 }
  const condition = { before: 'active' as const, owner, silentAfterMs: SILENT_AFTER_MS }
  expect(await ledger.endCall(second, end, condition)).toBeNull()
  await database.pool.query(`UPDATE servers SET seen_at = now() - interval '1 minute'`)
  expect(await ledger.endCall(second, end, condition)).toMatchObject({ status: 'interrupted' })
})

it('a paused run goes on only at the server to which it belongs', async () => {
  const [ours, left] = [await addCall(own, 'paused'), await addCall(null, 'paused')]
  expect([await ledger.resumeCall(ours, own), await ledger.resumeCall(left, own)]).toEqual([true, false])
  expect([(await readCall(ours))?.status, (await readCall(left))?.status]).toEqual(['streaming', 'paused'])
})
