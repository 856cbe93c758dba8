import { fireEvent, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { Role } from '#contract/permissions.ts'
import type { Experiment, ExperimentResult, Suite } from '#contract/console/suites.ts'
import { makeSession } from '../../../client/session.testing.ts'
import { makeBatch } from '../../batches/batch.testing.ts'
import { makeExperiment } from '../experiment.testing.ts'
import { ExperimentResults } from './ExperimentResults.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi } from '../../../client/consoleApi.testing.ts'

const APPROVED = makeExperiment({
  is_baseline: true,
  approved_by: 'Ann',
  approved_at: '2026-11-22T00:00:00.000Z',
  batch: makeBatch({ kind: 'experiment', state: 'ended', pause: null, problem: null }),
})

let role: Role = 'viewer'
let experiment = APPROVED
let results: ExperimentResult[] = []
const sent: unknown[] = []
serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession(role))),
  http.get('*/api/experiments/:experiment_id', () => HttpResponse.json(experiment)),
  http.get('*/api/experiments/:experiment_id/results', () =>
    HttpResponse.json({ data: results, total: results.length, page: 1, limit: 50, has_more: false }),
  ),
  http.post('*/api/experiments/:experiment_id/approve', async ({ request }) => {
    sent.push(await request.json())
    return HttpResponse.json(experiment)
  }),
)

const show = (given: Role, shown: Partial<Experiment> = {}) => {
  role = given
  experiment = { ...APPROVED, ...shown }
  return renderPage(
    <ExperimentResults
      suite={{ id: APPROVED.suite, workspace: 'w', target: 'retrieval' } as Suite}
      experiment_id={APPROVED.id}
    />,
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
  fireEvent.click(await screen.findByRole('button', { name: 'Remove as baseline' }))
  await waitFor(() => expect(sent).toEqual([{ is_baseline: false }]))
  unmount()
  show('operator', { is_baseline: false, approved_by: null, approved_at: null })
  fireEvent.click(await screen.findByRole('button', { name: 'Set as baseline' }))
  await waitFor(() => expect(sent).toEqual([{ is_baseline: false }, { is_baseline: true }]))
  expect(screen.queryByText(/^Baseline, approved by/)).toBeNull()
})

test('a run that reads differently after an upgrade has a note, and keeps its verdict', async () => {
  const run = '22222222-2222-4222-8222-222222222222'
  const outcome = { state: 'failed', outcome: 'error', rank: null, problem: null } as const
  const place = { number: 1, case_id: run, case_name: 'Hours', input: {}, expected: {}, repetition: 1, duration_ms: 1 }
  results = [{ ...place, ...outcome, found: [], verdicts: [], run, earlier_status: 'refused' }]
  show('viewer')
  expect(await screen.findByText(/^The run was refused when it was judged\..* the verdicts stay\.$/)).toBeDefined()
})
