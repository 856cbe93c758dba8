import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPlatformDatabase } from './datasets/platform.fixture.ts'
import { MAX_WRONG_KEYS_PER_MINUTE } from './requestGate.ts'
import { TEST_KEYS } from './platformKeys.fixture.ts'
import { buildPlatform, type PlatformOptions } from './platform.ts'

const REMOTE_ADDRESS = '192.0.2.7'

describe('the built-in platform', () => {
  let store: Awaited<ReturnType<typeof openPlatformDatabase>>
  let app: FastifyInstance
  beforeAll(async () => {
    store = await openPlatformDatabase()
  })
  afterEach(() => app.close())
  afterAll(() => store.close())

  const open = async (settings: Partial<PlatformOptions> = {}) => {
    const { database } = store
    const log = pino({ level: 'silent' })
    app = await buildPlatform({
      database,
      keys: TEST_KEYS,
      model: null,
      log,
      version: '0.0.0',
      sample: false,
      ...settings,
    })
    await app.ready()
  }
  const ask = async (key: string, remoteAddress = '127.0.0.1', headers: Record<string, string> = {}) => {
    const reply = await app.inject({
      url: '/v1/datasets',
      remoteAddress,
      headers: { authorization: `Bearer ${key}`, ...headers },
    })
    return { status: reply.statusCode, headers: reply.headers, body: reply.json<Record<string, unknown>>() }
  }

  it('refuses an address that has tried many wrong keys, the right one too, and no other address', async () => {
    await open()
    for (let count = 0; count < MAX_WRONG_KEYS_PER_MINUTE; count++)
      expect((await ask(`guess-${count}`, REMOTE_ADDRESS)).status).toBe(401)
    expect(await ask('key-knowledge', REMOTE_ADDRESS)).toMatchObject({ status: 200 })
    expect(await ask('one-more', REMOTE_ADDRESS)).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^\d\d?$/) as string },
      body: {
        code: 'too_many_requests',
        status: 429,
        message: expect.stringContaining('wrong access token') as string,
      },
    })
    // A guess that is right must not be told from a wrong one any more.
    expect((await ask('key-knowledge', REMOTE_ADDRESS)).status).toBe(429)
    expect((await ask('key-knowledge', '192.0.2.8')).status).toBe(200)
    expect((await ask('another', '192.0.2.8')).status).toBe(401)
  })

  it('goes on answering the loopback, where the console itself comes from, and refuses only its wrong keys', async () => {
    await open({ rateLimitFactor: 0.05 })
    const statuses = []
    for (let count = 0; count < 8; count++) statuses.push((await ask(`guess-${count}`)).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429])
    expect((await app.inject({ url: '/v1/datasets' })).statusCode).toBe(401)
    expect((await ask('key-knowledge')).status).toBe(200)
    expect((await ask('key-knowledge', '::ffff:127.0.0.1')).status).toBe(200)
  })

  it('counts what a proxy says of an address only where the proxy is believed', async () => {
    const forwarded = (address: string) => ({ 'x-forwarded-for': address })
    await open({ rateLimitFactor: 0.05 })
    for (let count = 0; count < 7; count++) await ask('guess', REMOTE_ADDRESS, forwarded(`198.51.100.${count}`))
    expect((await ask('guess', REMOTE_ADDRESS, forwarded('198.51.100.99'))).status).toBe(429)
    await app.close()
    await open({ rateLimitFactor: 0.05, isProxy: (address) => ipaddr.process(address).toString() === REMOTE_ADDRESS })
    for (let count = 0; count < 7; count++) await ask('guess', REMOTE_ADDRESS, forwarded('198.51.100.1'))
    expect((await ask('guess', REMOTE_ADDRESS, forwarded('198.51.100.1'))).status).toBe(429)
    expect((await ask('guess', REMOTE_ADDRESS, forwarded('198.51.100.2'))).status).toBe(401)
  })

  it('answers for its own names alone, and sniffing is off on every reply', async () => {
    await open()
    for (const host of ['127.0.0.1:8788', 'LOCALHOST', '[::1]:8788'])
      expect([host, (await ask('key-knowledge', undefined, { host })).status]).toEqual([host, 200])
    for (const host of ['evil.example', '127.0.0.1.evil.example', '192.0.2.7'])
      expect([host, (await ask('key-knowledge', undefined, { host })).status]).toEqual([host, 421])
    for (const url of ['/v1/', '/v1/datasets', '/nowhere', '/v1/datasets/%zz', `/v1/datasets/${'x'.repeat(5000)}`])
      expect([url.slice(0, 20), (await app.inject({ url })).headers['x-content-type-options']]).toEqual([
        url.slice(0, 20),
        'nosniff',
      ])
    await app.close()
    await open({ isHost: (host) => host === 'platform.example' })
    expect((await ask('key-knowledge', undefined, { host: 'platform.example' })).status).toBe(200)
    expect((await ask('key-knowledge')).status).toBe(421)
  })

  it('refuses a request with two Hosts', async () => {
    await open()
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (part: Buffer) => (text += String(part)))
    socket.end('GET /v1/ HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
    await once(socket, 'close')
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain('more than one Host')
  })
})
