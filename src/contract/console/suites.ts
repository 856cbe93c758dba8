import { z } from 'zod'
import { endpoint, Id, PathSegmentId } from '../endpoint.ts'
import { Problem } from '../problem.ts'
import { storable } from '../storable.ts'
import * as shape from '../platform/schemas.ts'
import { Batch, BATCH_ROW_STATES, BatchLimits } from './batches.ts'
import { ExperimentFingerprints } from './experiments/experimentFingerprints.ts'
import { RUN_STATUSES } from './runs.ts'
import { Check, MAX_CHECKS, VERDICTS, Verdict } from './checks.ts'

/**
 * A suite is a set of cases for one target. An experiment runs its cases, as a batch of the kind `experiment` with
 * the same id; each of its results is one row of that batch, with a verdict per check.
 */
export const SUITE_TARGETS = ['retrieval', 'chat', 'completion', 'workflow'] as const
export type SuiteTarget = (typeof SUITE_TARGETS)[number]

export const MAX_CASES = 5_000
export const MAX_REPETITIONS = 10
/** Earlier questions of the conversation of a chat case. */
export const MAX_EARLIER_TURNS = 19
export const MAX_TAGS = 20
export const MAX_CASE_FILES = 20
/** The platform truncates longer queries of a retrieval. */
export const MAX_RETRIEVAL_QUERY_CHARS = 250
/** Cases per request. */
export const MAX_CASES_PER_REQUEST = 200
/** The experiments whose ranks and outcomes a list of cases shows. */
export const MAX_SHOWN_EXPERIMENTS = 10
/** Characters of one case as JSON. */
export const MAX_CASE_CHARS = 200_000

export const SuiteName = z.string().trim().min(1).max(120)
/** The checks of every case, as written. */
export const DefaultChecks = storable(z.array(Check).max(MAX_CHECKS))
const label = z.string().max(300)
/** Encoded, any other id is one segment of a path. */
const resourceId = z
  .string()
  .min(1)
  .max(255)
  .regex(/[^.]|\.{3}/, { error: 'must not be . or ..' })

const question = z.string().trim().min(1).max(20_000)

/** The input of a case: `query` for a dataset or a chat, `inputs` for an app. */
export const CaseInput = z.strictObject({
  query: question.optional(),
  /** For a chat: questions sent in the same conversation before `query`. The checks look at the answer to `query`. */
  earlier_turns: z.array(question).min(1).max(MAX_EARLIER_TURNS).optional(),
  inputs: shape.objectField.optional(),
  /** `files` of the first question's request. An uploaded file may expire at the platform. */
  files: z.array(shape.FileInput).min(1).max(MAX_CASE_FILES).optional(),
})
export type CaseInput = z.output<typeof CaseInput>

/** Expected results. Segments and documents are the expected passages, best first; `label` is for readers. */
export const CaseExpectation = z.strictObject({
  /** The text that text checks without their own text compare with. */
  answer: z.string().max(20_000).optional(),
  segments: z
    .array(z.strictObject({ id: resourceId, document_id: resourceId.optional(), label: label.optional() }))
    .max(100)
    .optional(),
  documents: z
    .array(z.strictObject({ id: resourceId, label: label.optional() }))
    .max(100)
    .optional(),
})
export type CaseExpectation = z.output<typeof CaseExpectation>

const caseFields = {
  name: z.string().trim().min(1).max(300),
  input: CaseInput,
  expected: CaseExpectation,
  /** In addition to those of the suite. */
  checks: z.array(Check).max(MAX_CHECKS),
  tags: z.array(z.string().trim().min(1).max(60)).max(MAX_TAGS),
  split: z.string().trim().min(1).max(60).nullable(),
}
const writtenFields = {
  name: storable(caseFields.name),
  input: storable(caseFields.input),
  expected: storable(caseFields.expected),
  checks: storable(caseFields.checks),
  tags: storable(caseFields.tags),
  split: storable(caseFields.split),
}
export const NewCase = z.strictObject({
  name: writtenFields.name.optional(),
  input: writtenFields.input,
  expected: writtenFields.expected.default({}),
  checks: writtenFields.checks.default([]),
  tags: writtenFields.tags.default([]),
  split: writtenFields.split.default(null),
  source_run: Id.nullable().default(null),
})
export type NewCase = z.output<typeof NewCase>

/** The outcome of a case in one experiment; `flaky` if its repetitions differ. */
const CaseOutcome = z.enum([...VERDICTS, 'flaky'])
export type CaseOutcome = z.output<typeof CaseOutcome>

