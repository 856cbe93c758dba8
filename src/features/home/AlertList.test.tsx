import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { type DriftAlert, DriftRow } from '#contract/console/drift.ts'
import type { Alerts } from '#contract/console/stats.ts'
import { makeWorkspace } from '../../client/session.testing.ts'
import { AlertList } from './AlertList.tsx'
import { renderPage } from '../../client/page.testing.tsx'
import { serveApi } from '../../client/consoleApi.testing.ts'

const at = '2026-11-21T12:00:00.000Z'
const server = serveApi(http.get('*/api/waiting', () => HttpResponse.json({ data: [], total: 0, limit: 5 })))

const workspaces = [
  makeWorkspace({ id: 'own', name: 'Built-in platform', builtin: true }),
  makeWorkspace({ id: 'other' }),
]
const noAlerts: Alerts = { failures: [], refused_uploads: [], stalled: [], drift: [], runs: [] }

const open = (alerts: Partial<Alerts>) => {
  renderPage(<AlertList alerts={{ ...noAlerts, ...alerts }} workspaces={workspaces} />)
  return within(screen.getByRole('region', { name: 'Alerts' }))
}

const makeDrift = (workspace: string): DriftAlert => ({
  workspace,
  count: 2,
  is_new: true,
  newest: DriftRow.parse({
    id: 'd',
    workspace,
    operation: 'documents.list',
    kind: 'word',
    severity: 'notice',
    event: null,
    path: 'data[].indexing_status',
    value: 'dreaming',
    sample: 'dreaming',
    count: 1,
    places: [],
    call: null,
    first_seen: at,
    last_seen: at,
  }),
})

test('drift of a foreign platform is an alert; that of Loupe’s own platform is none', () => {
  const alerts = open({ drift: [makeDrift('own'), makeDrift('other')] })
  expect(alerts.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('2 drift notices of Kiln') as string,
  ])
  expect(alerts.getByRole('heading').textContent).toBe('Alerts 1')
})

test('nothing is said to be without alerts while the waiting runs are not known', async () => {
  const calm = /^No alerts/
  const { promise, resolve } = Promise.withResolvers<void>()
  server.use(
    http.get('*/api/waiting', async () => {
      await promise
      return HttpResponse.json({ kind: 'fault', message: 'The database is away.' }, { status: 503 })
    }),
  )
  const alerts = open({})
  expect(alerts.queryByText(calm)).toBeNull()
  resolve()
  expect((await alerts.findByRole('alert')).textContent).toContain('The database is away.')
  expect(alerts.queryByText(calm)).toBeNull()
  server.resetHandlers()
  await userEvent.click(alerts.getByRole('button', { name: 'Retry' }))
  await alerts.findByText(calm)
})
