import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { makeWorkspace } from '../../client/session.testing.ts'
import { PurgeForm } from './PurgeForm.tsx'
import { renderPage } from '../../client/page.testing.tsx'
import { serveApi, toPage } from '../../client/consoleApi.testing.ts'

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
