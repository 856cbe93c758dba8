import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { ExperimentCauses } from '#contract/console/experiments/experimentCauses.ts'
import type { ExperimentComparison, Suite } from '#contract/console/suites.ts'
import { makeExperiment } from '../experiment.testing.ts'
import { ComparisonResults } from './ComparisonResults.tsx'
import { renderPage } from '../../../client/page.testing.tsx'
import { serveApi } from '../../../client/consoleApi.testing.ts'

const [BEFORE, AFTER, RUN] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`) as [string, string, string]
const suite = { id: 's', workspace: 'w', target: 'retrieval', about: 'd' } as Suite
const NO_COUNTS = { regressed: 0, fixed: 0, flaky: 0, still_failing: 0, error: 0, missing: 0, still_passing: 0 }
const COMPARISON = {
  before: makeExperiment({ id: BEFORE }),
  after: makeExperiment({ id: AFTER }),
  counts: { ...NO_COUNTS, regressed: 1 },
  edited: 0,
  pass_rates: { before: { passed: 1, total: 1, low: 0.2, high: 1 }, after: { passed: 0, total: 1, low: 0, high: 0.8 } },
  test: { fixed: 0, regressed: 1, p_value: null, conclusion: 'too_few' },
  differences: [],
  knowledge_edits: { count: 2, from: '2026-11-22T00:00:00.000Z', to: '2026-11-22T01:00:00.000Z' },
  data: [
    {
      case_id: 'c',
      case_name: 'What glows?',
      change: 'regressed',
      is_edited: false,
      before: { outcome: 'pass', run: RUN, reason: null },
      after: { outcome: 'fail', run: null, reason: 'Not among the 3 results.' },
    },
  ],
  total: 1,
  page: 1,
  limit: 50,
  has_more: false,
} satisfies ExperimentComparison

const CAUSES = {
  data: [
    {
      id: 'one',
      kind: 'segment_edited',
      call: RUN,
      person: 'Ann',
      at: '2026-11-22T00:30:00.000Z',
      dataset_id: 'd',
      document_id: 'lamps',
      segment_id: 'hours',
      document_name: 'Lamps',
      differences: [],
      cases: 1,
    },
  ],
  total: 1,
  cases: [
    {
      case_id: 'c',
      causes: [{ id: 'one', changed_share: 0.42 }],
    },
  ],
  regressed: 1,
  examined: 1,
  is_complete: true,
  from: '2026-11-22T00:00:00.000Z',
  to: '2026-11-22T01:00:00.000Z',
} satisfies ExperimentCauses

let reply: ExperimentComparison = COMPARISON
let causes: ExperimentCauses = CAUSES
serveApi(
  http.get('*/api/experiments/:experiment_id/comparison', () => HttpResponse.json(reply)),
  http.get('*/api/experiments/:experiment_id/causes', () => HttpResponse.json(causes)),
)

const show = (given: Partial<ExperimentComparison> = {}, givenCauses: Partial<ExperimentCauses> = {}) => {
  reply = { ...COMPARISON, ...given }
  causes = { ...CAUSES, ...givenCauses }
  return renderPage(<ComparisonResults suite={suite} before={BEFORE} after={AFTER} />)
}

test('a case says what became of it, with the reason and a link to its call', async () => {
  show()
  const row = within(await screen.findByRole('table', { name: 'Compared cases' })).getAllByRole('row')[1]
  expect(row?.textContent).toContain('regressed')
  expect(row?.textContent).toContain('After: Not among the 3 results.')
  expect(screen.getByRole('link', { name: /^passed\. Open run 00000000 of What glows\?, Before$/ })).toBeTruthy()
  expect(screen.getByRole('link', { name: '2 dataset changes' }).getAttribute('href')).toContain('resource=d')
  expect(screen.getByText('Nothing that Loupe records has changed.')).toBeTruthy()
  expect(screen.getByText('1 of 1 passed, 100 %')).toBeTruthy()
  expect(screen.getByText('(95 % interval 0 to 80 %)')).toBeTruthy()
})

test('causes stand above the cases and beside each, with links to the chunk and the call', async () => {
  show()
  const section = within(await screen.findByRole('region', { name: 'Likely causes of the regressions' }))
  const [edited] = section.getAllByRole('listitem')
  expect(edited?.textContent).toMatch(/^Chunk editedin Lampsby Ann.*View callaffects 1 of 1 regressed case$/)
  expect(section.getByRole('link', { name: 'Chunk edited' }).getAttribute('href')).toBe(
    '/datasets/d/documents/lamps?workspace=w&segment=hours',
  )
  expect(section.getByRole('link', { name: 'View call: Chunk edited' }).getAttribute('href')).toContain(`call=${RUN}`)
  const table = within(screen.getByRole('table', { name: 'Compared cases' }))
  expect(await table.findByText('42 % of the cited text changed')).toBeTruthy()
})

test('without a regressed case nothing is said of causes', async () => {
  show({ counts: { ...NO_COUNTS, fixed: 1 } })
  expect(await screen.findByRole('table', { name: 'Compared cases' })).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Likely causes of the regressions' })).toBeNull()
})
