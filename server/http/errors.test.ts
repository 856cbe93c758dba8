import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerErrorHandler } from './errors.ts'

const SECRET = 'Bearer sk-sentinel-5d1c'

describe('a request that fails of an error of our own', () => {
  let app: FastifyInstance
  let log = ''
  let error: unknown
  beforeAll(async () => {
    app = Fastify({ logger: { stream: { write: (line: string) => void (log += line) } } })
    registerErrorHandler(app)
    app.get('/', () => Promise.reject(error as Error))
    app.get('/beside', () => ({ fine: true }))
    await app.ready()
  })
  afterAll(() => app.close())
  const fail = async (of: unknown) => {
    error = of
    const { statusCode, headers, body } = await app.inject('/')
    return { status: statusCode, again: headers['retry-after'], problem: JSON.parse(body) as Record<string, unknown> }
  }

  it('is told nothing of it but an id, which finds it in the log; the next one is answered', async () => {
    log = ''
    const { status, problem } = await fail(new TypeError(`undefined is not a function near ${SECRET}`))
    expect([status, problem]).toEqual([
      500,
      {
        kind: 'fault',
        status: 500,
        message: 'The server failed to handle this request.',
        id: expect.any(String) as string,
      },
    ])
    const line = log.split('\n').find((one) => one.includes('"request failed"'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ reqId: problem.id, err: { type: 'TypeError' } })
    expect((await app.inject('/beside')).json()).toEqual({ fine: true })
  })

  it('because the database is away is told so, and when to come again', async () => {
    const coded = (code: string) => Object.assign(new Error('no'), { code })
    const nobody = createServer().listen(0, '127.0.0.1')
    await once(nobody, 'listening')
    const { port } = nobody.address() as AddressInfo
    nobody.close()
    const refused: unknown = await new Client({ host: '127.0.0.1', port }).connect().catch((reason: unknown) => reason)
    for (const away of [
      refused,
      ...['ECONNRESET', 'EPIPE', '08006', '57P01', '57P02', '57P03', '53300'].map(coded),
      new Error('Query read timeout'),
      new Error('timeout exceeded when trying to connect'),
      new Error('Connection terminated unexpectedly'),
      new Error('Failed query: SELECT 1', { cause: coded('ECONNRESET') }),
      new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]),
    ])
      expect(await fail(away), String(away)).toMatchObject({ status: 503, again: '2', problem: { kind: 'fault' } })
  })

  it('because of the lock of another request can be retried', async () => {
    for (const code of ['55P03', '40P01'])
      expect(await fail(new Error('Failed query', { cause: Object.assign(new Error('no'), { code }) }))).toMatchObject({
        status: 503,
        again: '2',
        problem: { message: 'Another request is changing the same data. Try again.' },
      })
  })

  it('because of what is in the database is no absence of it', async () => {
    for (const code of ['23505', '42P01', '57014'])
      expect(await fail(Object.assign(new Error('no'), { code }))).toMatchObject({ status: 500, again: undefined })
  })
})
