import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { MemoryRouter } from 'react-router'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Batch } from '#contract/console/batches.ts'
import { newQueryClient } from '../../client/query.ts'
import { makeSession } from '../../client/session.testing.ts'
import { BatchActions } from './BatchActions.tsx'
import { BatchPauseNote } from './BatchPauseNote.tsx'
import { makeBatch } from './batch.testing.ts'

const BATCH = makeBatch()
const retried: unknown[] = []
const server = setupServer(
  http.get('*/api/session', () => HttpResponse.json(makeSession('operator'))),
  http.post('*/api/batches/:batch_id/retry', async ({ request }) => {
    retried.push(await request.json())
    return HttpResponse.json(BATCH)
  }),
)
beforeAll(() => server.listen())
afterEach(cleanup)
afterAll(() => server.close())

const show = (batch: Batch) =>
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <MemoryRouter>
          <BatchPauseNote batch={batch} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
test('the failed rows of a finished batch are run again by one button', async () => {
  show({ ...BATCH, state: 'ended', pause: null, problem: null, counts: { ...BATCH.counts, waiting: 0, failed: 2 } })
  expect(screen.getByText('2 rows have failed.')).toBeTruthy()
  await userEvent.click(await screen.findByRole('button', { name: 'Run failed rows again' }))
  await waitFor(() => expect(retried).toEqual([{ states: ['failed'] }]))
})

test('a batch whose person was shut out says so, and somebody else may resume it', async () => {
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <MemoryRouter>
          <BatchPauseNote batch={BATCH} />
          <BatchActions batch={BATCH} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  expect(await screen.findByRole('button', { name: 'Resume' })).toBeTruthy()
  expect(
    screen.getByText('Paused, because the person who started it no longer has permission: Eve was disabled.'),
  ).toBeTruthy()
})
