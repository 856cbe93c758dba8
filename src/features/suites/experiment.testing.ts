import type { Experiment } from '#contract/console/suites.ts'
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
