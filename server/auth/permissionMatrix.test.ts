import { randomUUID } from 'node:crypto'
import { WebSocket } from 'ws'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RouteOptions } from 'fastify'
import { LIVE_EVENTS_PATH, LIVE_PATH } from '#contract/console/liveMessages.ts'
import { hasPermission, ROLES } from '#contract/permissions.ts'
import { makeSamples } from '#contract/samples.testing.ts'
import { openStream, sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { routeEntries } from './idFields.testing.ts'
import { createPerson } from './people.testing.ts'
import { MAX_LIVE_CONNECTIONS_PER_PERSON } from '../runs/subscriptions/connectionQuota.ts'
import { openSocketPage } from '../runs/subscriptions/livePages.testing.ts'

const ANY_ID = '3f0e9a52-6b1f-4c53-9a52-0d9f3a1c7e01'

describe('every route', () => {
  const bench = TestConsole.forFile()
  let routes: RouteOptions[] = []
  beforeAll(async () => {
    routes = bench.console.routes.filter(({ method }) => method !== 'HEAD')
  })

  const ask = async ({ method, url }: RouteOptions, cookie: string) => {
    const isRead = method === 'GET'
    const { statusCode } = await bench.console.app.inject({
      method: method as 'GET',
      url: url.replace(/:\w+/g, ANY_ID),
      headers: { host: 'localhost', 'x-console': '1', ...(cookie ? { cookie } : {}) },
      ...(isRead ? {} : { payload: {} }),
    })
    return statusCode
  }
  const nameOf = ({ method, url }: RouteOptions) => `${String(method)} ${url}`

  it('is one of the contract, with its permission, or one of the few that are none', () => {
    const entries = [...routeEntries.values()]
    const declared = new Map(routes.map((route) => [nameOf(route), route.config?.permission]))
    for (const { method, path, permission } of entries)
      expect([path, declared.get(`${method} ${path}`)]).toEqual([path, permission])
    const known = new Set(entries.map(({ method, path }) => `${method} ${path}`))
    expect(
      routes
        .map(nameOf)
        .filter((name) => !known.has(name))
        .sort(),
    ).toEqual([
      'GET /api/batches/:batch_id/export',
      'GET /api/calls/export',
      'GET /api/keys/:key_id/datasets/:dataset_id/documents/:document_id/file',
      'GET /api/keys/:key_id/uploaded-files/:file_id',
      'GET /api/live',
      'GET /api/runs/:run_id/events',
      'GET /api/runs/:run_id/linked-file',
      'GET /healthz',
      'GET /metrics',
      'GET /readyz',
      'GET /suite.schema.json',
      'POST /api/live/events',
    ])
  })

  it('serves nobody who is not signed in or was disabled, but where it is open', async () => {
    const { id, cookie } = await createPerson(bench, 'admin')
    await bench.query('UPDATE people SET disabled_at = now() WHERE id = $1', [id])
    const before = bench.platform.requests.length
    for (const who of ['', cookie])
      for (const route of routes)
        expect([nameOf(route), (await ask(route, who)) === 401]).toEqual([
          nameOf(route),
          route.config?.permission !== 'open' && !route.config?.isAdmitted,
        ])
    expect(bench.platform.requests.length).toBe(before)
  })

  it('has no WebSocket, but the one of a page', async () => {
    const open = (path: string, headers: Record<string, string>) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(bench.url.replace('http', 'ws') + path.replace(/:\w+/g, ANY_ID), { headers })
        socket.on('open', () => resolve('open') ?? socket.terminate())
        socket.on('error', (error) => resolve(error.message))
      })
    for (const { method, url } of routes.filter((route) => route.method === 'GET')) {
      expect([method, url, await open(url, {})]).toEqual([method, url, expect.stringMatching(/response: 4\d\d$/)])
      const isOpen = (await open(url, { cookie: bench.cookie })) === 'open'
      expect([url, isOpen]).toEqual([url, url === LIVE_PATH])
    }
  })

  it('counts every event stream as a live connection, and limits its rate', async () => {
    const run_id = randomUUID()
    bench.platform.script = ({ method }, response) =>
      method === 'POST' ? openStream(response) : sendError(response, 404, { code: 'not_found' })
    await bench.ask({ response_mode: 'streaming' }, { 'run-id': run_id, prefer: 'respond-async' })
    const contentTypes = async (cookie: string) => {
      const streams = new Map<string, number>()
      for (const route of routes) {
        const entry = routeEntries.get(nameOf(route))
        const isGet = route.method === 'GET'
        if (!isGet && !entry?.events && entry) continue
        const path = route.url
          .replace(':run_id', run_id)
          .replace(':key_id', bench.keys[entry?.key === 'workflow' || entry?.key === 'completion' ? entry.key : 'chat'])
        const body = entry?.events
          ? { ...(makeSamples(entry).body as object), response_mode: 'streaming' }
          : { watch: [{ run: run_id, after: 0 }] }
        const aborter = new AbortController()
        const reply = await fetch(bench.url + path.replace(/:\w+/g, ANY_ID), {
          method: String(route.method),
          headers: { cookie, 'x-console': '1', ...(isGet ? {} : { 'content-type': 'application/json' }) },
          body: isGet ? null : JSON.stringify(body),
          signal: aborter.signal,
        })
        if (reply.headers.get('content-type')?.startsWith('text/event-stream')) streams.set(nameOf(route), 200)
        else if (reply.status === 429) streams.set(nameOf(route), 429)
        aborter.abort()
      }
      return streams
    }
    const person = await createPerson(bench, 'operator')
    const streams = [...(await contentTypes(person.cookie))]
    expect(streams.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'GET /api/runs/:run_id/events',
        `POST ${LIVE_EVENTS_PATH}`,
        'POST /api/keys/:key_id/chat-messages',
      ]),
    )
    for (const [name] of streams)
      expect([name, routes.find((route) => nameOf(route) === name)?.config?.rateLimit]).toEqual([
        name,
        expect.anything(),
      ])
    const pages = await Promise.all(
      Array.from({ length: MAX_LIVE_CONNECTIONS_PER_PERSON }, () =>
        openSocketPage(bench.url, { cookie: person.cookie }),
      ),
    )
    const refused = await contentTypes(person.cookie)
    for (const [name, status] of streams) expect([name, status, refused.get(name)]).toEqual([name, 200, 429])
    for (const page of pages) page.close()
  })

  it.each(ROLES)('lets a %s do what the one table says', async (role) => {
    const { begin } = await createPerson(bench, role)
    for (const route of routes) {
      const status = await ask(route, await begin())
      const may = hasPermission(role, route.config?.permission ?? 'manage')
      expect([nameOf(route), status === 403, status === 401]).toEqual([nameOf(route), !may, false])
    }
  })
})
