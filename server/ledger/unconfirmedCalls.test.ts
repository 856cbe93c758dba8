import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { openEmptyDatabase } from '../db/embedded/databasePool.testing.ts'
import { UnconfirmedCalls } from './unconfirmedCalls.ts'
import { Ledger } from './ledger.ts'

describe('a call of which the database did not say that it has its row', () => {
  let database: Database
  beforeAll(async () => {
    database = await openEmptyDatabase()
  })
  afterAll(() => database.close())

  const [server_id, otherServerId] = [randomUUID(), randomUUID()]
  const callOf = (id: string, server = server_id) => ({
    id,
    entry: 'chat.send' as const,
    status: 'dispatched' as const,
    person_id: null,
    workspace_id: randomUUID(),
    key_id: randomUUID(),
    params: null,
    request: null,
    request_hash: null,
    response_mode: 'streaming' as const,
    title: '',
    end_user: null,
    parent_id: null,
    server_id: server,
  })
  /** The pool of a line that carries what is sent so many times, and loses the word of it. */
  const losing = (times: number): Pool =>
    new Proxy(database.pool, {
      get: (pool, name) =>
        name === 'query'
          ? async (text: string, values: unknown[]) => {
              const reply = await pool.query(text, values)
              if (times-- > 0) throw new Error('Query read timeout')
              return reply
            }
          : (Reflect.get(pool, name) as unknown),
    })
  const isThere = async (id: string) =>
    (await database.pool.query('SELECT FROM calls WHERE id = $1', [id])).rows.length > 0

  it('begins again when it is requested again', async () => {
    const [id, ledger] = [randomUUID(), new Ledger(losing(1))]
    await expect(ledger.insertCall(callOf(id))).rejects.toThrow('Query read timeout')
    expect(await isThere(id)).toBe(true)
    expect(await ledger.insertCall(callOf(id))).toBe(true)
    // Now it is known: the same once more is told that it came late.
    expect(await ledger.insertCall(callOf(id))).toBe(false)
  })

  it('is taken out when nobody asks again, and what was begun since is left alone', async () => {
    const all = { left: randomUUID(), late: randomUUID(), ended: randomUUID(), foreign: randomUUID() }
    const { left, late, ended, foreign } = all
    const ledger = new Ledger(database.pool)
    const unconfirmedCalls = new UnconfirmedCalls(database.pool)
    for (const id of Object.values(all)) unconfirmedCalls.add({ id, server_id }, new Error('Query read timeout'))
    await ledger.insertCall({ ...callOf(left), created_at: new Date(Date.now() - 1_000) })
    await ledger.insertCall({ ...callOf(late), created_at: new Date(Date.now() + 60_000) })
    await ledger.insertCall({ ...callOf(ended), created_at: new Date(Date.now() - 1_000) })
    await ledger.endCall(ended, { status: 'succeeded', duration_ms: 1 })
    await ledger.insertCall({ ...callOf(foreign, otherServerId), created_at: new Date(Date.now() - 1_000) })
    await unconfirmedCalls.deleteLateInserts(server_id)
    await unconfirmedCalls.deleteLateInsert({ id: left, server_id })
    expect(await Promise.all(Object.values(all).map(isThere))).toEqual([false, true, true, true])
  })

  it('is no matter of doubt where the database has refused it', async () => {
    const [id, unconfirmedCalls] = [randomUUID(), new UnconfirmedCalls(database.pool)]
    unconfirmedCalls.add({ id, server_id }, new Error('value too long'))
    await new Ledger(database.pool).insertCall({ ...callOf(id), created_at: new Date(Date.now() - 1_000) })
    await unconfirmedCalls.deleteLateInsert({ id, server_id })
    expect(await isThere(id)).toBe(true)
  })
})
