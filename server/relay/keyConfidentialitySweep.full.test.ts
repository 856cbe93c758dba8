import { expect, it } from 'vitest'
import { platformEntries } from '#contract/platformEntries.ts'
import { contract } from '#contract/index.ts'
import { openStream, sendError, type RecordedRequest } from '#support/platforms/scriptedPlatform.ts'
import { createPerson } from '../auth/people.testing.ts'
import { TestConsole } from '../app.testing.ts'
import { listEncodings } from '#support/keyEncodings.ts'
import { TEST_ID, toRelayPath, toTestRequest } from './requests.testing.ts'

/** What is told to whoever asks. */
const PUBLIC_ROUTES = new Set(['/api/session/methods'])

const testConsole = TestConsole.forFile()
const forms = () => Object.entries(listEncodings(testConsole.secretKey))

/** Says the key back in every place and form that a reply has. */
const reflect = (round: number) => (seen: RecordedRequest, response: Parameters<typeof sendError>[0]) => {
  const secret = String(seen.headers.authorization).replace('Bearer ', '')
  const all = Object.values(listEncodings(secret))
  const headers = { 'x-version': secret, 'x-echo': secret, 'set-cookie': secret, 'www-authenticate': secret }
  const body = { id: TEST_ID, name: secret, message: all.join(' '), answer: all.join(' '), data: all, [secret]: all }
  if (round === 1)
    return void response.writeHead(307, secret, { ...headers, location: `http://${secret}.example/` }).end()
  if (round === 2)
    return void response.writeHead(500, secret, { ...headers, 'content-type': secret }).end(`<h1>${all.join()}</h1>`)
  if (round === 3) return sendError(response, 401, { ...body, code: secret, params: secret }, headers)
  if (!seen.body.includes('"streaming"')) return sendError(response, 200, body, headers)
  openStream(response)
  for (const form of all)
    for (const cut of [3, 9, Math.floor(form.length / 2), form.length - 2])
      for (const answer of [form.slice(0, cut), form.slice(cut)])
        response.write(
          `data: ${JSON.stringify({ event: 'message', id: TEST_ID, message_id: TEST_ID, task_id: TEST_ID, answer })}\n\n`,
        )
  response.end(
    `event: ${secret}\ndata: ${secret}\n\n: ${secret}\n\ndata: {"event":"message_end","metadata":{"x":"${secret}"}}\n\n`,
  )
}

it('the key leaves the server on no route, though the platform says it back in every form', async () => {
  const received: string[] = []
  const made = { name: 'sweep', role: 'admin', days: 1 }
  const { token } = await testConsole.json<{ token: string }>('POST', '/api/account/tokens', made)
  const asWhom: Record<string, string>[] = [
    { cookie: testConsole.cookie },
    { cookie: (await createPerson(testConsole, 'operator')).cookie },
    { cookie: (await createPerson(testConsole, 'viewer')).cookie },
    { cookie: '', authorization: `Bearer ${token}` },
    { cookie: '' },
  ]
  /** Asks as each of them. @returns what the admin was answered */
  const ask = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const statuses: number[] = []
    for (const who of asWhom) {
      const response = await testConsole.fetch(method, path, body, { ...headers, ...who })
      received.push(`${response.statusText} ${JSON.stringify([...response.headers])} ${await response.text()}`)
      statuses.push(response.status)
    }
    // A script by its token is answered as its person is, and nobody is told nothing but that.
    expect([method, path, statuses[3]]).toEqual([method, path, statuses[0]])
    const isRoute = path.startsWith('/api/') && statuses[0] !== 404
    const statusForStrangers: unknown = !isRoute ? expect.any(Number) : PUBLIC_ROUTES.has(path) ? 200 : 401
    expect([path, statuses[4]]).toEqual([path, statusForStrangers])
    return statuses[0]
  }
  let answered = 0
  for (const round of [0, 1, 2, 3]) {
    testConsole.platform.script = reflect(round)
    for (const [, entry] of platformEntries) {
      const { path, body, headers } = toTestRequest(entry, testConsole.keys)
      const status = await ask(entry.method, path, body, headers)
      if (status !== 400 && status !== 404) answered++
    }
  }
  expect(answered).toBeGreaterThan(100)

  await testConsole.json('POST', `/api/workspaces/${testConsole.workspace}/keys/${testConsole.keys.chat}/probe`)
  await ask('POST', '/api/platform-detection', {
    base_url: testConsole.platform.url,
    keys: [`${testConsole.secretKey}-chat`],
  })
  const data = await testConsole.list<{ id: string }>('/api/runs?limit=100')
  const own = Object.values(contract.console).filter(({ method }) => method === 'GET')
  for (const entry of own)
    for (const id of entry.path.includes(':run_id') ? data.map((run) => run.id) : [testConsole.workspace])
      await ask('GET', entry.path.replace(':run_id', id).replace(/:\w+/g, testConsole.workspace))
  for (const path of ['/metrics', '/healthz', '/readyz', '/', '/assets/nothing.js.map', '/api/nothing'])
    await ask('GET', path)
  for (const { id } of data) await ask('GET', `/api/runs/${id}/events`)

  const tables = await testConsole.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  )
  for (const { name } of tables) {
    const rows = await testConsole.query<{ dump: string | null }>(`SELECT json_agg(t)::text AS dump FROM ${name} t`)
    received.push(rows[0]?.dump ?? '')
  }
  expect(tables.length).toBeGreaterThan(8)
  const everything = [...received, testConsole.log]
  for (const [form, text] of forms())
    expect([form, everything.filter((one) => one.includes(text)).map((one) => one.slice(0, 300))]).toEqual([form, []])
  expect(received.join('')).toContain('[REDACTED:key]')
})

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}
const POLICY = [
  "default-src 'none'", "script-src 'self'", "style-src 'self' 'nonce-N'", "img-src 'self' data:", "font-src 'self'", "connect-src 'self'",
  "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'", "object-src 'none'", "form-action 'self'", "frame-src 'none'",
  "frame-ancestors 'none'", "require-trusted-types-for 'script'", 'trusted-types default',
].join('; ') // prettier-ignore

