import type {
  CaseChange,
  CaseComparison,
  CaseOutcome,
  Experiment,
  ExperimentResult,
  MetricScore,
  Suite,
} from '#contract/console/suites.ts'
import { paths } from '#domain/paths.ts'
import { toCaseOutcome } from '#domain/experiments/caseChanges.ts'
import type { Gate } from '../commandLine.ts'

export interface EvaluatedCase {
  id: string
  name: string
  /** `skipped`: it was not run. */
  outcome: CaseOutcome | 'skipped'
  /** Against the baseline; null without one. */
  change: CaseChange | null
  /** Of the first repetition that did not pass; null where all did. */
  reason: string | null
  seconds: number
  results: (ExperimentResult & { run_url: string | null })[]
}

export interface Evaluation {
  suite: { id: string; name: string; target: Suite['target']; revision: number; url: string }
  experiment: { id: string; url: string; repetitions: number; tags: Record<string, string>; began_at: string | null }
  /** The label of the app's key, or the dataset. */
  app: string
  workflow_id: string | null
  /** Hashes over the datasets as they were last listed, so that two reports can be told to be of the same knowledge. */
  knowledge: { dataset_id: string; hash: string }[]
  tokens: number | null
  prices: { currency: string | null; total: string }[]
  /** The averages of the metrics that checks name. */
  scores: MetricScore[]
  seconds: number
  counts: Record<EvaluatedCase['outcome'], number>
  baseline: { id: string; url: string } | null
  gate: { fail_on: Gate; held: boolean; reasons: { case_id: string; case_name: string; reason: string }[] }
  cases: EvaluatedCase[]
}

export interface EvaluationSources {
  url: string
  suite: Suite
  experiment: Experiment
  app: string
  results: readonly ExperimentResult[]
  /** Against the baseline; null without one. */
  comparison: { baseline: string; cases: readonly CaseComparison[] } | null
  failOn: Gate
}

export function toEvaluation(sources: EvaluationSources): Evaluation {
  const { url, suite, experiment, app, results, comparison, failOn } = sources
  const { batch, target, fingerprint } = experiment
  const toCallUrl = (call: string) =>
    `${url}${target.source === 'retrieve' ? paths.ledger({ workspace: suite.workspace, call }) : paths.run(call, { workspace: suite.workspace })}`
  const suiteUrl = (search: Parameters<typeof paths.suite>[1] = {}) =>
    `${url}${paths.suite(suite.id, { workspace: suite.workspace, ...search })}`
  const changes = new Map(comparison?.cases.map((one) => [one.case_id, one]))
  const cases = [...groupByCase(results)].map(([id, repetitions]) =>
    toEvaluatedCase(toCallUrl, id, repetitions, changes.get(id)?.change ?? null),
  )
  const reasons = cases
    .filter(
      ({ id, outcome }) => outcome !== 'pass' && (failOn === 'failures' || changes.get(id)?.before?.outcome === 'pass'),
    )
    .map(({ id, name, reason }) => ({ case_id: id, case_name: name, reason: reason ?? '' }))
  const count = (outcome: EvaluatedCase['outcome']) => cases.filter((one) => one.outcome === outcome).length
  return {
    suite: {
      id: suite.id,
      name: suite.name,
      target: suite.target,
      revision: experiment.suite_revision,
      url: suiteUrl(),
    },
    experiment: {
      id: experiment.id,
      url: suiteUrl({ experiment: experiment.id }),
      repetitions: experiment.repetitions,
      tags: experiment.tags,
      began_at: batch.began_at,
    },
    app,
    workflow_id: target.workflow_id ?? null,
    knowledge:
      (fingerprint?.end ?? fingerprint?.start)?.datasets.flatMap(({ dataset_id, hash }) =>
        hash === null ? [] : { dataset_id, hash },
      ) ?? [],
    tokens: batch.tokens,
    scores: experiment.scores ?? [],
    prices: batch.prices.map(({ currency, total }) => ({ currency, total })),
    seconds: toSeconds(cases.reduce((sum, one) => sum + one.seconds, 0) * 1000),
    counts: {
      pass: count('pass'),
      fail: count('fail'),
      error: count('error'),
      flaky: count('flaky'),
      skipped: count('skipped'),
    },
    baseline: comparison && { id: comparison.baseline, url: suiteUrl({ experiment: comparison.baseline }) },
    gate: { fail_on: failOn, held: reasons.length === 0, reasons },
    cases,
  }
}

/** Node 20 has no `Map.groupBy`. */
function groupByCase(results: readonly ExperimentResult[]): Map<string, ExperimentResult[]> {
  const groups = new Map<string, ExperimentResult[]>()
  for (const result of results) groups.set(result.case_id, [...(groups.get(result.case_id) ?? []), result])
  return groups
}

function toEvaluatedCase(
  toCallUrl: (call: string) => string,
  id: string,
  results: readonly ExperimentResult[],
  change: CaseChange | null,
): EvaluatedCase {
  const outcomes = results.map(toResultOutcome)
  const known = outcomes.filter((one) => one !== 'skipped')
  const outcome = toCaseOutcome(known) ?? 'skipped'
  // A repetition that was not run leaves a case that is not decided.
  const isPartial = known.length > 0 && known.length < outcomes.length
  return {
    id,
    name: results[0]?.case_name ?? id,
    outcome: isPartial && outcome === 'pass' ? 'error' : outcome,
    change,
    reason: describeCase(results, outcomes),
    seconds: toSeconds(results.reduce((sum, { duration_ms }) => sum + (duration_ms ?? 0), 0)),
    results: results.map((one) => ({ ...one, run_url: one.run && toCallUrl(one.run) })),
  }
}

const toSeconds = (ms: number): number => Math.round(ms) / 1000

/** A row with an unknown end may have been answered: it is neither a pass nor skipped. */
function toResultOutcome({ outcome, state }: ExperimentResult): 'pass' | 'fail' | 'error' | 'skipped' {
  if (outcome !== null) return outcome
  return state === 'stopped' || state === 'waiting' ? 'skipped' : 'error'
}

function describeCase(results: readonly ExperimentResult[], outcomes: readonly string[]): string | null {
  const order = ['fail', 'error', 'skipped'].find((outcome) => outcomes.includes(outcome))
  const worst = results[outcomes.findIndex((outcome) => outcome === order)]
  if (!worst) return null
  const passed = outcomes.filter((outcome) => outcome === 'pass').length
  const reason = describeResult(worst)
  return passed > 0 ? `${passed} of ${outcomes.length} repetitions passed. ${reason}` : reason
}

/** The reason of the first check that did not pass, a failed one first, else the problem of the call. */
function describeResult({ verdicts, problem, state }: ExperimentResult): string {
  const worst =
    verdicts.find(({ verdict }) => verdict === 'fail') ?? verdicts.find(({ verdict }) => verdict === 'error')
  if (worst) return `${worst.type}: ${worst.reason}`
  if (problem) return problem.message
  return state === 'unknown' ? 'The end of its call is unknown.' : 'It was not run.'
}
