import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { Server, ServerList } from '#contract/console/servers.ts'
import type { Role } from '#contract/permissions.ts'
import { makeSession } from '../../../client/session.testing.ts'
import { ServersPage } from './ServersPage.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi } from '../../../client/consoleApi.testing.ts'

const THIS: Server = {
  id: '00000000-0000-4000-8000-00000000000a',
  is_this: true,
  state: 'ready',
  version: '1.0.0',
  hostname: 'host-a',
  address: '10.0.0.1:8787',
  started_at: '2026-11-23T10:00:00.000Z',
  heartbeat_age_ms: 0,
  active_runs: 3,
  open_streams: 12,
  event_loop_delay_ms: 4,
}
const OTHER: Server = { ...THIS, id: '00000000-0000-4000-8000-00000000000b', is_this: false, hostname: 'host-b' }
const EMBEDDED: ServerList = { database: 'embedded', data: [THIS], setting_differences: [] }

const state = { role: 'admin' as Role, list: EMBEDDED, isFailing: false, asked: 0 }
serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession(state.role))),
  http.get('*/api/servers', () => {
    state.asked += 1
    return state.isFailing
      ? HttpResponse.json({ kind: 'denied', status: 503, message: 'The database is away.' }, { status: 503 })
      : HttpResponse.json(state.list)
  }),
)
beforeEach(() => Object.assign(state, { role: 'admin', list: EMBEDDED, isFailing: false, asked: 0 }))

const open = () => renderPage(<ServersPage />)
const findRow = async (name: string) => {
  const row = (await screen.findByText(name)).closest('tr')
  if (!row) throw new Error(`${name} is in no row.`)
  return [...row.querySelectorAll('td')].map((cell) => cell.textContent)
}

test('settings that differ, with the servers of each value', async () => {
  const third = { ...OTHER, id: '00000000-0000-4000-8000-00000000000c', hostname: 'host-c', state: 'draining' as const }
  state.list = {
    database: 'postgresql',
    data: [THIS, OTHER, third],
    setting_differences: [{ name: 'PUBLIC_URL', groups: [[THIS.id, third.id], [OTHER.id]] }],
  }
  open()
  const box = (await screen.findByText('1 setting differs between servers')).closest('section') as HTMLElement
  expect(within(box).getByText('PUBLIC_URL')).toBeDefined()
  expect(within(box).getByText('Value 1: host-a 10.0.0.1:8787, host-c 10.0.0.1:8787')).toBeDefined()
  expect(within(box).getByText('Value 2: host-b 10.0.0.1:8787')).toBeDefined()
  expect((await findRow('host-c'))[1]).toBe('draining')
})

test('others than admins are told so, and the list is not asked for', async () => {
  state.role = 'operator'
  open()
  expect(await screen.findByText(/Only admins can see the servers/)).toBeDefined()
  expect(screen.queryByRole('table')).toBeNull()
  expect(state.asked).toBe(0)
})
