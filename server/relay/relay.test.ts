import { describe, expect, it, vi } from 'vitest'
import type { Problem } from '#contract/problem.ts'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { Ledger } from '../ledger/ledger.ts'

const DATASET = '3f0e9a52-6b1f-4c53-9a52-0d9f3a1c7e01'

describe('the relay', () => {
  const bench = TestConsole.forFile()

  const documents = (query = '', key = bench.keys.knowledge, dataset = DATASET) =>
    bench.fetch('GET', `/api/keys/${key}/datasets/${dataset}/documents${query}`)
  const problemOf = async (response: Response) => (await response.json()) as Problem
  const untouched = async (ask: () => Promise<Response>) => {
    const before = bench.platform.requests.length
    const response = await ask()
    expect(bench.platform.requests.length).toBe(before)
    return { status: response.status, problem: await problemOf(response) }
  }

  it('of a write whose end cannot be stored at once gives the reply, and stores the end later', async () => {
    bench.platform.script = (_seen, response) => sendError(response, 200, { id: DATASET, name: 'Stored later' })
    const endCall = vi.spyOn(Ledger.prototype, 'endCall')
    try {
      endCall.mockRejectedValueOnce(new Error('Connection terminated unexpectedly'))
      const response = await bench.fetch('POST', `/api/keys/${bench.keys.knowledge}/datasets`, { name: 'Stored later' })
      expect(response.status).toBe(200)
      const readStatus = async () =>
        (await bench.query<{ status: string }>(`SELECT status FROM calls WHERE title = 'Stored later'`))[0]?.status
      expect(await readStatus()).toBe('dispatched')
      await expect.poll(readStatus, { timeout: 15_000 }).toBe('succeeded')
    } finally {
      endCall.mockRestore()
    }
  }, 20_000)

  it('sends the headers that it builds, and none of the browser’s', async () => {
    bench.platform.script = (_seen, response) => sendError(response, 200, { data: [], total: 0 })
    const path = `/api/keys/${bench.keys.knowledge}/datasets/${DATASET}/documents?page=2&keyword=a%26b`
    const foreign = { 'x-api-key': 'foreign', 'x-forwarded-for': '10.0.0.1', referer: 'http://elsewhere.example' }
    await bench.fetch('GET', path, undefined, foreign)
    const seen = bench.platform.requests.at(-1)
    expect(seen?.path).toBe(`/v1/datasets/${DATASET}/documents?keyword=a%26b&page=2&limit=20`)
    expect(Object.keys(seen?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'host',
      'user-agent',
      'x-loupe-hop',
      'x-request-id',
    ])
    expect(seen?.headers.authorization).toBe(`Bearer ${bench.secretKey}-knowledge`)
  })

  it('passes on query fields that the contract does not know', async () => {
    bench.platform.script = (_seen, response) => sendError(response, 200, { data: [], total: 0 })
    await documents('?nonsense=1&limit=5&nonsense=2&__proto__=x')
    expect(bench.platform.requests.at(-1)?.path).toBe(
      `/v1/datasets/${DATASET}/documents?page=1&limit=5&nonsense=1&nonsense=2`,
    )
    await bench.fetch('GET', `/api/keys/${bench.keys.chat}/parameters?user=me`)
    expect(bench.platform.requests.at(-1)?.path).toBe('/v1/parameters?user=me')
  })

  it('names the field of a bad request and does not call the platform', async () => {
    const ask = (body: Record<string, unknown>, headers = {}) => bench.ask(body, headers)
    const name = 'x'.repeat(10_000)
    const cases: [string, () => Promise<Response>, string][] = [
      ['limit 0', () => documents('?limit=0'), 'query.limit'],
      ['limit 101', () => documents('?limit=101'), 'query.limit'],
      ['limit that is no number', () => documents('?limit=many'), 'query.limit'],
      ['an id that is none', () => documents('', bench.keys.knowledge, 'not-an-id'), 'params.dataset_id'],
      ['an id that climbs', () => documents('', bench.keys.knowledge, '%2e%2e%2f'), 'params.dataset_id'],
      ['an id of dots', () => documents('', bench.keys.knowledge, '..%2f..%2fworkflows'), 'params.dataset_id'],
      ['a key id that is none', () => documents('', 'nope'), 'params.key_id'],
      ['a key of another kind', () => documents('', bench.keys.chat), 'params.key_id'],
      ['a missing query', () => ask({ query: undefined }), 'body.query'],
      ['an unknown field', () => ask({ api_base: 'http://evil' }), 'body.api_base'],
      ['an unknown mode', () => ask({ response_mode: 'fast' }), 'body.response_mode'],
      ['a run id that is none', () => ask({}, { 'run-id': 'x' }), 'headers.run-id'],
      ['a long name', () => bench.fetch('POST', `/api/keys/${bench.keys.knowledge}/datasets`, { name }), 'body.name'],
    ]
    for (const [what, send, path] of cases) {
      const { status, problem } = await untouched(send)
      expect([what, status, problem.kind], what).toEqual([what, 400, 'invalid'])
      expect(problem.fields?.[0]?.path, what).toBe(path)
      expect(problem.message.length, what).toBeGreaterThan(10)
    }
  })

  it('refuses a body that is no JSON, an unknown key, a wrong method and an unknown path', async () => {
    const chat = `/api/keys/${bench.keys.chat}/chat-messages`
    const polluted = '{"__proto__":{"x":1},"query":"q","user":"u"}'
    const cases: [number, Partial<Problem>, () => Promise<Response>][] = [
      [400, { message: 'The body is not JSON.' }, () => bench.fetch('POST', chat, '{"query":')],
      [415, {}, () => bench.fetch('POST', chat, 'query=1', { 'content-type': 'text/plain' })],
      [400, {}, () => bench.fetch('POST', chat, polluted)],
      [404, { message: 'The key was not found.' }, () => documents('', DATASET)],
      [404, { kind: 'invalid' }, () => bench.fetch('DELETE', chat)],
      [404, {}, () => bench.fetch('GET', `/api/keys/${bench.keys.chat}/anything/else`)],
      [404, {}, () => bench.fetch('GET', `/api/keys//${bench.keys.chat}/parameters`)],
    ]
    for (const [status, problem, ask] of cases) expect(await untouched(ask)).toMatchObject({ status, problem })
  })

  it('shows a refusal word for word, and a 401 of the platform signs nobody out', async () => {
    const body = { code: 'unauthorized', message: 'Access token is invalid', status: 401 }
    bench.platform.script = (_seen, response) => sendError(response, 401, body)
    const response = await documents()
    expect(response.status).toBe(424)
    expect(await problemOf(response)).toEqual({
      kind: 'refused',
      message: body.message,
      upstream: { status: 401, body },
    })
    expect((await bench.fetch('GET', '/api/session')).status).toBe(200)
    expect((await bench.readKey(bench.keys.knowledge))?.last_problem).toMatchObject({ kind: 'refused' })
  })

  it('follows no redirect, and says where it leads', async () => {
    bench.platform.script = (_seen, response) =>
      void response.writeHead(307, { location: `${bench.platform.url}/trap?token=1` }).end()
    const before = bench.platform.requests.length
    const message = expect.stringContaining('redirect to http://127.0.0.1') as string
    expect(await problemOf(await documents())).toMatchObject({ kind: 'mismatch', message })
    expect(bench.platform.requests.length).toBe(before + 1)
  })

  it.each([
    ['a page of words', 200, { 'content-type': 'text/plain' }, 'It works!'],
    ['HTML', 200, { 'content-type': 'text/html' }, '<h1>Sign in</h1>'],
    ['what is compressed', 200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'x'],
    ['a page that calls itself JSON', 200, { 'content-type': 'application/json' }, '<!DOCTYPE html>'],
    ['a stream', 200, { 'content-type': 'text/event-stream' }, 'data: {"event":"ping"}\n\n'],
    ['a redirect to another place of its own', 308, { location: '/v2/datasets' }, ''],
  ])('takes %s for no reply to a read', async (what, status, headers, body) => {
    bench.platform.script = (_seen, response) => void response.writeHead(status, headers).end(body)
    const { kind, upstream, message } = await problemOf(await documents())
    expect(kind).toBe('mismatch')
    if (what === 'HTML') expect(upstream).toMatchObject({ status, body })
    if (what === 'what is compressed') expect(message).toContain('gzip')
  })

  it.each([
    ['nothing', 200, { 'content-type': 'application/json' }, ''],
    ['204', 204, {}, ''],
    ['a page', 200, { 'content-type': 'text/html' }, '<h1>Sign in</h1>'],
    ['a page of a gateway', 200, { 'content-type': 'text/html; charset=UTF-8' }, '<title>Just a moment...</title>'],
    ['a redirect', 302, { location: 'https://sso.example/login' }, ''],
    ['a compressed stream', 200, { 'content-type': 'text/event-stream', 'content-encoding': 'br' }, 'x'],
  ])('takes %s for no stream, and no run for a success by it', async (_, status, headers, body) => {
    bench.platform.script = (_seen, response) => void response.writeHead(status, headers).end(body)
    const before = bench.platform.requests.length
    const response = await bench.ask()
    await response.text()
    const run = await bench.json<{ status: string; problem: unknown }>(
      'GET',
      `/api/runs/${response.headers.get('run-id')}`,
    )
    expect(['failed', 'interrupted', 'unknown']).toContain(run.status)
    expect(run.problem).toMatchObject({ kind: expect.stringMatching(/^(mismatch|cut)$/) as string })
    expect(bench.platform.requests.length).toBe(before + 1)
  })

  it('passes 201 and 204 on, and unknown fields and words with them', async () => {
    bench.platform.script = (_seen, response) => sendError(response, 201, { id: DATASET, question: 'q', mood: 'new' })
    const annotation = await bench.fetch('POST', `/api/keys/${bench.keys.chat}/apps/annotations`, {
      question: 'q',
      answer: 'a',
    })
    expect([annotation.status, await annotation.json()]).toEqual([201, { id: DATASET, question: 'q', mood: 'new' }])
    bench.platform.script = (_seen, response) => void response.writeHead(204).end()
    const removed = await bench.fetch('DELETE', `/api/keys/${bench.keys.knowledge}/datasets/${DATASET}`)
    expect([removed.status, await removed.text()]).toEqual([204, ''])
  })

  it('says that a platform is down, and says it of a run too', async () => {
    const { id } = await bench.json<{ id: string }>('POST', '/api/workspaces', {
      name: 'Down',
      base_url: 'http://127.0.0.1:1/v1',
    })
    const key = await bench.json<{ id: string }>('POST', `/api/workspaces/${id}/keys`, {
      kind: 'chat',
      label: 'down',
      key: 'x',
    })
    const response = await bench.fetch('POST', `/api/keys/${key.id}/chat-messages`, { query: 'q', user: 'u' })
    expect([response.status, await problemOf(response)]).toMatchObject([
      502,
      { kind: 'unreachable', message: expect.stringContaining('Is it running?') as string },
    ])
    const data = await bench.list<{ status: string }>(`/api/runs?key=${key.id}`)
    expect(data).toMatchObject([{ status: 'failed' }])
    // A name that the registries promise nobody will have (RFC 6761).
    await bench.fetch('PATCH', `/api/workspaces/${id}`, { base_url: 'http://platform.invalid/v1' })
    await bench.fetch('PATCH', `/api/workspaces/${id}/keys/${key.id}`, { key: 'x' })
    const nameless = await bench.fetch('GET', `/api/keys/${key.id}/parameters`)
    expect(await problemOf(nameless)).toEqual({
      kind: 'unreachable',
      message: 'The host name of the platform at http://platform.invalid cannot be resolved.',
    })
  })

  it('refuses a base URL that is no place to send a key to, its own address included', async () => {
    for (const host of ['user:pw@host', '2852039166', new URL(bench.url).host]) {
      const response = await bench.fetch('POST', '/api/workspaces', { name: host, base_url: `http://${host}/v1` })
      const { fields } = await problemOf(response)
      expect([host, response.status, fields?.[0]?.path]).toEqual([host, 400, 'body.base_url'])
    }
  })
})
