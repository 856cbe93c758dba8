import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { Link } from 'react-router'
import { expect, test } from 'vitest'
import type { Retention } from '#contract/console/retention.ts'
import { makeSession, makeWorkspace } from '../../client/session.testing.ts'
import { PurgeForm } from './PurgeForm.tsx'
import { RetentionPage } from './RetentionPage.tsx'
import { renderPage } from '../../client/page.testing.tsx'
import { serveApi, toPage } from '../../client/consoleApi.testing.ts'

const RETENTION: Retention = {
  workspace: '',
  keep_days: null,
  keep_megabytes: null,
  keep_file_megabytes: 100,
  purge_before: null,
  erasures: [],
  removed: 0,
  removed_at: null,
  counted_at: null,
  calls: null,
  bytes: null,
  frame_bytes: null,
  file_bytes: null,
  oldest: null,
}

const server = serveApi(
  http.get('*/api/calls', () =>
    HttpResponse.json({ kind: 'fault', message: 'The database is away.' }, { status: 503 }),
  ),
)

test('calls that could not be counted can be deleted, and the count can be tried again', async () => {
  renderPage(<PurgeForm workspace={makeWorkspace()} />)
  const purge = screen.getByRole<HTMLButtonElement>('button', { name: 'Purge' })
  expect(purge.disabled).toBe(true)
  await userEvent.type(screen.getAllByRole('textbox')[0] as HTMLElement, '22 Nov 2026, 10:00')
  expect((await screen.findByRole('alert')).textContent).toContain('The database is away.')
  expect(purge.disabled).toBe(false)
  server.use(http.get('*/api/calls', () => HttpResponse.json(toPage([]))))
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText('No calls before that moment.')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(purge.disabled).toBe(true)
})

test('rules that were typed for one workspace are not those of the next', async () => {
  const workspaces = ['home', 'kiln'].map((name) => makeWorkspace({ id: crypto.randomUUID(), name }))
  server.use(
    http.get('*/api/session', () => HttpResponse.json(makeSession('admin'))),
    http.get('*/api/workspaces', () => HttpResponse.json(toPage(workspaces))),
    http.get('*/api/workspaces/:workspace/retention', ({ params }) =>
      HttpResponse.json({ ...RETENTION, workspace: params['workspace'] }),
    ),
  )
  renderPage(
    <>
      {workspaces.map(({ id, name }) => (
        <Link key={id} to={`?workspace=${id}`}>
          {name}
        </Link>
      ))}
      <RetentionPage />
    </>,
  )
  const open = async (name: string) => {
    await userEvent.click(screen.getByText(name))
    await screen.findByRole('heading', { level: 1, name: new RegExp(name) })
    return screen.findByLabelText<HTMLInputElement>('Maximum age (days)')
  }
  await open('kiln')
  await userEvent.type(await open('home'), '30')
  expect((await open('kiln')).value).toBe('')
})
