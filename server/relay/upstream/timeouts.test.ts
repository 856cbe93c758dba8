import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProblemError } from '#contract/problem.ts'
import type { PlatformCredential } from '../../vault/vault.ts'
import { createEgressPolicy } from '../../vault/egressPolicy.ts'
import { TIMEOUTS_MS, readRedactedText, UpstreamClient } from './upstream.ts'

/** The clock is virtual, the lines are real: between two steps of the clock the lines have their turns. */
describe('a platform that takes its time', () => {
  let server: Server
  let upstream: UpstreamClient
  /** Virtual milliseconds since the test began. */
  let now = 0
  let asked = 0
  let answer: (path: string, response: ServerResponse) => void = () => undefined
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    server = createServer((request, response) => {
      asked++
      answer(request.url ?? '', response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    upstream = new UpstreamClient(createEgressPolicy({ loopbackOnly: true, allow: '' }))
  })
  afterAll(async () => {
    await upstream.close()
    server.closeAllConnections()
    server.close()
    vi.useRealTimers()
  })
  beforeEach(() => {
    now = 0
    asked = 0
  })

  const turn = () => new Promise((resolve) => setImmediate(resolve))
  /** Lets time pass in steps that are shorter than what any limit is rounded to. */
  const pass = async (time: number, step = 250) => {
    for (const end = now + time; now < end; now += step) {
      for (let turns = 0; turns < 10; turns++) await turn()
      await vi.advanceTimersByTimeAsync(step)
    }
  }
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await turn()
  }
  const wait = (time: number) => new Promise((resolve) => setTimeout(resolve, time))
  const credential = (): PlatformCredential =>
    ({
      base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      secret: 'app-key-of-the-patient',
    }) as PlatformCredential
  /** What came of a request and when: the text, or the kind of the problem. */
  const ask = async (path: string, timeoutMs: number): Promise<[came: string, at: number]> => {
    const outgoing = { method: 'POST', path, body: '{}', accept: 'application/json', timeoutMs } as const
    try {
      return [await readRedactedText(await upstream.send(credential(), outgoing, 'r'), 3_600_000), now]
    } catch (error) {
      if (error instanceof ProblemError) return [error.problem.kind, now]
      throw error
    }
  }

  it('is waited for as long as the kind of operation says, and no longer', async () => {
    const delays = [100, 9_000, 29_000, 61_000, 111_000, Infinity]
    const kinds = ['read', 'stream', 'blocking'] as const
    answer = (path, response) => {
      const delay = Number(path.split('/').at(-1))
      if (delay < Infinity) setTimeout(() => response.end('"here"'), delay)
    }
    const outcomes = Promise.all(
      kinds.flatMap((kind) =>
        delays.map(async (delay) => [kind, delay, ...(await ask(`/${delay}`, TIMEOUTS_MS[kind]))]),
      ),
    )
    await until(() => asked === kinds.length * delays.length)
    await pass(120_000)
    for (const [kind, delay, text, at] of await outcomes) {
      const limit = TIMEOUTS_MS[kind as (typeof kinds)[number]]
      const isInTime = Number(delay) < limit
      expect([kind, delay, text]).toEqual([kind, delay, isInTime ? '"here"' : 'late'])
      const due = isInTime ? Number(delay) : limit
      expect(Number(at)).toBeGreaterThanOrEqual(due - 1000)
      expect(Number(at)).toBeLessThanOrEqual(due + 2000)
    }
  })

  it('and says it a byte a second for ten minutes, or with two minutes all but a second between two, is heard out', async () => {
    const text = JSON.stringify({ answer: '校准 '.repeat(70) })
    const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]))
    expect(bytes.length).toBeGreaterThan(500)
    answer = (path, response) =>
      void (async () => {
        const [pause, count] = path === '/v1/slow' ? [1_000, bytes.length] : [TIMEOUTS_MS.silence - 2_000, 6]
        response.write(Buffer.concat(bytes.slice(0, bytes.length - count)))
        for (const byte of bytes.slice(bytes.length - count)) {
          await wait(pause)
          response.write(byte)
        }
        response.end()
      })()
    const outcomes = Promise.all([ask('/slow', TIMEOUTS_MS.blocking), ask('/pausing', TIMEOUTS_MS.blocking)])
    await until(() => asked === 2)
    await pass(6 * TIMEOUTS_MS.silence)
    expect((await outcomes).map(([said]) => said)).toEqual([text, text])
  })

  it('and falls silent for two minutes in the middle is cut off', async () => {
    answer = (_, response) => void response.write('{"answer":"Half')
    const outcome = ask('/silent', TIMEOUTS_MS.blocking)
    await until(() => asked === 1)
    await pass(TIMEOUTS_MS.silence + 5_000)
    const [said, at] = await outcome
    expect(said).toBe('cut')
    expect(at).toBeGreaterThanOrEqual(TIMEOUTS_MS.silence - 2_000)
  })
})
