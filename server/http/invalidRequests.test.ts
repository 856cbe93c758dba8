import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { Problem } from '#contract/problem.ts'
import { TestConsole } from '../app.testing.ts'

describe('a request that is not right', () => {
  const bench = TestConsole.forFile()

  const chat = () => `/api/keys/${bench.keys.chat}/chat-messages`
  const toResult = async (response: Response) => ({
    status: response.status,
    problem: Problem.parse(JSON.parse(await response.text())),
  })
  /** Sends bytes as they are and gives the status and the body of the reply. */
  const raw = (text: string) =>
    new Promise<{ status: number; problem: Problem }>((resolve, reject) => {
      let reply = ''
      const socket = connect(Number(new URL(bench.url).port), '127.0.0.1', () => socket.write(text))
      socket.setEncoding('utf8').on('data', (part: string) => (reply += part))
      socket.on('error', reject).on('close', () => {
        const [head = '', body = ''] = reply.split('\r\n\r\n')
        resolve({ status: Number(head.split(' ')[1]), problem: Problem.parse(JSON.parse(body)) })
      })
    })

  it('nests without end: says so, and the platform is not called', async () => {
    const before = bench.platform.requests.length
    for (const depth of [65, 100_000]) {
      const inputs = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
      const body = `{"query":"q","user":"u","inputs":${inputs}}`
      expect(await toResult(await bench.fetch('POST', chat(), body))).toMatchObject({
        status: 400,
        problem: { kind: 'invalid', message: 'The body is nested more than 64 levels deep.' },
      })
    }
    expect(bench.platform.requests.length).toBe(before)
    const brackets = { query: '[{'.repeat(1000) + '\\"[', user: 'u', response_mode: 'blocking' }
    await bench.fetch('POST', chat(), brackets)
    expect(bench.platform.requests.length).toBe(before + 1)
  })

  it('is too large: says so, with and without a length', async () => {
    const large = { query: 'x'.repeat(1024 * 1024), user: 'u' }
    expect(await toResult(await bench.fetch('POST', chat(), large))).toMatchObject({
      status: 413,
      problem: { kind: 'invalid', message: 'The body is too large.' },
    })
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('x'.repeat(65_536)))
      },
    })
    const chunked = await fetch(bench.url + chat(), {
      method: 'POST',
      headers: { cookie: bench.cookie, 'x-console': '1', 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as RequestInit)
    expect((await toResult(chunked)).status).toBe(413)
  })

  it('has an address that cannot be decoded, is too long or doubles a slash', async () => {
    expect(await toResult(await bench.fetch('GET', '/api/keys/%zz/parameters'))).toMatchObject({
      status: 400,
      problem: { message: 'The URL cannot be decoded.' },
    })
    expect((await toResult(await bench.fetch('GET', `/api/runs/${'x'.repeat(300)}`))).status).toBe(414)
    expect((await toResult(await bench.fetch('GET', `/api/resources?q=${'x'.repeat(10_000)}`))).status).toBe(400)
    for (const path of ['//api/runs', '/api//runs', '/api/runs/'])
      expect((await bench.fetch('GET', path)).headers.get('content-type')).not.toContain('event-stream')
    const host = `host: 127.0.0.1\r\n`
    expect(await raw(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`)).toMatchObject({ status: 431 })
    expect(await raw(`GET / HTTP/1.1\r\n${host}bad header\r\n\r\n`)).toMatchObject({ status: 400 })
    expect(
      await raw(`POST / HTTP/1.1\r\n${host}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`),
    ).toMatchObject({
      status: 400,
      problem: { kind: 'invalid' },
    })
  })

  it('asks by another method or with another body than the entry takes', async () => {
    for (const method of ['HEAD', 'OPTIONS', 'PUT'])
      expect((await bench.fetch(method, '/api/runs')).status, method).toBe(404)
    const form = new FormData()
    form.append('query', 'q')
    const response = await fetch(bench.url + chat(), {
      method: 'POST',
      headers: { cookie: bench.cookie, 'x-console': '1' },
      body: form,
    })
    expect(await toResult(response)).toMatchObject({ status: 415, problem: { kind: 'invalid' } })
    const foreign = await fetch(bench.url + chat(), { method: 'POST', headers: { cookie: bench.cookie }, body: form })
    expect((await toResult(foreign)).status).toBe(403)
  })

  it('is TRACE, or no HTTP at all: it is refused, gets nothing of itself back, and no browser sniffs the reply', async () => {
    const send = async (text: string) => {
      const socket = connect(Number(new URL(bench.url).port), '127.0.0.1')
      let reply = ''
      socket.on('data', (part: Buffer) => (reply += String(part)))
      socket.end(text)
      await once(socket, 'close')
      return reply
    }
    const traced = await send('TRACE / HTTP/1.1\r\nHost: localhost\r\nX-Mark: echo-me\r\nConnection: close\r\n\r\n')
    expect(traced).toMatch(/^HTTP\/1\.1 40[345] /)
    const broken = await send('echo-me\r\n\r\n')
    expect(broken).toMatch(/^HTTP\/1\.1 400 /)
    for (const reply of [traced, broken]) {
      expect(reply).toMatch(/^x-content-type-options: nosniff\r$/m)
      expect(reply).not.toContain('echo-me')
    }
  })

  it('holds a NUL where the database keeps text', async () => {
    expect(await toResult(await bench.fetch('GET', '/api/resources?q=%00'))).toMatchObject({
      status: 400,
      problem: { kind: 'invalid' },
    })
    const workspace = { name: 'a\0b', base_url: 'http://127.0.0.1:9/v1' }
    expect(await toResult(await bench.fetch('POST', '/api/workspaces', workspace))).toMatchObject({ status: 400 })
  })

  it('has a time, an id or a time zone that the database does not know', async () => {
    const dashes = '-'.repeat(36)
    for (const [query, field] of [
      ['from=2026-01-01T00:00:00%2B16:00', 'query.from'],
      ['to=2026-01-01T00:00:00-23:59', 'query.to'],
      [`ids=${dashes}`, 'query.ids'],
      [`before=1_${dashes}`, 'query.before'],
    ] as const)
      expect(await toResult(await bench.fetch('GET', `/api/calls?${query}`))).toMatchObject({
        status: 400,
        problem: { kind: 'invalid', message: expect.stringContaining(field) as string },
      })
    const offset = await bench.fetch('GET', '/api/calls?from=2026-01-01T00:00:00-15:59')
    expect(offset.status).toBe(200)
    await bench.fetch('POST', chat(), { query: 'q', user: 'u', response_mode: 'blocking' })
    for (const path of ['/api/stats?', '/api/call-stats?group=day&'])
      expect(await toResult(await bench.fetch('GET', `${path}zone=US/Pacific-New`))).toMatchObject({
        status: 400,
        problem: { kind: 'invalid', message: 'The database does not know the time zone "US/Pacific-New".' },
      })
  })

  it('is no HTTP: the server closes the connection when the client does not', async () => {
    const { server } = bench.console.app
    const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
    const before = await open()
    const sockets = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const socket = connect({ port: Number(new URL(bench.url).port), host: '127.0.0.1', allowHalfOpen: true })
        socket.on('error', () => undefined)
        socket.write('this is no HTTP\r\n\r\n')
        const reply = await new Promise<string>((resolve) => {
          let text = ''
          socket.setEncoding('utf8').on('data', (part: string) => (text += part))
          socket.on('end', () => resolve(text))
        })
        expect(reply).toContain('HTTP/1.1 400')
        return socket
      }),
    )
    await expect.poll(open).toBeLessThanOrEqual(before)
    for (const socket of sockets) socket.destroy()
  })
})
