import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { MemoryRouter } from 'react-router'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { BatchRow } from '#contract/console/batches.ts'
import { newQueryClient } from '../../client/query.ts'
import { makeSession } from '../../client/session.testing.ts'
import { makeBatch } from './batch.testing.ts'
import { BatchRows } from './BatchRows.tsx'

// jsdom has no layout: a virtual list would draw no row at all.
vi.mock('virtua', () => ({
  Virtualizer: <Row,>({ data, children }: { data: Row[]; children: (row: Row, index: number) => React.ReactNode }) =>
    data.map(children),
}))

const stop = { person: 'Ada', at: '2026-11-22T10:00:00.000Z', after_frame: 3, had_effect: true, reason: null }
const makeRow = (number: number, part: Partial<BatchRow> = {}): BatchRow => ({
  number,
  state: 'stopped',
  title: `text ${number}`,
  file_row: number,
  run: '11111111-1111-4111-8111-111111111111',
  stop,
  turns: 1,
  turn_runs: [],
  attempts: 1,
  problem: null,
  result: 'The begin',
  began_at: null,
  duration_ms: 900,
  tokens: null,
  price: null,
  currency: null,
  ...part,
})
const rows = [
  makeRow(1),
  makeRow(2, { stop: { ...stop, person: null } }),
  makeRow(3, { stop: null }),
  makeRow(4, { state: 'succeeded', stop: null }),
]
const server = setupServer(
  http.get('*/api/session', () => HttpResponse.json(makeSession('operator'))),
  http.get('*/api/batches/:batch_id/rows', () =>
    HttpResponse.json({ data: rows, total: rows.length, page: 1, limit: 100, has_more: false }),
  ),
)
beforeAll(() => server.listen())
afterAll(() => server.close())

test('a stopped row says who stopped it and after which frame, and can be sent again', async () => {
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <MemoryRouter>
          <BatchRows batch={makeBatch({ total: rows.length })} state={undefined} isRunning={false} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  const badges = await screen.findAllByText('stopped')
  expect(badges.map((badge) => badge.closest('[data-state]')?.getAttribute('title'))).toEqual([
    'Stopped by Ada after frame 3',
    'Stopped after frame 3',
    null,
  ])
  expect(await screen.findAllByRole('button', { name: /^Retry row \d$/ })).toHaveLength(3)
})
