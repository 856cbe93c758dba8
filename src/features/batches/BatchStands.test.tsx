import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { MemoryRouter } from 'react-router'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Batch } from '#contract/console/batches.ts'
import { newQueryClient } from '../../client/query.ts'
import { makeSession } from '../../client/session.testing.ts'
import { BatchActions } from './BatchActions.tsx'
import { BatchPauseNote } from './BatchPauseNote.tsx'

const BATCH: Batch = {
  id: 'b',
  kind: 'run',
  state: 'paused',
  pause: 'no_access',
  problem: { kind: 'denied', message: 'Eve was disabled.' },
  waits_until: null,
  workspace: 'w',
  key: 'k',
  entry: 'completion.send',
  name: 'Texts',
  settings: { user: 'eve', response_mode: 'streaming' },
  bounds: { at_once: 4, per_minute: null, max_rows: null, max_tokens: null },
  person: 'Eve',
  total: 400,
  counts: { waiting: 395, running: 0, succeeded: 5, failed: 0, stopped: 0, unknown: 0 },
  tokens: null,
  tokens_rows: 0,
  prices: [],
  row_ms: null,
  created_at: '2026-11-22T00:00:00.000Z',
  began_at: '2026-11-22T00:00:00.000Z',
  ended_at: null,
}
const server = setupServer(http.get('*/api/session', () => HttpResponse.json(makeSession('operator'))))
beforeAll(() => server.listen())
afterEach(cleanup)
afterAll(() => server.close())

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
