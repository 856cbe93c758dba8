import { act, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { newQueryClient } from '../../../client/query.ts'
import { makeRun } from '../../../client/runRow.testing.ts'
import { WaitingPage } from './WaitingPage.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi } from '../../../client/consoleApi.testing.ts'

let isFailing = false
serveApi(
  http.get('*/api/waiting', () =>
    isFailing
      ? HttpResponse.json({ kind: 'fault', status: 500, message: 'The database is away.' }, { status: 500 })
      : HttpResponse.json({
          data: [{ run: makeRun({ status: 'paused', title: 'Approve the letter' }), forms: [] }],
          total: 1,
          limit: 50,
        }),
  ),
)

test('the runs stay on the page when a later read fails, beside what the server said', async () => {
  const client = newQueryClient()
  renderPage(<WaitingPage />, { client })
  expect(await screen.findByRole('link', { name: 'Approve the letter' })).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
  isFailing = true
  await act(() => client.refetchQueries())
  expect((await screen.findByRole('alert')).textContent).toContain('The database is away.')
  expect(screen.getByRole('link', { name: 'Approve the letter' })).toBeDefined()
})
