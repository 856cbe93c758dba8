import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { MemoryRouter } from 'react-router'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newQueryClient } from '../../../client/query.ts'
import { makeRun } from '../../../client/runRow.testing.ts'
import { makeSession } from '../../../client/session.testing.ts'
import { RunInspector } from './RunInspector.tsx'

const FIRST = '11111111-1111-4111-8111-111111111111'
const SECOND = '22222222-2222-4222-8222-222222222222'
const exportStart = Promise.withResolvers<void>()
const server = setupServer(
  http.get('*/api/session', () => HttpResponse.json(makeSession('admin'))),
  http.get('*/api/workspaces', () => HttpResponse.json({ data: [], total: 0 })),
  http.get('*/api/runs/:run_id/frames', () =>
    HttpResponse.json({ data: [{ seq: 1, at: 1, bytes: 13, block: 'event: ping' }], total: 1 }),
  ),
  http.get('*/api/runs/:run_id', async () => {
    await exportStart.promise
    return HttpResponse.json({ kind: 'fault', status: 500, message: 'The database is full.' }, { status: 500 })
  }),
)
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterAll(() => server.close())

test('the progress and the failure of an export are shown with its run only', async () => {
  const client = newQueryClient()
  const inspector = (id: string) => (
    <MantineProvider>
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <RunInspector
            run_id={id}
            run={makeRun({ id })}
            workspace="w"
            tab="frames"
            source={null}
            onTab={vi.fn()}
            onClose={null}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>
  )
  const { rerender } = render(inspector(FIRST))
  await userEvent.click(await screen.findByRole('button', { name: 'Export run as a file' }))
  expect(screen.getByText('Preparing the export.')).toBeDefined()
  rerender(inspector(SECOND))
  expect(screen.queryByText('Preparing the export.')).toBeNull()
  rerender(inspector(FIRST))
  exportStart.resolve()
  expect(await screen.findByText(/The database is full/)).toBeDefined()
  rerender(inspector(SECOND))
  expect(screen.queryByText(/The database is full/)).toBeNull()
})
