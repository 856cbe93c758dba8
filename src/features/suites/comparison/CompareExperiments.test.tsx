import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { serveApi, toPage } from '../../../client/consoleApi.testing.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { CompareExperiments } from './CompareExperiments.tsx'
import { makeExperiment, makeSuite } from '../experiment.testing.ts'

const IDS = [3, 2, 1].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [string, string, string]
const [NEWEST, MIDDLE, OLDEST] = IDS
const APPROVAL = { is_baseline: true, approved_by: 'Ann', approved_at: '2026-11-22T00:00:00.000Z' }

let baseline: string | null = null
serveApi(
  http.get('*/api/suites/:suite_id/experiments', () =>
    HttpResponse.json(toPage(IDS.map((id) => makeExperiment({ id, ...(id === baseline ? APPROVAL : {}) })))),
  ),
  http.get('*/api/experiments/:experiment_id/comparison', () => new Promise<never>(() => undefined)),
)

const show = (chosen: string | null) => {
  baseline = chosen
  renderPage(<CompareExperiments suite={makeSuite({ baseline })} />)
}
const getChosen = (label: string) => screen.getByRole<HTMLSelectElement>('combobox', { name: label }).value

test('the newest experiment is compared with the approved baseline, and it says who approved it', async () => {
  show(OLDEST)
  expect(await screen.findByText(/^Compared with the baseline, approved by Ann/)).toBeTruthy()
  expect([getChosen('Before'), getChosen('After')]).toEqual([OLDEST, NEWEST])
})

test('without an approved baseline it says so, and compares with the experiment before', async () => {
  show(null)
  expect(await screen.findByText('No experiment is approved as the baseline of this suite.')).toBeTruthy()
  expect([getChosen('Before'), getChosen('After')]).toEqual([MIDDLE, NEWEST])
})
