import { fireEvent, screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { PredictedResult, SuitePrediction } from '#contract/console/experiments/predictions.ts'
import type { Suite } from '#contract/console/suites.ts'
import { makeSuite } from '../../suites/experiment.testing.ts'
import { PredictionPanel } from './PredictionPanel.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi, toPage } from '../../../client/consoleApi.testing.ts'

const KEY = '00000000-0000-4000-8000-000000000001'
const SEGMENT = '00000000-0000-4000-8000-000000000002'

let suites: Suite[] = []
let predict: (body: { segments?: unknown[]; page: number; listing?: string }) => Partial<SuitePrediction> | null
serveApi(
  http.get('*/api/suites', () => HttpResponse.json(toPage(suites))),
  http.post('*/api/suites/:suite_id/prediction', async ({ request }) => {
    const reply = predict((await request.json()) as Parameters<typeof predict>[0])
    if (!reply) return HttpResponse.json({ kind: 'refused', message: 'The key was refused.' }, { status: 424 })
    return HttpResponse.json({
      source: 'dry_run',
      reason: null,
      listing: null,
      total: 1,
      page: 1,
      limit: 25,
      has_more: false,
      ...reply,
    })
  }),
)
beforeEach(() => {
  suites = [makeSuite()]
})

const toResult = (case_name: string, rank: number): PredictedResult => ({
  case_id: case_name,
  case_name,
  outcome: rank > 0 ? 'pass' : 'fail',
  rank,
  tokens: 1,
})
const show = () =>
  renderPage(
    <PredictionPanel
      dataset_id="d"
      workspace={KEY}
      keyId={KEY}
      edit={{ segments: [{ id: SEGMENT, document_id: SEGMENT, content: 'new' }] }}
    />,
  )
const check = async (name = 'Check 2 questions') => {
  show()
  fireEvent.click(await screen.findByRole('button', { name }))
}

test('names the questions that an edit breaks first, with their places', async () => {
  predict = ({ segments }) => ({
    data: segments ? [toResult('a', 2), toResult('b', 0)] : [toResult('a', 1), toResult('b', 1)],
  })
  await check()
  expect(await screen.findByText('1 regressed, 0 fixed, 1 moved, 0 unchanged')).toBeDefined()
  const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(rows).toEqual([expect.stringMatching(/brank 1 to not found/), expect.stringMatching(/arank 1 to rank 2/)])
  expect(screen.queryByText(/Estimate/)).toBeNull()
})

test('an estimate lists the dataset once, for all that is checked', async () => {
  suites = [makeSuite(), makeSuite({ id: KEY, cases: 1 })]
  const listings: unknown[] = []
  predict = ({ listing }) => {
    listings.push(listing)
    return { source: 'estimate', listing: KEY, data: [toResult('a', 1)] }
  }
  await check('Check 3 questions')
  await screen.findByText('Estimate.')
  expect(listings).toEqual([undefined, KEY, KEY, KEY])
})

test('shows a failure, and can be checked again', async () => {
  predict = () => null
  await check()
  expect(await screen.findByText(/The key was refused/)).toBeDefined()
  predict = () => ({ data: [toResult('a', 1)] })
  fireEvent.click(screen.getByRole('button', { name: 'Check 2 questions' }))
  expect(await screen.findByText('The question has the same results as before.')).toBeDefined()
})
