import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import type { Run } from '#contract/console/runs.ts'
import type { Resource } from '#contract/console/resources.ts'
import { answerSlowly, createAnswerIds } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole, readFrames } from '../app.testing.ts'
import { createPerson } from '../auth/people.testing.ts'
import { ADVISORY_LOCKS } from './advisoryLocks.ts'
import { openDatabase } from './database.ts'
import { startPostgresql } from './postgresql.testing.ts'

describe('a PostgreSQL server', () => {
  it('that is not there keeps the console from starting', async () => {
    await expect(openDatabase({ url: 'postgresql://127.0.0.1:1/loupe', folder: 'unused' })).rejects.toThrow()
  })
})

describeWith(requirements.postgresql)('the console on a PostgreSQL server', () => {
  const words = Array.from({ length: 40 }, (_, index) => `word${index} 校准 😀 `)
  const ids = createAnswerIds()
  let postgresql: Awaited<ReturnType<typeof startPostgresql>>
  let bench: TestConsole
  beforeAll(async () => {
    postgresql = await startPostgresql()
    // Two that start together migrate one after the other.
    const both = await Promise.all([1, 2].map(() => openDatabase({ url: postgresql.url, folder: 'unused' })))
    await Promise.all(both.map((database) => database.close()))
    bench = await TestConsole.start(postgresql.url)
  })
  afterAll(async () => {
    await bench.remove().finally(() => postgresql.stop())
  })
  const run = (id: string) => bench.json<Run & { answer: { text: string } }>('GET', `/api/runs/${id}`)

  it('carries, keeps and replays runs', async () => {
    bench.platform.script = (_seen, response) => answerSlowly(response, ids, words, 1)
    const runs = Array.from({ length: 20 }, () => randomUUID())
    await Promise.all(
      runs.map(async (id) => {
        const { frames, run: last } = readFrames(await (await bench.ask({}, { 'run-id': id })).text())
        expect(frames.map((frame) => frame.id)).toEqual(Array.from({ length: 41 }, (_, index) => index + 1))
        expect(last).toMatchObject({ status: 'succeeded', ...ids, created_at: expect.any(String) as string })
        const again = await bench.fetch('GET', `/api/runs/${id}/events`, undefined, { 'last-event-id': '7' })
        expect(readFrames(await again.text()).frames).toEqual(frames.slice(7))
        expect((await run(id)).answer.text).toBe(words.join(''))
      }),
    )
    expect((await bench.json<{ total: number }>('GET', '/api/runs?q=Why&limit=5')).total).toBe(20)
    const turns = await bench.json<{ data: Run[] }>('GET', `/api/conversations/${ids.conversation_id}/runs`)
    expect(turns.data).toHaveLength(20)
    const resources = await bench.json<{ data: Resource[] }>('GET', '/api/resources?kind=conversation&q=why')
    expect(resources.data).toMatchObject([{ id: ids.conversation_id, parent: bench.keys.chat }])
  })

  it('survives a connection that the server cuts inside a transaction', async () => {
    const cut = bench.database.transaction(async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      const ended = new Promise((resolve) => client.once('end', resolve))
      await bench.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
      await ended
      await client.query('SELECT 1')
    })
    await expect(cut).rejects.toThrow()
    expect((await bench.fetch('GET', '/readyz')).status).toBe(200)
  })

  it('lets somebody sign out while an admin ends their sessions', async () => {
    const { id, cookie } = await createPerson(bench, 'viewer')
    const { pool } = bench.database
    const signOut = await bench.database.transaction(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.audit])
      const response = bench.fetch('DELETE', '/api/session', undefined, { cookie })
      await expect
        .poll(
          async () => (await pool.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).rowCount,
        )
        .toBe(1)
      await client.query('DELETE FROM sessions WHERE person_id = $1', [id])
      return { response }
    })
    expect((await signOut.response).status).toBe(200)
  })
})
