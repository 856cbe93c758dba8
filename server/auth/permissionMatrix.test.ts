import { beforeAll, describe, expect, it } from 'vitest'
import type { RouteOptions } from 'fastify'
import { hasPermission, ROLES } from '#contract/permissions.ts'
import { TestConsole } from '../app.testing.ts'
import { routeEntries } from './idFields.testing.ts'
import { createPerson } from './people.testing.ts'

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

  it.each(ROLES)('lets a %s do what the one table says', async (role) => {
    const { begin } = await createPerson(bench, role)
    for (const route of routes) {
      const status = await ask(route, await begin())
      const may = hasPermission(role, route.config?.permission ?? 'manage')
      expect([nameOf(route), status === 403, status === 401]).toEqual([nameOf(route), !may, false])
    }
  })
})
