import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import { createAnswerIds, openStream, toMessageBlock, toMessageEndBlock } from '#support/platforms/scriptedPlatform.ts'
import { readFrames, TestConsole } from './app.testing.ts'
import { getDrainTimes } from './drain.ts'
import { parseEnv } from './env.ts'

/** Milliseconds; longer than any test. */
const FOR_EVER = 3_600_000
const ids = createAnswerIds()

describe('a server that is told to stop', () => {
  let bench: TestConsole
  let finishAnswer: () => void
  beforeEach(async () => {
    bench = await TestConsole.start()
    bench.platform.script = async (_request, response) => {
      openStream(response)
      response.write(toMessageBlock(ids, 'First '))
      await new Promise<void>((resolve) => (finishAnswer = resolve))
      response.end(toMessageBlock(ids, 'last.') + toMessageEndBlock(ids))
    }
  })
  afterEach(() => bench.remove())

  const getState = async () => (await (await bench.fetch('GET', '/readyz')).json()) as { state?: string }
  const startRun = async (id: string) => {
    const response = await bench.ask({}, { 'run-id': id, prefer: 'respond-async' })
    expect(response.status).toBe(202)
    await expect.poll(() => bench.json<Run>('GET', `/api/runs/${id}`)).toMatchObject({ status: 'streaming' })
  }

  it('says that it is not ready, and does everything while it drains', async () => {
    expect(await bench.fetch('GET', '/readyz')).toMatchObject({ status: 200 })
    void bench.console.drain({ drainMs: FOR_EVER, stopTimeoutMs: 0 })
    const response = await bench.fetch('GET', '/readyz')
    expect([response.status, await response.json()]).toEqual([503, { ready: false, state: 'draining' }])
    // HAProxy goes on with the connections of a server whose check answers 404.
    expect(await bench.fetch('GET', '/readyz?draining=404')).toMatchObject({ status: 404 })
    expect(await bench.fetch('GET', '/healthz')).toMatchObject({ status: 200 })
    const id = randomUUID()
    await startRun(id)
    finishAnswer()
    await expect.poll(() => bench.json<Run>('GET', `/api/runs/${id}`)).toMatchObject({ status: 'succeeded' })
  })

  it('then refuses new runs, joins those that there are, and goes on with their streams to the end', async () => {
    const id = randomUUID()
    const stream = await bench.ask({}, { 'run-id': id })
    const drained = bench.console.drain({ drainMs: 0, stopTimeoutMs: FOR_EVER })
    await expect.poll(getState).toMatchObject({ state: 'stopping' })

    const sent = bench.platform.requests.length
    const refused = await bench.ask({}, { 'run-id': randomUUID() })
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      503,
      '1',
      { kind: 'fault', status: 503, message: 'The server is stopping. Nothing was sent.', retry_after: 1 },
    ])
    expect(bench.platform.requests).toHaveLength(sent)

    const joined = await bench.ask({}, { 'run-id': id })
    expect(joined.status).toBe(200)
    const session = await bench.fetch('GET', '/api/session')
    expect([session.status, session.headers.get('connection')]).toEqual([200, 'close'])
    finishAnswer()
    for (const response of [stream, joined])
      expect(readFrames(await response.text())).toMatchObject({
        frames: [{ id: 1 }, { id: 2 }, { id: 3 }],
        run: { status: 'succeeded' },
      })
    await drained
    await expect(bench.fetch('GET', '/healthz')).rejects.toThrow()
  })

  it('answers what was asked before it stopped listening', async () => {
    let answer: () => void = () => undefined
    bench.platform.script = async (_request, response) => {
      await new Promise<void>((resolve) => (answer = resolve))
      response.setHeader('content-type', 'application/json').end('{"user_input_form":[]}')
    }
    const reply = bench.fetch('GET', `/api/keys/${bench.keys.chat}/parameters`)
    await expect.poll(() => bench.platform.requests.length).toBeGreaterThan(0)
    const drained = bench.console.drain({ drainMs: 0, stopTimeoutMs: 0 })
    await expect.poll(() => bench.console.app.server.listening).toBe(false)
    answer()
    await drained
    expect(await (await reply).json()).toMatchObject({ user_input_form: [] })
  })

  it('waits no longer than it was told for a run that does not end', async () => {
    const id = randomUUID()
    await startRun(id)
    await bench.console.drain({ drainMs: 0, stopTimeoutMs: 10 })
    await bench.restart()
    expect(await bench.json<Run>('GET', `/api/runs/${id}`)).toMatchObject({
      status: 'interrupted',
      problem: { message: 'The server stopped during this run.' },
    })
  })
})

describe('the times of a drain', () => {
  it('fit one server by default, and several where the database is shared', () => {
    expect(getDrainTimes(parseEnv({}))).toEqual({ drainMs: 0, stopTimeoutMs: 5_000 })
    const DATABASE_URL = 'postgres://127.0.0.1/loupe'
    expect(getDrainTimes(parseEnv({ DATABASE_URL }))).toEqual({ drainMs: 10_000, stopTimeoutMs: 120_000 })
    const set = { DATABASE_URL, DRAIN_SECONDS: '0.5', STOP_TIMEOUT_SECONDS: '60' }
    expect(getDrainTimes(parseEnv(set))).toEqual({ drainMs: 500, stopTimeoutMs: 60_000 })
  })

  it.each([{ DRAIN_SECONDS: 'ten' }, { STOP_TIMEOUT_SECONDS: '-1' }])(
    'are refused where they are no seconds: %o',
    (set) => expect(() => parseEnv(set)).toThrow(/: must be seconds, 0 to 3600/),
  )
})