/** The result of a case in one experiment, with the worst rank of its repetitions. */
export const CaseResult = z.object({
  experiment: z.string(),
  outcome: CaseOutcome.nullable(),
  /** Rank of the first expected passage, from 1; 0 if none was found; null if retrieval was not measured. */
  rank: z.number().nullable(),
})
export type CaseResult = z.output<typeof CaseResult>

export const SuiteCase = z.object({
  id: z.string(),
  ...caseFields,
  source_run: z.string().nullable(),
  /** The revision of the suite that introduced this text of the case. */
  revision: z.number(),
  person: z.string().nullable(),
  updated_at: z.string(),
  /** Of the newest experiments, newest first; only in lists. */
  results: z.array(CaseResult),
})
export type SuiteCase = z.output<typeof SuiteCase>

/** What an experiment runs against. */
export const ExperimentTarget = z.object({
  key: z.string(),
  /**
   * For retrieval: `retrieve` searches the dataset; `chat` uses the sources of an app's answers as hits, which is not
   * the same. `app`: runs of the app itself. Null for figures of earlier releases.
   */
  source: z.enum(['retrieve', 'chat', 'app']).nullable(),
  dataset_id: z.string().nullable(),
  /** The requested version of the workflow; default: the published one. */
  workflow_id: z.string().nullable().optional(),
  /** The sent settings; null for those of the dataset. */
  retrieval_model: shape.RetrievalModel.nullable(),
})
export type ExperimentTarget = z.output<typeof ExperimentTarget>

/** Averages over the results that have them; null without any. */
export const ExperimentMetrics = z.object({
  hit: z.number().nullable(),
  mrr: z.number().nullable(),
  ndcg: z.number().nullable(),
  recall: z.number().nullable(),
  precision: z.number().nullable(),
})
export type ExperimentMetrics = z.output<typeof ExperimentMetrics>

/** The average score of the checks that name a metric, by weight. A negated check counts 1 if it passes, else 0. */
export const MetricScore = z.object({ metric: z.string(), average: z.number(), count: z.number() })
export type MetricScore = z.output<typeof MetricScore>

export const Experiment = z.object({
  id: z.string(),
  suite: z.string(),
  suite_revision: z.number(),
  target: ExperimentTarget,
  repetitions: z.number(),
  tags: z.record(z.string(), z.string()),
  outcomes: z.object({ pass: z.number(), fail: z.number(), error: z.number() }),
  metrics: ExperimentMetrics,
  /** Of the metrics that its checks name; only when one experiment is read. */
  scores: z.array(MetricScore).optional(),
  /** Whether it is the baseline of its suite. */
  is_baseline: z.boolean(),
  approved_by: z.string().nullable(),
  approved_at: z.string().nullable(),
  fingerprint: ExperimentFingerprints.optional(),
  batch: Batch,
})
export type Experiment = z.output<typeof Experiment>

