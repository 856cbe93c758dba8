import { fireEvent, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { TrendPoint } from '#contract/console/experiments/experimentTrend.ts'
import { serveApi, toPage } from '../../../client/consoleApi.testing.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { makeSuite } from '../experiment.testing.ts'
import { ExperimentTrend } from '../experiments/ExperimentTrend.tsx'

const point = (experiment: string, given: Partial<TrendPoint> = {}): TrendPoint => ({
  experiment,
  created_at: `2026-11-2${experiment}T10:00:00.000Z`,
  is_baseline: false,
  pass_rate: { passed: 3, total: 4, low: 0.3, high: 0.954 },
  latency: { p50: 1_000, p95: 2_500 },
  tokens: null,
  ...given,
})

let data: TrendPoint[] = []
serveApi(http.get('*/api/suites/:suite_id/trend', () => HttpResponse.json(toPage(data))))

const show = (points: TrendPoint[]) => {
  data = points
  return renderPage(<ExperimentTrend suite={makeSuite()} />)
}
const readRows = () => screen.getAllByRole('row').map(({ textContent }) => textContent)

test('the pass rate of the newest experiment stands with its interval, and a table has the values of all', async () => {
  show([point('1', { is_baseline: true }), point('2', { pass_rate: { passed: 4, total: 4, low: 0.51, high: 1 } })])
  const chart = await screen.findByRole('region', { name: 'Pass rate of cases' })
  expect(chart.textContent).toContain('100 %4 of 4 cases passed, 95 % interval 51 to 100 %')
  fireEvent.click(screen.getByRole('button', { name: 'As a table' }))
  await waitFor(() => expect(readRows()).toHaveLength(3))
  const [head, newest, oldest] = readRows()
  expect(head).toContain('ExperimentPass rateLow end of the 95 % interval')
  expect(newest).toMatch(/100 %51 %100 %$/)
  expect(oldest).toMatch(/, baseline75 %30 %95 %$/)
})

test('times and tokens are other charts; an experiment without figures has none', async () => {
  show([point('1', { tokens: 1_200 }), point('2', { latency: null, tokens: 900 })])
  const choice = await screen.findByRole('combobox', { name: 'Metric' })
  fireEvent.change(choice, { target: { value: 'tokens' } })
  expect((await screen.findByRole('region', { name: 'Tokens' })).textContent).toContain('900newest experiment')
  fireEvent.change(choice, { target: { value: 'latency' } })
  fireEvent.click(await screen.findByRole('button', { name: 'As a table' }))
  await waitFor(() => expect(readRows()[2]).toMatch(/1\.00 s2\.50 s$/))
})

test('a suite without tokens does not offer them, and one experiment is no chart', async () => {
  const { unmount } = show([point('1'), point('2')])
  expect(await screen.findByRole('option', { name: 'Time of a call' })).toBeTruthy()
  expect(screen.queryByRole('option', { name: 'Tokens' })).toBeNull()
  unmount()
  const { container } = show([point('1')])
  await waitFor(() => expect(container.querySelector('section')).toBeNull())
})
