import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import type { Problem } from '#contract/problem.ts'
import { TestConsole } from '../app.testing.ts'
import { toTestRequest } from './requests.testing.ts'
import { TIMEOUTS_MS, UpstreamClient } from './upstream/upstream.ts'

const KEY = '[REDACTED:key]'
const toFiller = (size: number) => 'The service is under maintenance. '.repeat(size / 34)

/** What comes with the code; the key is said in each, where there is room for it. */
const BODIES = {
  JSON: (key: string) => JSON.stringify({ code: 'unavailable', message: `No worker for ${key}.`, status: 503 }),
  'much JSON': (key: string) => JSON.stringify({ message: toFiller(9_000), key, trace: toFiller(90_000) }),
  'a page': (key: string) => `<html><h1>${key}</h1><p>${toFiller(9_000)}</p></html>`,
  nothing: () => '',
  'bytes that are no text': (key: string) =>
    Buffer.concat([Buffer.from([0x1f, 0x8b, 0, 0xff, 0xfe]), Buffer.from(key), Buffer.alloc(9_000, 0x80)]),
}
const EXPECTATIONS: Record<keyof typeof BODIES, (upstream: Problem['upstream'], message: string) => void> = {
  JSON: (upstream, message) => {
    expect(upstream?.body).toEqual({ code: 'unavailable', message: `No worker for ${KEY}.`, status: 503 })
    expect(message).toBe(`No worker for ${KEY}.`)
  },
  'much JSON': (upstream, message) => {
    expect(upstream?.body).toMatch(/^\{"message":"The service/)
    expect(message).toBe(toFiller(9_000).slice(0, 4096))
  },
  'a page': (upstream) => expect(upstream?.body).toContain(`<h1>${KEY}</h1>`),
  nothing: (upstream) => expect(upstream?.body).toBe(''),
  'bytes that are no text': (upstream) => expect(upstream?.body).toContain(KEY),
}

/** A gateway in front may have passed the call on. */
const mayHaveExecuted = (status: number | null) => status === 502 || status === 504

/** The 18 operations of the interface; those that generate, in both modes. */
const OPERATIONS = [...platformEntries]
  .filter(([name]) => !name.startsWith('adjacent.'))
  .flatMap(([name, entry]): [string, Endpoint, string | null][] =>
    entry.events
      ? [
          [`${name}, streaming`, entry, 'streaming'],
          [`${name}, blocking`, entry, 'blocking'],
        ]
      : [[name, entry, null]],
  )

describe('a platform that cannot', () => {
  const bench = TestConsole.forFile(undefined, { RATE_LIMIT_FACTOR: '1000' })
  let answer: { status: number; body: (key: string) => string | Buffer; type: string }
  beforeAll(async () => {
    bench.platform.script = ({ headers }, response) => {
      const key = String(headers.authorization).replace('Bearer ', '')
      response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body(key))
    }
  })

  /** Asks for an operation. @returns what was said and, where the ledger has the call, what it has. */
  const ask = async (entry: Endpoint, mode: string | null) => {
    const { path, body, headers } = toTestRequest(entry, bench.keys)
    const run_id = randomUUID()
    const sent = typeof body === 'object' && mode ? { ...body, response_mode: mode } : body
    const response = await bench.fetch(entry.method, path, sent, { ...headers, ...(mode ? { 'run-id': run_id } : {}) })
    const problem = (await response.json()) as Problem
    const kept = mode ? await bench.json<{ status: string; problem: unknown }>('GET', `/api/runs/${run_id}`) : null
    return { status: response.status, problem, kept }
  }

  it('is met by each of the 18', () => {
    expect(OPERATIONS.length).toBe(18 + 3)
  })

  it.each([
    [500, 'JSON'],
    [502, 'much JSON'],
    [503, 'a page'],
    [504, 'nothing'],
    [504, 'bytes that are no text'],
  ] as const)(
    'and answers %i with %s is told of as it said it, for each operation, and asked once',
    async (status, name) => {
      const types = { JSON: 'application/json', 'much JSON': 'application/json', 'a page': 'text/html' }
      const type = (types as Record<string, string>)[name] ?? 'application/octet-stream'
      answer = { status, body: BODIES[name], type }
      const before = bench.platform.requests.length
      const all = await Promise.all(
        OPERATIONS.map(async ([operation, entry, mode]) => [operation, mode, await ask(entry, mode)] as const),
      )
      for (const [operation, mode, said] of all) {
        const { upstream, message } = said.problem
        expect([operation, said.status, said.problem.kind, upstream?.status]).toEqual([
          operation,
          424,
          'refused',
          status,
        ])
        EXPECTATIONS[name](upstream, message)
        const unsure = mode === 'blocking' ? 'unknown' : 'interrupted'
        if (said.kept)
          expect([operation, said.kept.status]).toEqual([operation, mayHaveExecuted(status) ? unsure : 'failed'])
        if (said.kept) expect(said.kept.problem).toEqual(said.problem)
        expect(message.length).toBeLessThanOrEqual(4096)
        if (typeof upstream?.body === 'string') expect(upstream.body.length).toBeLessThanOrEqual(4096)
      }
      expect(bench.platform.requests.length - before).toBe(OPERATIONS.length)
    },
  )

  it('and has been asked to write is in the ledger: by a gateway nobody knows with what end', async () => {
    const rows = await bench.query<{ entry: string; status: string; http_status: number }>(
      `SELECT DISTINCT entry, status, http_status FROM calls WHERE response_mode IS NULL`,
    )
    const writes = OPERATIONS.filter(([, { method, events }]) => method !== 'GET' && !events)
    expect(rows.length).toBe(writes.length * 4)
    for (const row of rows) expect(row.status).toBe(mayHaveExecuted(row.http_status) ? 'unknown' : 'failed')
  })

  it('is waited for as its operation asks: 30 s for a read, 60 s for a stream, 110 s for a write or a whole answer', async () => {
    const send = vi.spyOn(UpstreamClient.prototype, 'send')
    answer = { status: 500, body: BODIES.nothing, type: 'text/plain' }
    for (const [operation, entry, mode] of OPERATIONS) {
      await ask(entry, mode)
      const limit =
        mode === 'streaming' ? TIMEOUTS_MS.stream : entry.method === 'GET' ? TIMEOUTS_MS.read : TIMEOUTS_MS.blocking
      expect([operation, send.mock.lastCall?.[1].timeoutMs]).toEqual([operation, limit])
    }
    send.mockRestore()
  })
})
