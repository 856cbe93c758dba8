import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import { type Database, openDatabase } from '../../../db/database.ts'
import { ADVISORY_LOCKS } from '../../../db/advisoryLocks.ts'
import { startPostgresql } from '../../../db/postgresql.testing.ts'
import { createWorkerPool } from '../../indexing/workerPool.ts'
import { createHit, openApps, readStream } from '../apps.fixture.ts'
import { messages, workflowRuns } from '../schema.ts'
import { MAX_RUN_MS } from './tasks.ts'

const TEA = [createHit(1, 'Green tea is steeped at 80 degrees.')]
const QUESTION = { query: 'How is green tea steeped?', user: 'ada', response_mode: 'streaming' }

/** The lock by which a built-in platform shows that it lives; `pg_locks` also has those of servers and of migrations. */
const IS_PLATFORM_LOCK = `locktype = 'advisory' AND mode = 'ShareLock' AND classid = 0 AND objid = ${ADVISORY_LOCKS.platform}`

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
  const statusOf = async (id = '') =>
    (await databases[0]?.db.select().from(messages).where(eq(messages.id, id)))?.[0]?.status

  it('leaves its runs alone when it starts, ends, and when its connection was lost; stops them when it is asked to', async () => {
    const first = await serve(0, 60_000)
    const answer = first.request('chat', 'POST', '/chat-messages', QUESTION)
    const row = await vi.waitFor(newest)
    await (await serve(1)).close()
    expect(await statusOf(row?.id)).toBe('running')
    // The connection of the second one ends after it.
    await vi.waitFor(async () => {
      const locks = await databases[1]?.pool.query(`SELECT FROM pg_locks WHERE ${IS_PLATFORM_LOCK}`)
      expect(locks?.rowCount).toBe(1)
    })
    // What holds the first one's place is cut, and comes back.
    const cut = await databases[1]?.pool.query<{ pid: number }>(
      `SELECT pid, pg_terminate_backend(pid) FROM pg_locks WHERE ${IS_PLATFORM_LOCK}`,
    )
    expect(cut?.rowCount).toBe(1)
    await vi.waitFor(async () => {
      const found = await databases[1]?.pool.query(
        `SELECT FROM pg_locks WHERE ${IS_PLATFORM_LOCK} AND granted AND pid <> $1`,
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

  it('tells of a run that another platform executes: its pause, its end, and nothing that it has not seen', async () => {
    const [first, second] = [await serve(0), await serve(1)]
    const app = 'workflow-approval'
    const started = await first.stream(app, '/workflows/run', { inputs: { request: 'A kettle' }, user: 'ada' })
    const run_id = String(started[1]?.['workflow_run_id'])
    /** Resolves when the stream has shown a word; `rest` gives all its events at its end. */
    const open = async (flags: string, word: string) => {
      const response = await second.request(app, 'GET', `/workflow/${run_id}/events?user=ada${flags}`)
      const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      const readChunk = async () => {
        const { value, done } = (await chunks?.read()) ?? { done: true, value: undefined }
        text += value ?? ''
        return !done
      }
      while (!text.includes(word)) if (!(await readChunk())) break
      return {
        rest: async () => {
          while (await readChunk());
          return readStream(text)
        },
      }
    }
    const names = (events: { event: string }[]) => events.map(({ event }) => event)
    const paused = await (await open('&include_state_snapshot=true', 'ping')).rest()
    expect(names(paused).slice(-2)).toEqual(['human_input_required', 'workflow_paused'])
    const { form_token } = (paused.at(-2) as unknown as { data: { form_token: string } }).data
    const answer = { inputs: { subject: 'Kettle', comment: 'Yes.', priority: 'low' }, action: 'approve', user: 'bob' }
    const path = `/form/human_input/${form_token}`
    // Both get the answer of somebody at the same time: one of them continues the run.
    const readers = [
      await open('', 'ping'),
      await open('&include_state_snapshot=true&continue_on_pause=true', 'workflow_paused'),
    ]
    const replies = await Promise.all([first, second].map((platform) => platform.call(app, 'POST', path, answer)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 412])
    const [plain, snapshot] = await Promise.all(readers.map(({ rest }) => rest()))
    expect(names(plain ?? []).at(-1)).toBe('workflow_finished')
    expect(names(snapshot ?? []).at(-1)).toBe('workflow_finished')
    expect(names(snapshot ?? []).slice(0, paused.length)).toEqual(names(paused))
    await Promise.all([first.close(), second.close()])
  })

  it('leaves a run alone that went on a moment ago, however long ago it began', async () => {
    const first = await serve(0)
    const id = '66666666-6666-4666-8666-666666666666'
    const values = { id, app: 'workflow', workflow_id: id, version: '1', task_id: id, end_user: 'ada', inputs: {} }
    const created_at = new Date(Date.now() - 10 * MAX_RUN_MS)
    await databases[0]?.db
      .insert(workflowRuns)
      .values({ ...values, status: 'running', created_at, resumed_at: new Date() })
    const second = await serve(1)
    const readStatus = async () =>
      (await databases[0]?.db.select().from(workflowRuns).where(eq(workflowRuns.id, id)))?.[0]?.status
    expect(await readStatus()).toBe('running')
    await databases[0]?.db.update(workflowRuns).set({ resumed_at: null }).where(eq(workflowRuns.id, id))
    await second.close()
    await (await serve(1)).close()
    expect(await readStatus()).toBe('failed')
    await first.close()
  })

  it('cuts off what is left running when it starts and no other lives, and keeps nobody from any other lock', async () => {
    const id = '55555555-5555-4555-8555-555555555555'
    const values = { id, app: 'chat', task_id: id, end_user: 'ada', query: 'q', inputs: {}, files: [], answer: 'half' }
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
