import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../db/database.ts'
import { openEmptyDatabase } from '../../db/embedded/databasePool.testing.ts'
import { Ledger } from '../ledger.ts'
import { ResourceStore } from '../resources.ts'
import { RetentionJob } from '../retention/retentionJob.ts'

const WORKSPACE = '00000001-0000-4000-8000-000000000001'
const TEXT = 'A line with "quotes", a sign 😀 and a NUL \u0000.\n'
const LARGE = { text: TEXT.repeat(80_000), list: [1, { two: 'x'.repeat(1_500_000) }] }

let database: Database
let ledger: Ledger
beforeAll(async () => {
  database = await openEmptyDatabase()
  ledger = new Ledger(database.pool)
  await database.pool.query(
    `INSERT INTO workspaces(id, name, base_url, builtin, created_at) VALUES ($1, 'Large', 'http://127.0.0.1:1', false, now())`,
    [WORKSPACE],
  )
})
afterAll(async () => {
  await database.close()
})

async function insertCall(request: unknown, { id = randomUUID() as string, into = ledger } = {}): Promise<string> {
  await into.insertCall({
    id,
    entry: 'completion.send',
    status: 'dispatched',
    person_id: null,
    workspace_id: WORKSPACE,
    key_id: WORKSPACE,
    params: null,
    request,
    request_hash: null,
    response_mode: 'blocking',
    title: 'Large',
    end_user: null,
    parent_id: null,
    server_id: WORKSPACE,
  })
  return id
}
const countPieces = async (id: string) =>
  (await database.pool.query('SELECT FROM body_pieces WHERE call_id = $1', [id])).rowCount

it('a call whose request cannot be stored is not there, so that it can be sent again', async () => {
  const id = randomUUID()
  const failing = new Proxy(database.pool, {
    get: (pool, name) =>
      name === 'query'
        ? (text: unknown, values: unknown[]) =>
            typeof text === 'string' && text.includes('INSERT INTO body_pieces')
              ? Promise.reject(new Error('no space left on device'))
              : pool.query(text as string, values)
        : (Reflect.get(pool, name) as unknown),
  })
  await expect(insertCall(LARGE, { id, into: new Ledger(failing) })).rejects.toThrow('no space left')
  expect(await ledger.findSummary(id)).toBeNull()
  expect(await insertCall(LARGE, { id })).toBe(id)
})

it('a call has its large bodies as they came, and small ones beside them', async () => {
  const id = await insertCall(LARGE)
  await ledger.endCall(id, { status: 'succeeded', reply: LARGE, answer: { text: 'short' }, duration_ms: 1 })
  expect(await ledger.findWithBody(id)).toMatchObject({ request: LARGE, reply: LARGE, answer: { text: 'short' } })
  expect(await ledger.listWithBodies([id])).toMatchObject([{ request: LARGE, reply: LARGE }])
  const { rows } = await database.pool.query('SELECT request, reply FROM calls WHERE id = $1', [id])
  expect(rows).toEqual([{ request: null, reply: null }])
})

it('a small end after a large one counts', async () => {
  const id = await insertCall({})
  await ledger.endCall(id, { status: 'interrupted', reply: LARGE, answer: LARGE, duration_ms: 1 })
  await ledger.reconcileCall(id, { status: 'succeeded', reply: { short: true }, answer: LARGE })
  expect(await ledger.findWithBody(id)).toMatchObject({ reply: { short: true }, answer: LARGE })
})

it('a body whose writing was cut off is none', async () => {
  const id = await insertCall(LARGE)
  await database.pool.query('DELETE FROM body_pieces WHERE call_id = $1 AND is_last', [id])
  expect(await ledger.findWithBody(id)).toMatchObject({ id, request: null })
})

it('the end of a call that was deleted is nothing', async () => {
  expect(await ledger.endCall(randomUUID(), { status: 'succeeded', reply: LARGE, duration_ms: 1 })).toBeNull()
})

it('large bodies go with their calls, and count for what a workspace keeps', async () => {
  const bodies = Array.from({ length: 30 }, () => ({ text: 'x'.repeat(1_100_000) }))
  const ids = await Promise.all(bodies.map((request) => insertCall(request)))
  for (const id of ids) await ledger.endCall(id, { status: 'succeeded', duration_ms: 1 })
  expect(await countPieces(ids[0] ?? '')).toBe(2)
  await database.pool.query('INSERT INTO retention(workspace_id, purge_before) VALUES ($1, $2)', [
    WORKSPACE,
    new Date(Date.now() + 1_000),
  ])
  const retentionJob = new RetentionJob({
    database,
    log: pino({ level: 'silent' }),
    resources: new ResourceStore(database.pool, () => expect.unreachable()),
  })
  retentionJob.runSoon()
  await retentionJob.whenIdle()
  const { rows } = await database.pool.query<{ call_id: string }>('SELECT DISTINCT call_id FROM body_pieces')
  expect(rows.filter(({ call_id }) => ids.includes(call_id))).toEqual([])
})