export const Suite = z.object({
  id: z.string(),
  workspace: z.string(),
  name: z.string(),
  revision: z.number(),
  target: z.enum(SUITE_TARGETS),
  about: z.string(),
  checks: z.array(Check),
  cases: z.number(),
  baseline: z.string().nullable(),
  last: Experiment.nullable(),
  person: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Suite = z.output<typeof Suite>

/** One passage found, as stored in results. */
export const RetrievedPassage = z.object({
  segment_id: z.string(),
  document_id: z.string().nullable(),
  score: z.number().nullable(),
})
export type RetrievedPassage = z.output<typeof RetrievedPassage>

export const ExperimentResult = z.object({
  /** The row of the batch. */
  number: z.number(),
  case_id: z.string(),
  case_name: z.string(),
  input: CaseInput,
  expected: CaseExpectation,
  repetition: z.number(),
  state: z.enum(BATCH_ROW_STATES),
  run: z.string().nullable(),
  outcome: z.enum(VERDICTS).nullable(),
  rank: z.number().nullable(),
  /** Best first, at most 20. */
  found: z.array(RetrievedPassage),
  verdicts: z.array(Verdict),
  problem: Problem.nullable(),
  duration_ms: z.number().nullable(),
  /** The status of the run when it was judged, if it is interpreted differently now; outcome and verdicts stay. */
  earlier_status: z.enum(RUN_STATUSES).nullable().optional(),
})
export type ExperimentResult = z.output<typeof ExperimentResult>

/**
 * The change of a case between two experiments, in the order of the list. `missing`: one of them has no outcome;
 * `error`: one of them could not decide it.
 */
export const CASE_CHANGES = [
  'regressed',
  'fixed',
  'flaky',
  'still_failing',
  'error',
  'missing',
  'still_passing',
] as const
export type CaseChange = (typeof CASE_CHANGES)[number]

/** A case in one of two experiments: its most significant repetition, a failed one first. */
const ComparedResult = z.object({
  outcome: CaseOutcome.nullable(),
  run: z.string().nullable(),
  /** Of the first check that did not pass, or of the call's problem. */
  reason: z.string().nullable(),
})

export const CaseComparison = z.object({
  case_id: z.string(),
  case_name: z.string(),
  change: z.enum(CASE_CHANGES),
  /** Its question, expectation or checks differ between the two. */
  is_edited: z.boolean(),
  /** Null if the experiment did not have the case. */
  before: ComparedResult.nullable(),
  after: ComparedResult.nullable(),
})
export type CaseComparison = z.output<typeof CaseComparison>

/** How many cases passed, with the Wilson interval of 95 % of their share; null without cases. */
export const PassRate = z.object({
  passed: z.number(),
  total: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
})
export type PassRate = z.output<typeof PassRate>

/** McNemar's exact test on the changed cases; `p_value` is null if there are too few. */
export const SignificanceTest = z.object({
  fixed: z.number(),
  regressed: z.number(),
  p_value: z.number().nullable(),
  conclusion: z.enum(['too_few', 'no_difference', 'better', 'worse']),
})
export type SignificanceTest = z.output<typeof SignificanceTest>

/** A value that differs; `name` is that of the interface, for example `retrieval_model.top_k`. Null if there was none. */
export const ExperimentDifference = z.object({
  name: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type ExperimentDifference = z.output<typeof ExperimentDifference>

const page = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), total: z.number(), page: z.number(), limit: z.number(), has_more: z.boolean() })
const pageQuery = { page: shape.pageParam, limit: shape.limitParam }

/** A page of the cases of two experiments of a suite, with the results for all of them. */
export const ExperimentComparison = page(CaseComparison).extend({
  before: Experiment,
  after: Experiment,
  counts: z.record(z.enum(CASE_CHANGES), z.number()),
  /** Cases whose question, expectation or checks differ. They are counted, but excluded from the rates and the test. */
  edited: z.number(),
  /** Of the cases that both have decided. */
  pass_rates: z.object({ before: PassRate, after: PassRate }),
  test: SignificanceTest,
  differences: z.array(ExperimentDifference),
  /**
   * Changes of the dataset of a retrieval made through this console from the start of the first experiment to the end
   * of the second; null for an app, whose datasets no platform reports.
   */
  knowledge_edits: z.object({ count: z.number(), from: z.string(), to: z.string() }).nullable(),
})
export type ExperimentComparison = z.output<typeof ExperimentComparison>

export const suiteEndpoints = {
  /** Newest first. */
  listSuites: endpoint({
    method: 'GET',
    path: '/api/suites',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      workspace: Id,
      target: z.enum(SUITE_TARGETS).optional(),
      about: z.string().max(255).optional(),
      q: z.string().max(120).optional(),
      ...pageQuery,
    }),
    reply: page(Suite),
    tags: ['suites'],
  }),
  /** Creates a suite, with its first cases if given. */
  createSuite: endpoint({
    method: 'POST',
    path: '/api/suites',
    key: 'none',
    permission: 'edit',
    body: z.strictObject({
      workspace: Id,
      name: SuiteName,
      target: z.enum(SUITE_TARGETS),
      about: PathSegmentId,
      checks: DefaultChecks.optional(),
      cases: z.array(NewCase).max(MAX_CASES_PER_REQUEST).default([]),
    }),
    reply: Suite,
    invalidates: ['suites'],
  }),
  readSuite: endpoint({
    method: 'GET',
    path: '/api/suites/:suite_id',
    key: 'none',
    permission: 'read',
    reply: Suite,
    tags: ['suites'],
  }),
  updateSuite: endpoint({
    method: 'PATCH',
    path: '/api/suites/:suite_id',
    key: 'none',
    permission: 'edit',
    body: z.strictObject({ name: SuiteName.optional(), checks: DefaultChecks.optional() }),
    reply: Suite,
    invalidates: ['suites'],
  }),
  /** Deletes its cases and experiments; the calls stay in the ledger. Refused while one of its experiments runs. */
  deleteSuite: endpoint({
    method: 'DELETE',
    path: '/api/suites/:suite_id',
    key: 'none',
    permission: 'edit',
    reply: z.object({ id: z.string() }),
    invalidates: ['suites', 'batches'],
  }),
  /** The cases of the current revision, in the order in which they were added. */
  listSuiteCases: endpoint({
    method: 'GET',
    path: '/api/suites/:suite_id/cases',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ q: z.string().max(255).optional(), ...pageQuery }),
    reply: page(SuiteCase),
    tags: ['suites'],
  }),
  addSuiteCases: endpoint({
    method: 'POST',
    path: '/api/suites/:suite_id/cases',
    key: 'none',
    permission: 'edit',
    body: z.strictObject({ cases: z.array(NewCase).min(1).max(MAX_CASES_PER_REQUEST) }),
    reply: z.object({ id: z.string(), added: z.number(), duplicates: z.number() }),
    invalidates: ['suites'],
  }),
  updateSuiteCase: endpoint({
    method: 'PATCH',
    path: '/api/suites/:suite_id/cases/:case_id',
    key: 'none',
    permission: 'edit',
    body: z.strictObject(writtenFields).partial(),
    reply: SuiteCase,
    invalidates: ['suites'],
  }),
  /** Experiments of earlier revisions keep it. */
  deleteSuiteCase: endpoint({
    method: 'DELETE',
    path: '/api/suites/:suite_id/cases/:case_id',
    key: 'none',
    permission: 'edit',
    reply: z.object({ id: z.string() }),
    invalidates: ['suites'],
  }),
  /** Every text that a case has had, newest first. */
  listCaseRevisions: endpoint({
    method: 'GET',
    path: '/api/suites/:suite_id/cases/:case_id/revisions',
    key: 'none',
    permission: 'read',
    query: z.strictObject(pageQuery),
    reply: page(SuiteCase),
    tags: ['suites'],
  }),
  listExperiments: endpoint({
    method: 'GET',
    path: '/api/suites/:suite_id/experiments',
    key: 'none',
    permission: 'read',
    query: z.strictObject(pageQuery),
    reply: page(Experiment),
    tags: ['suites', 'batches'],
  }),
  /** Creates an experiment of the current cases, and starts it. The same `id` again returns the existing one. */
  createExperiment: endpoint({
    method: 'POST',
    path: '/api/suites/:suite_id/experiments',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      id: Id.optional(),
      name: SuiteName.optional(),
      /**
       * For retrieval a knowledge key, or a chat key to measure the sources of its answers; default: the workspace's
       * knowledge key. For an app another key of its kind in the workspace; default: the suite's own.
       */
      key: Id.optional(),
      workflow_id: z.string().trim().min(1).max(255).optional(),
      retrieval_model: shape.RetrievalModel.nullable().default(null),
      /** The end user of the app's runs. */
      user: storable(shape.EndUser).default('loupe'),
      /** Inputs of the app that a case does not have. */
      inputs: storable(shape.objectField).default({}),
      repetitions: z.number().int().min(1).max(MAX_REPETITIONS).default(1),
      tags: z.record(z.string().max(60), z.string().max(200)).default({}),
      /** A dry run: it pauses after this many rows. */
      only: z.number().int().min(1).max(100).optional(),
      at_once: BatchLimits.shape.at_once.default(4),
      per_minute: BatchLimits.shape.per_minute.default(null),
      max_rows: BatchLimits.shape.max_rows.default(null),
      max_tokens: BatchLimits.shape.max_tokens.default(null),
      max_price: BatchLimits.shape.max_price.default(null),
    }),
    reply: Experiment,
    invalidates: ['suites', 'batches'],
  }),
  readExperiment: endpoint({
    method: 'GET',
    path: '/api/experiments/:experiment_id',
    key: 'none',
    permission: 'read',
    reply: Experiment,
    tags: ['suites', 'batches'],
  }),
  /** By row. */
  listExperimentResults: endpoint({
    method: 'GET',
    path: '/api/experiments/:experiment_id/results',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ outcome: z.enum(VERDICTS).optional(), ...pageQuery }),
    reply: page(ExperimentResult),
    tags: ['suites', 'batches'],
  }),
  /** Compares the experiment with an earlier one of the same suite (`with`), case by case. */
  compareExperiments: endpoint({
    method: 'GET',
    path: '/api/experiments/:experiment_id/comparison',
    key: 'none',
    permission: 'read',
    query: z.strictObject({ with: Id, change: z.enum(CASE_CHANGES).optional(), ...pageQuery }),
    reply: ExperimentComparison,
    tags: ['suites', 'batches'],
  }),
  /** Makes an ended experiment the baseline of its suite, replacing the old one; false withdraws it. */
  approveExperiment: endpoint({
    method: 'POST',
    path: '/api/experiments/:experiment_id/approve',
    key: 'none',
    permission: 'edit',
    body: z.strictObject({ is_baseline: z.boolean() }),
    reply: Experiment,
    invalidates: ['suites', 'audit'],
  }),
}
