import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import {
  toEventBlock,
  toMessageBlock,
  toMessageEndBlock,
  createAnswerIds,
  openStream,
  sendError,
} from '#support/platforms/scriptedPlatform.ts'
import { TestConsole, readFrames } from '../app.testing.ts'

describe('a run, when something fails', () => {
  let bench: TestConsole
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  beforeAll(async () => {
    process.on('unhandledRejection', note)
    bench = await TestConsole.start()
  })
  afterAll(async () => {
    await bench.remove()
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  const query = (text: string, values: unknown[] = []) =>
    bench.database.pool.query<Record<string, unknown>>(text, values)
  const run = (id: string) => bench.json<Run & { answer: unknown }>('GET', `/api/runs/${id}`)
  const metric = async (name: string) => {
    // The text is rendered once a second.
    await new Promise((resolve) => setTimeout(resolve, 1_050))
    return new RegExp(`^${name} (\\d+)$`, 'm').exec(await (await bench.fetch('GET', '/metrics')).text())?.[1]
  }
  const until = async (isSo: () => Promise<boolean>) => {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  /** The database refuses the rows that a condition is not true of, as a full or failing one would. */
  const refusing = async (table: string, condition: string, work: () => Promise<void>) => {
    await query(`ALTER TABLE ${table} ADD CONSTRAINT fault CHECK (${condition}) NOT VALID`)
    try {
      await work()
    } finally {
      await query(`ALTER TABLE ${table} DROP CONSTRAINT fault`)
    }
  }
  type Ids = ReturnType<typeof createAnswerIds>
  const streaming = (...blocks: (string | Buffer)[]) => {
    bench.platform.script = async (_seen, response) => {
      openStream(response)
      for (const one of blocks) {
        response.write(one)
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    }
  }

  it('is not sent when its row cannot be written', async () => {
    const before = bench.platform.requests.length
    await refusing('calls', `title <> 'poison'`, async () => {
      const response = await bench.ask({ query: 'poison' })
      expect([response.status, await response.json()]).toMatchObject([500, { kind: 'fault' }])
    })
    expect(bench.platform.requests.length).toBe(before)
    expect(await metric('loupe_runs_live')).toBe('0')
  })

  it('ends and says so when its frames cannot be written, and shows none that is not kept', async () => {
    const ids = createAnswerIds()
    streaming(
      ...['one', 'two', 'poison', 'three', 'four'].map((word) => toMessageBlock(ids, word)),
      toMessageEndBlock(ids),
    )
    await refusing('frames', `block NOT LIKE '%poison%'`, async () => {
      const id = randomUUID()
      const { frames, run: last } = readFrames(await (await bench.ask({}, { 'run-id': id })).text())
      expect(last).toMatchObject({ status: 'interrupted', problem: { kind: 'fault' }, frames: frames.length })
      const { rows } = await query('SELECT seq FROM frames WHERE call_id = $1 ORDER BY seq', [id])
      expect(rows.map(({ seq }) => seq)).toEqual(frames.map((frame) => frame.id))
      expect(frames.length).toBeLessThan(3)
      const again = await bench.fetch('GET', `/api/runs/${id}/events`)
      expect(readFrames(await again.text()).frames).toEqual(frames)
    })
    expect(await metric('loupe_runs_live')).toBe('0')
  })

  it('keeps its end without its answer when the database does not take the answer', async () => {
    const ids = createAnswerIds()
    streaming(toMessageBlock(ids, 'unkeepable'), toMessageEndBlock(ids))
    await refusing('calls', `answer IS NULL OR answer::text NOT LIKE '%unkeepable%'`, async () => {
      const { frames, run: last } = readFrames(await (await bench.ask()).text())
      expect(frames.length).toBe(2)
      expect(last).toMatchObject({ status: 'succeeded', problem: { kind: 'fault' }, frames: 2 })
    })
  })

  it('ends the stream without an end when the end cannot be written, and is settled at the next start', async () => {
    const ids = createAnswerIds()
    const [streamed, whole] = [randomUUID(), randomUUID()]
    await refusing('calls', `status IN ('created', 'dispatched', 'streaming')`, async () => {
      streaming(toMessageBlock(ids, 'Whole.'), toMessageEndBlock(ids))
      const { frames, run: last } = readFrames(await (await bench.ask({}, { 'run-id': streamed })).text())
      expect([frames.length, last]).toEqual([2, null])
      bench.platform.script = (_seen, response) => sendError(response, 200, { ...ids, answer: 'Paid for.' })
      const response = await bench.ask({ response_mode: 'blocking' }, { 'run-id': whole })
      expect(await response.json()).toMatchObject({ answer: 'Paid for.' })
      // While writes are still refused: the end would be written late meanwhile.
      expect(await metric('loupe_runs_live')).toBe('0')
    })
    await bench.restart()
    expect(await run(streamed)).toMatchObject({
      status: 'succeeded',
      frames: 2,
      problem: null,
      answer: { text: 'Whole.' },
    })
    expect(await run(whole)).toMatchObject({ status: 'unknown', problem: { kind: 'cut' } })
  })

  it('is told to have ended without a restart, once its end can be written', async () => {
    const ids = createAnswerIds()
    const id = randomUUID()
    await refusing('calls', `status IN ('created', 'dispatched', 'streaming')`, async () => {
      streaming(toMessageBlock(ids, 'Whole.'), toMessageEndBlock(ids))
      expect(readFrames(await (await bench.ask({}, { 'run-id': id })).text()).run).toBeNull()
    })
    await until(async () => (await run(id)).status === 'succeeded')
  })

  it('is kept whatever the platform puts into ids, counts and records', async () => {
    const ids = createAnswerIds()
    const odd: Record<string, unknown> = {
      ...ids,
      conversation_id: `c\0${'x'.repeat(5000)}`,
      message_id: '\ud800\0',
      task_id: 't\0',
    }
    streaming(
      toMessageBlock(odd as Ids, 'a\ud800\0'),
      toMessageEndBlock(odd as Ids, {
        usage: { total_tokens: 1.5, total_price: '0\0', currency: 'U\0' },
        retriever_resources: [
          { dataset_id: 'd'.repeat(300), document_id: 'x\0', segment_id: 's', content: '\0' },
          1,
          null,
        ],
      }),
    )
    for (const total_tokens of [1.5, 1e12, -1e300]) {
      bench.platform.script = (_seen, response) =>
        sendError(response, 200, { ...odd, event: 'message', answer: 'a', metadata: { usage: { total_tokens } } })
      const id = randomUUID()
      expect((await bench.ask({ response_mode: 'blocking' }, { 'run-id': id })).status).toBe(200)
      expect((await run(id)).problem).toBeNull()
    }
    streaming(
      toMessageBlock(odd as Ids, 'a\ud800\0'),
      toMessageEndBlock(odd as Ids, { usage: { total_tokens: 1.5, currency: 'U\0' } }),
    )
    const { run: last } = readFrames(await (await bench.ask({ user: 'me\0' })).text())
    expect(last).toMatchObject({ status: 'succeeded', problem: null, total_tokens: 2, currency: 'U\uFFFD' })
    expect(bench.log).not.toContain('write run ids failed')
  })

  it('whose line breaks after its last word is what its last word says', async () => {
    const ids = createAnswerIds()
    bench.platform.script = (_seen, response) => {
      openStream(response)
      response.write(toMessageBlock(ids, 'Whole.') + toMessageEndBlock(ids))
      setImmediate(() => response.destroy())
    }
    const { run: last } = readFrames(await (await bench.ask()).text())
    expect(last).toMatchObject({ status: 'succeeded', problem: null, frames: 2 })
  })

  it('holds no stream open for a browser that left before the platform answered', async () => {
    const ids = createAnswerIds()
    let answer: () => void = () => undefined
    const asked = new Promise<void>((resolve) => {
      bench.platform.script = async (_seen, response) => {
        resolve()
        await new Promise<void>((go) => (answer = go))
        openStream(response)
        response.write(toMessageBlock(ids, 'a'))
        await new Promise<void>((go) => (answer = go))
        response.end(toMessageEndBlock(ids))
      }
    })
    const leaving = new AbortController()
    const id = randomUUID()
    const left = fetch(`${bench.url}/api/keys/${bench.keys.chat}/chat-messages`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { cookie: bench.cookie, 'x-console': '1', 'content-type': 'application/json', 'run-id': id },
      body: JSON.stringify({ query: 'Why?', user: 'tester' }),
    }).catch(() => 'left')
    await asked
    leaving.abort()
    expect(await left).toBe('left')
    // Another request after it: by its reply the server has seen the first line close.
    await until(async () => (await run(id)).status === 'dispatched')
    answer()
    await until(async () => (await run(id)).status === 'streaming')
    expect(await metric('loupe_streams_open')).toBe('0')
    answer()
    await until(async () => (await run(id)).status === 'succeeded')
  })

  it('of a dead server keeps no start waiting for a platform that is silent', async () => {
    const id = randomUUID()
    await query(
      `INSERT INTO calls(id, entry, status, workspace_id, key_id, response_mode, server_id, created_at)
       VALUES ($1, 'workflows.run', 'streaming', $2, $3, 'streaming', $4, now())`,
      [id, bench.workspace, bench.keys.workflow, randomUUID()],
    )
    const started = { event: 'workflow_started', task_id: 't', workflow_run_id: randomUUID(), data: {} }
    await query(`INSERT INTO frames(call_id, seq, at, bytes, block) VALUES ($1, 1, 5, 10, $2)`, [
      id,
      toEventBlock(started).trim(),
    ])
    await query(
      `INSERT INTO calls(id, entry, status, workspace_id, key_id, server_id, created_at)
       VALUES ($1, 'datasets.create', 'dispatched', $2, $3, $4, now())`,
      [randomUUID(), bench.workspace, bench.keys.knowledge, randomUUID()],
    )
    let answer: () => void = () => undefined
    const asked = new Promise<void>((resolve) => {
      bench.platform.script = async ({ path }, response) => {
        const detail = { id: started.workflow_run_id, status: 'succeeded' }
        if (!path.includes('/events')) return sendError(response, 200, detail)
        resolve()
        await new Promise<void>((go) => (answer = go))
        // It has no events of runs, and says so like a web application that answers every path.
        sendError(response, 200, {})
      }
    })
    await bench.restart()
    await asked
    expect(await run(id)).toMatchObject({ status: 'streaming' })
    const { rows } = await query(`SELECT status FROM calls WHERE entry = 'datasets.create'`)
    expect(rows).toEqual([{ status: 'unknown' }])
    answer()
    await until(async () => (await run(id)).status === 'succeeded')
    expect(await run(id)).toMatchObject({ problem: null, first_frame_ms: 5 })
  })
})
