import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { MemoryRouter } from 'react-router'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Role } from '#contract/permissions.ts'
import type { Experiment, Suite } from '#contract/console/suites.ts'
import { newQueryClient } from '../../client/query.ts'
import { makeSession } from '../../client/session.testing.ts'
import { makeBatch } from '../batches/batch.testing.ts'
import { ExperimentResults } from './ExperimentResults.tsx'

const [SUITE, ID] = [8, 9].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [string, string]
const APPROVED: Experiment = {
  id: ID,
  suite: SUITE,
  suite_revision: 1,
  target: { key: 'k', source: 'retrieve', dataset_id: 'd', workflow_id: null, retrieval_model: null },
  repetitions: 1,
  tags: {},
  outcomes: { pass: 1, fail: 0, error: 0 },
  metrics: { hit: null, mrr: null, ndcg: null, recall: null, precision: null },
  is_baseline: true,
  approved_by: 'Ann',
  approved_at: '2026-11-22T00:00:00.000Z',
  batch: makeBatch({ kind: 'experiment', state: 'ended', pause: null, problem: null }),
}

let role: Role = 'viewer'
let experiment = APPROVED
const sent: unknown[] = []
const server = setupServer(
  http.get('*/api/session', () => HttpResponse.json(makeSession(role))),
  http.get('*/api/experiments/:experiment_id', () => HttpResponse.json(experiment)),
  http.get('*/api/experiments/:experiment_id/results', () =>
    HttpResponse.json({ data: [], total: 0, page: 1, limit: 50, has_more: false }),
  ),
  http.post('*/api/experiments/:experiment_id/approve', async ({ request }) => {
    sent.push(await request.json())
    return HttpResponse.json(experiment)
  }),
)
beforeAll(() => server.listen())
afterEach(cleanup)
afterAll(() => server.close())

const show = (given: Role, shown: Partial<Experiment> = {}) => {
  role = given
  experiment = { ...APPROVED, ...shown }
  return render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <MemoryRouter>
          <ExperimentResults suite={{ id: SUITE, workspace: 'w', target: 'retrieval' } as Suite} experiment_id={ID} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
}

test('a viewer sees who approved the baseline and when, and cannot change it', async () => {
  show('viewer')
  const approval = await screen.findByText('Baseline, approved by Ann')
  expect(approval.parentElement?.querySelector('time')?.dateTime).toBe('2026-11-22T00:00:00.000Z')
  expect(screen.queryByRole('button', { name: /baseline$/ })).toBeNull()
})

test('an operator withdraws the approval, or approves an experiment that has ended', async () => {
  const { unmount } = show('operator')
  fireEvent.click(await screen.findByRole('button', { name: 'No longer the baseline' }))
  await waitFor(() => expect(sent).toEqual([{ is_baseline: false }]))
  unmount()
  show('operator', { is_baseline: false, approved_by: null, approved_at: null })
  fireEvent.click(await screen.findByRole('button', { name: 'Make it the baseline' }))
  await waitFor(() => expect(sent).toEqual([{ is_baseline: false }, { is_baseline: true }]))
  expect(screen.queryByText(/^Baseline, approved by/)).toBeNull()
})
