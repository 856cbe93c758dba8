import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { MemoryRouter } from 'react-router'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Experiment, Suite } from '#contract/console/suites.ts'
import { newQueryClient } from '../../client/query.ts'
import { makeBatch } from '../batches/batch.testing.ts'
import { CompareExperiments } from './CompareExperiments.tsx'

const IDS = [3, 2, 1].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [string, string, string]
const [NEWEST, , OLDEST] = IDS
const SUITE = '00000000-0000-4000-8000-000000000009'
const toExperiment = (id: string, given: Partial<Experiment>): Experiment => ({
  id,
  suite: SUITE,
  suite_revision: 1,
  target: { key: 'k', source: 'retrieve', dataset_id: 'd', workflow_id: null, retrieval_model: null },
  repetitions: 1,
  tags: {},
  outcomes: { pass: 1, fail: 0, error: 0 },
  metrics: { hit: null, mrr: null, ndcg: null, recall: null, precision: null },
  is_baseline: false,
  approved_by: null,
  approved_at: null,
  batch: makeBatch(),
  ...given,
})
const APPROVAL = { is_baseline: true, approved_by: 'Ann', approved_at: '2026-11-22T00:00:00.000Z' }

let baseline: string | null = null
const server = setupServer(
  http.get('*/api/suites/:suite_id/experiments', () =>
    HttpResponse.json({
      data: IDS.map((id) => toExperiment(id, id === baseline ? APPROVAL : {})),
      total: 3,
      page: 1,
      limit: 100,
      has_more: false,
    }),
  ),
  http.get('*/api/experiments/:experiment_id/comparison', () => new Promise<never>(() => undefined)),
)
beforeAll(() => server.listen())
afterEach(cleanup)
afterAll(() => server.close())

const show = (chosen: string | null) => {
  baseline = chosen
  const suite = { id: SUITE, workspace: 'w', target: 'retrieval', about: 'd', baseline: chosen, last: null } as Suite
  return render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <MemoryRouter>
          <CompareExperiments suite={suite} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
}
const getChosen = (label: string) => screen.getByRole<HTMLSelectElement>('combobox', { name: label }).value

test('the newest experiment is compared with the approved baseline, and it says who approved it', async () => {
  show(OLDEST)
  expect(await screen.findByText(/^The experiment before is the baseline, approved by Ann/)).toBeTruthy()
  expect([getChosen('Before'), getChosen('After')]).toEqual([OLDEST, NEWEST])
})

test('without an approved baseline it says so, and compares with the experiment before', async () => {
  show(null)
  expect(await screen.findByText('No experiment is approved as the baseline of this suite.')).toBeTruthy()
  expect([getChosen('Before'), getChosen('After')]).toEqual([IDS[1], NEWEST])
})
