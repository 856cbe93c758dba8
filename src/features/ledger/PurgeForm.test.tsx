import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Workspace } from '#contract/console/workspaces.ts'
import { newQueryClient } from '../../client/query.ts'
import { PurgeForm } from './PurgeForm.tsx'

const server = setupServer(
  http.get('*/api/calls', () =>
    HttpResponse.json({ kind: 'fault', message: 'The database is away.' }, { status: 503 }),
  ),
)
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterAll(() => server.close())

const workspace = Workspace.parse({
  id: '5cdff60a-06a3-4c44-96ab-b4f1e3e8d25e',
  name: 'Kiln',
  base_url: 'http://p/v1',
  builtin: false,
  created_at: '2026-11-21T12:00:00.000Z',
  keys: [],
})

test('calls that could not be counted can be deleted, and the count can be tried again', async () => {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={newQueryClient()}>
        <PurgeForm workspace={workspace} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const purge = screen.getByRole<HTMLButtonElement>('button', { name: 'Purge' })
  expect(purge.disabled).toBe(true)
  await userEvent.type(screen.getAllByRole('textbox')[0] as HTMLElement, '22 Nov 2026, 10:00')
  expect((await screen.findByRole('alert')).textContent).toContain('The database is away.')
  expect(purge.disabled).toBe(false)
  server.use(http.get('*/api/calls', () => HttpResponse.json({ data: [], total: 0, total_capped: false, next: null })))
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText('No calls before that moment.')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(purge.disabled).toBe(true)
})
