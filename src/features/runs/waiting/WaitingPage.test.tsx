import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { MemoryRouter } from 'react-router'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newQueryClient } from '../../../client/query.ts'
import { makeRun } from '../../../client/runRow.testing.ts'
import { WaitingPage } from './WaitingPage.tsx'

let isFailing = false
const server = setupServer(
  http.get('*/api/workspaces', () => HttpResponse.json({ data: [], total: 0 })),
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
beforeAll(() => server.listen())
afterAll(() => server.close())

test('the runs stay on the page when a later read fails, beside what the server said', async () => {
  const client = newQueryClient()
  render(
    <MantineProvider>
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <WaitingPage />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  expect(await screen.findByRole('link', { name: 'Approve the letter' })).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
  isFailing = true
  await act(() => client.refetchQueries())
  expect((await screen.findByRole('alert')).textContent).toContain('The database is away.')
  expect(screen.getByRole('link', { name: 'Approve the letter' })).toBeDefined()
})