it('every reply has the headers that keep a page from being framed, sniffed or scripted', async () => {
  testConsole.platform.script = (_seen, response) => sendError(response, 500, { message: 'no' })
  const routes: [string, string, number][] = [
    ...[...platformEntries.values()].map((entry): [string, string, number] => [
      entry.method,
      toRelayPath(entry, TEST_ID),
      0,
    ]),
    ...Object.values(contract.console).map(({ method, path }): [string, string, number] => [
      method,
      path.replace(/:\w+/g, TEST_ID),
      0,
    ]),
    ['GET', '/api/nothing', 404],
    ['GET', '/assets/nothing.js', 404],
    ['GET', '/chat', 503],
    ['GET', `/api/keys/${testConsole.keys.chat}/parameters`, 424],
    ['GET', '/healthz', 200],
  ]
  expect(routes.length).toBeGreaterThan(100)
  for (const [method, path, status] of routes.filter(([, one]) => one !== '/api/live' && !/\/session/.test(one))) {
    const { headers, ...reply } = await testConsole
      .fetch(method, path, method === 'GET' ? undefined : {})
      .then(async (response) => {
        await response.body?.cancel()
        return { headers: response.headers, status: response.status }
      })
    expect([path, reply.status]).toEqual([path, status === 0 ? expect.any(Number) : status])
    expect([path, Object.fromEntries(Object.keys(HEADERS).map((name) => [name, headers.get(name)]))]).toEqual([
      path,
      HEADERS,
    ])
    expect(headers.get('content-security-policy')?.replace(/nonce-[^']+/, 'nonce-N')).toBe(POLICY)
    expect([path, headers.get('cache-control')]).toEqual([path, path.startsWith('/api') ? 'no-store' : null])
    for (const name of ['access-control-allow-origin', 'server', 'x-powered-by']) expect(headers.get(name)).toBeNull()
  }
})

it('another host, origin or site changes nothing, on any route', async () => {
  const before = testConsole.platform.requests.length
  const changes = [...platformEntries.values(), ...Object.values(contract.console)].filter(
    ({ method }) => method !== 'GET',
  )
  for (const { method, path } of changes) {
    const url = path.startsWith('/api')
      ? path.replace(/:\w+/g, TEST_ID)
      : `/api/keys/${testConsole.keys.chat}${path.replace(/:\w+/g, TEST_ID)}`
    for (const headers of [
      { 'x-console': '' },
      { origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[])
      expect([url, headers, (await testConsole.fetch(method, url, {}, headers)).status]).toEqual([url, headers, 403])
  }
  expect(testConsole.platform.requests.length).toBe(before)
})
