import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import type { Batch } from '#contract/console/batches.ts'
import type { Run } from '#contract/console/runs.ts'
import type { Resource } from '#contract/console/resources.ts'
import {
  answerSlowly,
  toMessageBlock,
  createAnswerIds,
  openStream,
  sendError,
} from '#support/platforms/scriptedPlatform.ts'
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
      await bench.database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
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

  it('settles the runs of a server that has died, and leaves those of one that lives', async () => {
    bench.platform.script = (_seen, response) => {
      openStream(response)
      response.write(toMessageBlock(ids, 'Half an'))
    }
    const [dead, alive] = [randomUUID(), randomUUID()]
    const servers = [randomUUID(), randomUUID()]
    for (const [index, id] of [dead, alive].entries())
      await bench.database.pool.query(
        `INSERT INTO calls(id, entry, status, workspace_id, key_id, response_mode, server_id, created_at)
           VALUES ($1, 'chat.send', 'streaming', $2, $3, 'streaming', $4, now())`,
        [id, bench.workspace, bench.keys.chat, servers[index]],
      )
    await bench.database.pool.query(
      `INSERT INTO frames(call_id, seq, at, bytes, block) SELECT unnest($1::uuid[]), 1, 5, 10, $2`,
      [[dead, alive], toMessageBlock(ids, 'Half an').trimEnd()],
    )
    await bench.database.pool.query(
      `INSERT INTO servers(id, seen_at) VALUES ($1, now() - interval '1 minute'), ($2, now() + interval '1 hour')`,
      servers,
    )
    await bench.closeConsole()
    await bench.openConsole()
    // Not before the others had the time to write a heartbeat.
    await expect.poll(() => run(dead)).toMatchObject({ status: 'interrupted', frames: 1, answer: { text: 'Half an' } })
    expect(await run(alive)).toMatchObject({ status: 'streaming' })
    // A browser follows the run that another server reads, and sees its end.
    const following = bench.fetch('GET', `/api/runs/${alive}/events`)
    await bench.database.pool.query(`UPDATE calls SET status = 'succeeded', frames = 1 WHERE id = $1`, [alive])
    const { frames, run: last } = readFrames(await (await following).text())
    expect([frames.length, last]).toMatchObject([1, { status: 'succeeded' }])
  })

  it('goes on with the batch of a server that has died, and leaves that of one that lives', async () => {
    bench.platform.requests.length = 0
    bench.platform.script = (_seen, response) =>
      sendError(response, 200, { event: 'message', message_id: randomUUID(), mode: 'completion', answer: 'Yes.' })
    const servers = [randomUUID(), randomUUID()]
    await bench.database.pool.query(
      `INSERT INTO servers(id, seen_at) VALUES ($1, now() - interval '1 minute'), ($2, now() + interval '1 hour')`,
      servers,
    )
    const made: string[] = []
    for (const server_id of servers) {
      const { id } = await bench.json<Batch>('POST', '/api/batches', {
        key: bench.keys.completion,
        name: 'Left',
        total: 60,
        settings: { user: 'tester', response_mode: 'blocking' },
        at_once: 8,
      })
      made.push(id)
      const rows = Array.from({ length: 60 }, (_, index) => ({ inputs: { text: `${index} of ${id}` } }))
      await bench.json('POST', `/api/batches/${id}/rows`, { first: 1, rows })
      await bench.database.pool.query(
        `UPDATE batches SET state = 'running', pause = NULL, began_at = now(), server_id = $2 WHERE id = $1`,
        [id, server_id],
      )
    }
    const [dead, alive] = made
    const read = (id: string | undefined) => bench.json<Batch>('GET', `/api/batches/${id}`)
    await vi.waitFor(async () => expect((await read(dead)).state).toBe('ended'), { interval: 200 })
    expect(await read(dead)).toMatchObject({ counts: { succeeded: 60 } })
    expect(await read(alive)).toMatchObject({ state: 'running', counts: { waiting: 60 } })
    const texts = bench.platform.requests.map(({ body }) => body).filter((body) => body.includes('inputs'))
    expect([texts.length, new Set(texts).size]).toEqual([60, 60])
  })
})
