import type { Experiment, Suite, SuiteCase } from '#contract/console/suites.ts'
import { makeBatch } from '../batches/batch.testing.ts'

/** An experiment of a retrieval suite; one case passed. */
export const makeExperiment = (given: Partial<Experiment> = {}): Experiment => ({
  id: '00000000-0000-4000-8000-000000000009',
  suite: '00000000-0000-4000-8000-000000000008',
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

/** A suite of two questions to a dataset. */
export const makeSuite = (given: Partial<Suite> = {}): Suite => ({
  id: '00000000-0000-4000-8000-000000000008',
  workspace: '00000000-0000-4000-8000-000000000001',
  name: 'Terms',
  revision: 1,
  target: 'retrieval',
  about: 'd',
  checks: [],
  cases: 2,
  baseline: null,
  last: null,
  person: null,
  created_at: '2026-11-25T00:00:00.000Z',
  updated_at: '2026-11-25T00:00:00.000Z',
  ...given,
})

/** A case of an app. */
export const makeSuiteCase = (given: Partial<SuiteCase> = {}): SuiteCase => ({
  id: '00000000-0000-4000-8000-000000000007',
  name: 'Return policy',
  input: { query: 'Returns?' },
  expected: { answer: '30 days' },
  checks: [{ type: 'contains', value: '30 days' }],
  tags: ['terms'],
  split: 'test',
  source_run: null,
  revision: 2,
  person: 'Ann',
  updated_at: '2026-11-25T00:00:00.000Z',
  results: [],
  ...given,
})
