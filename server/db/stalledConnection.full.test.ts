import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { describeWith, requirements } from '#support/requirements.ts'
import type { Batch } from '#contract/console/batches.ts'
import type { Run } from '#contract/console/runs.ts'
import { toMessageBlock, toMessageEndBlock, createAnswerIds, openStream } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole, readFrames } from '../app.testing.ts'
import { TcpProxy } from './tcpProxy.testing.ts'
import { startPostgresql } from './postgresql.testing.ts'

/** Milliseconds that the database may take here. */
const STATEMENT_TIMEOUT_MS = 2_000
const ROW_COUNT = 24
const WAIT_OPTIONS = { timeout: 60_000, interval: 100 }

interface Row {
  inputs: { text: string }
}

describeWith(requirements.postgresql)('a console whose line to PostgreSQL stalls without being cut', () => {
  const ids = createAnswerIds()
  const streams: ServerResponse[] = []
  let postgresql: Awaited<ReturnType<typeof startPostgresql>>
  let line: TcpProxy
  let bench: TestConsole
  beforeAll(async () => {
    postgresql = await startPostgresql()
    line = await TcpProxy.to(postgresql.url)
    bench = await TestConsole.start(line.url, {}, { statementTimeoutMs: STATEMENT_TIMEOUT_MS })
    bench.platform.script = (_seen, response) => {
      openStream(response)
      response.write(toMessageBlock(ids, 'word 1 '))
      streams.push(response)
    }
  })
  afterAll(async () => {
    line.set('open')
    await bench.remove()
    await line.close()
    await postgresql.stop()
  })

  const readStatus = async (asked: Promise<Response>) => {
    const response = await asked
    const text = await response.text()
    return { status: response.status, again: response.headers.get('retry-after'), text }
  }
  const read = () => readStatus(bench.fetch('GET', '/api/runs'))
  const isBack = () => vi.waitFor(async () => expect((await read()).status).toBe(200), WAIT_OPTIONS)
  const away = { status: 503, again: '2' }

  it('answers 503 in time, keeps every frame, sends nothing twice, and goes on by itself', async () => {
    const run_ids = [1, 2, 3].map(() => randomUUID())
    const asked = await Promise.all(run_ids.map((id) => bench.ask({}, { 'run-id': id })))
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200])
    const watched = asked.map((response) => response.text())

    line.set('stalled')
    for (const stream of streams) stream.write(toMessageBlock(ids, 'word 2 '))
    const refused = randomUUID()
    const workspace = { name: 'Late', base_url: bench.platform.url }
    const answers = await Promise.all([
      read(),
      readStatus(bench.fetch('POST', '/api/workspaces', workspace)),
      readStatus(bench.ask({}, { 'run-id': refused })),
    ])
    expect(answers).toMatchObject([away, away, away])
    expect((await readStatus(bench.fetch('GET', '/readyz'))).status).toBe(503)
    expect((await readStatus(bench.fetch('GET', '/healthz'))).status).toBe(200)
    // Nobody was asked for what was refused.
    expect(bench.platform.requests).toHaveLength(3)

    line.set('open')
    await isBack()
    for (const stream of streams) stream.end(toMessageBlock(ids, 'word 3 ') + toMessageEndBlock(ids))
    for (const text of await Promise.all(watched)) {
      const { frames, run } = readFrames(text)
      expect(frames.map(({ id }) => id)).toEqual([1, 2, 3, 4])
      expect(run).toMatchObject({ status: 'succeeded', frames: 4 })
    }
    const kept = await Promise.all(
      run_ids.map((id) => bench.json<{ data: unknown[] }>('GET', `/api/runs/${id}/frames`)),
    )
    expect(kept.map(({ data }) => data.length)).toEqual([4, 4, 4])
    const rows = await bench.query("SELECT FROM workspaces WHERE name = 'Late'")
    expect(rows.length).toBeLessThanOrEqual(1)

    // What was refused can be asked for again, by its own name, and goes out once.
    const again = bench.ask({}, { 'run-id': refused })
    await vi.waitFor(() => expect(streams).toHaveLength(4), WAIT_OPTIONS)
    streams[3]?.end(toMessageBlock(ids, 'word 2 ') + toMessageEndBlock(ids))
    const { run } = readFrames(await (await again).text())
    expect(run).toMatchObject({ status: 'succeeded', frames: 3 })
    expect((await bench.json<Run>('GET', `/api/runs/${refused}`)).status).toBe('succeeded')
    expect(bench.platform.requests).toHaveLength(4)
  })

  it('sends no row of a batch twice, and goes on with it', async () => {
    const before = bench.platform.requests.length
    const answer = (response: ServerResponse) => response.end(toMessageBlock(ids, 'Yes.') + toMessageEndBlock(ids))
    const held: ServerResponse[] = []
    let isHeld = true
    bench.platform.script = (_seen, response) => {
      openStream(response)
      if (isHeld) held.push(response)
      else answer(response)
    }
    const { id } = await bench.json<Batch>('POST', '/api/batches', {
      key: bench.keys.completion,
      name: 'Stalled',
      total: ROW_COUNT,
      settings: { user: 'tester' },
      at_once: 4,
    })
    const rows = Array.from({ length: ROW_COUNT }, (_, index) => ({ inputs: { text: `row ${index}` } }))
    await bench.json('POST', `/api/batches/${id}/rows`, { first: 1, rows })
    await bench.json('POST', `/api/batches/${id}/start`, {})
    await vi.waitFor(() => expect(held).toHaveLength(4), WAIT_OPTIONS)

    line.set('stalled')
    isHeld = false
    // Their ends cannot be written, nor can more rows be taken.
    held.forEach(answer)
    expect(await read()).toMatchObject(away)
    line.set('open')
    const batch = await vi.waitFor(async () => {
      const now = await bench.json<Batch>('GET', `/api/batches/${id}`)
      expect(now.state).toBe('ended')
      return now
    }, WAIT_OPTIONS)
    expect(batch.counts).toMatchObject({ succeeded: ROW_COUNT })
    const sent = bench.platform.requests.slice(before).map(({ body }) => (JSON.parse(body) as Row).inputs.text)
    expect(sent.toSorted()).toEqual(rows.map(({ inputs }) => inputs.text).toSorted())
  })

  it('stops all the same, and the next start settles what was under way', async () => {
    bench.platform.script = (_seen, response) => {
      openStream(response)
      response.write(toMessageBlock(ids, 'word 1 '))
    }
    const id = randomUUID()
    const asked = await bench.ask({}, { 'run-id': id })
    const watched = asked.text().catch(() => '')
    line.set('stalled')
    await bench.closeConsole()
    await watched
    line.set('open')
    await bench.openConsole()
    // The server that was stopped could not take its leave: it is dead when its lease is over.
    await vi.waitFor(async () => {
      const run = await bench.json<Run>('GET', `/api/runs/${id}`)
      expect(run).toMatchObject({ status: 'interrupted', frames: 1 })
    }, WAIT_OPTIONS)
  })
})
