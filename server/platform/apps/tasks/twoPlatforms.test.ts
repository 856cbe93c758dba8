import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import { type Database, openDatabase } from '../../../db/database.ts'
import { ADVISORY_LOCKS } from '../../../db/advisoryLocks.ts'
import { startPostgresql } from '../../../db/postgresql.testing.ts'
import { createWorkerPool } from '../../indexing/workerPool.ts'
import { createHit, openApps, readStream } from '../apps.fixture.ts'
import { messages } from '../schema.ts'

const TEA = [createHit(1, 'Green tea is steeped at 80 degrees.')]
const QUESTION = { query: 'How is green tea steeped?', user: 'ada', response_mode: 'streaming' }

describeWith(requirements.postgresql)('a built-in platform beside another on one PostgreSQL', () => {
  const workerPool = createWorkerPool()
  let postgresql: Awaited<ReturnType<typeof startPostgresql>>
  const databases: Database[] = []
  beforeAll(async () => {
    postgresql = await startPostgresql()
    for (const folder of ['unused', 'unused']) databases.push(await openDatabase({ url: postgresql.url, folder }))
  })
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()))
    await Promise.all([postgresql.stop(), workerPool.close()])
  })
  const serve = (index: number, pace_ms = 0) => {
    const database = databases[index]
    if (!database) throw new Error('there is no such server')
    return openApps({ database, workerPool, find: () => TEA, pace_ms })
  }
  const newest = async () => {
    const rows = await databases[0]?.db.select().from(messages).where(eq(messages.status, 'running'))
    expect(rows).toHaveLength(1)
    return rows?.[0]
  }
  const statusOf = async (id: unknown) =>
    (
      await databases[0]?.db
        .select()
        .from(messages)
        .where(eq(messages.id, String(id)))
    )?.[0]?.status

  it('leaves its runs alone when it starts, ends, and when its connection was lost; stops them when it is asked to', async () => {
    const first = await serve(0, 60_000)
    const answer = first.request('chat', 'POST', '/chat-messages', QUESTION)
    const row = await vi.waitFor(newest)
    await (await serve(1)).close()
    expect(await statusOf(row?.id)).toBe('running')
    // What holds the first one's place is cut, and comes back.
    const cut = await databases[1]?.pool.query<{ pid: number }>(
      `SELECT pid, pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'`,
    )
    await vi.waitFor(async () => {
      const found = await databases[1]?.pool.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted AND pid <> $1`,
        [cut?.rows[0]?.pid],
      )
      expect(found?.rowCount).toBe(1)
    })
    const second = await serve(1)
    expect(await statusOf(row?.id)).toBe('running')
    const stopped = await second.call('chat', 'POST', `/chat-messages/${row?.task_id}/stop`, { user: 'ada' })
    expect(stopped.body).toEqual({ result: 'success' })
    expect(readStream(await (await answer).text()).map(({ event }) => event)).toEqual(['message_end'])
    expect(await statusOf(row?.id)).toBe('stopped')
    await Promise.all([first.close(), second.close()])
  })

  it('cuts off what is left running when it starts and no other lives, and keeps nobody from any other lock', async () => {
    const id = '55555555-5555-4555-8555-555555555555'
    const values = {
      id,
      app: 'chat',
      task_id: id,
      end_user: 'ada',
      query: 'q',
      inputs: {},
      files: [],
      answer: 'half',
    }
    await databases[0]?.db.insert(messages).values({ ...values, status: 'running', created_at: new Date() })
    const alone = await serve(0)
    expect(await statusOf(id)).toBe('error')
    const { platform: _, ...others } = ADVISORY_LOCKS
    for (const lock of Object.values(others)) {
      const taken = await databases[1]?.pool.query('SELECT pg_try_advisory_xact_lock($1) AS taken', [lock])
      expect(taken?.rows).toEqual([{ taken: true }])
    }
    await alone.close()
  })
})
