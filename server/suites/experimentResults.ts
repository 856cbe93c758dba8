import type { Pool } from 'pg'
import type { Check, Verdict } from '#contract/console/checks.ts'
import { isSuccessStatus } from '#contract/console/runs.ts'
import type { CaseExpectation, CaseInput, ExperimentTarget, RetrievedPassage } from '#contract/console/suites.ts'
import type { CheckedResult } from '#domain/checks/checkedResult.ts'
import { toOutcome } from '#domain/checks/evaluateCheck.ts'
import {
  findFirstRank,
  measureRetrieval,
  type RetrievalMetrics,
  toRelevantItems,
} from '#domain/checks/retrievalMetrics.ts'
import { hasAccessSql } from '../batches/batchAccess.ts'
import { type BatchedStatement, StatementBatcher } from '../db/statementBatcher.ts'
import { evaluateChecks } from './checkEvaluation.ts'

/** What a row of an experiment runs and expects. */
export interface ExperimentRow {
  suite_id: string
  target: ExperimentTarget
  input: CaseInput
  expected: CaseExpectation
  checks: Check[]
  /** The person and the end user for whom judges run. */
  person_id: string | null
  end_user: string | null
}

/** Maximum stored passages of a result. */
const MAX_STORED_PASSAGES = 20

interface Evaluation {
  outcome: Verdict['verdict']
  rank: number | null
  metrics: RetrievalMetrics | null
  found: RetrievedPassage[]
  verdicts: Verdict[]
}

/** Rows in flight at the same time are read and written by one statement. */
const FIND_ROWS: BatchedStatement = {
  name: 'find rows of experiments',
  types: ['text', 'uuid', 'int'],
  toSql: (rows) => `SELECT asked.id, experiments.suite_id, experiments.target, experiments.checks AS default_checks,
      suite_cases.input, suite_cases.expected, suite_cases.checks, batches.person_id,
      batches.settings ->> 'user' AS end_user
    FROM (VALUES ${rows}) AS asked(id, experiment_id, number)
    JOIN experiment_results AS results ON results.experiment_id = asked.experiment_id AND results.number = asked.number
    JOIN experiments ON experiments.id = results.experiment_id JOIN batches ON batches.id = experiments.id
    JOIN suite_cases ON suite_cases.suite_id = experiments.suite_id AND suite_cases.id = results.case_id
      AND suite_cases.valid_from = results.case_revision`,
}
const WRITE_RESULTS: BatchedStatement = {
  name: 'write results of experiments',
  types: ['text', 'uuid', 'int', 'text', 'int', 'json', 'json', 'text[]', 'text[]', 'float8[]', 'text[]', 'uuid[]'],
  toSql: (rows) => `WITH new AS (
      SELECT * FROM (VALUES ${rows}) AS new(id, experiment_id, number, outcome, rank, metrics, found, types, verdicts, scores,
        reasons, judge_runs)
    ), result AS (
      UPDATE experiment_results AS results
      SET outcome = new.outcome, rank = new.rank, metrics = new.metrics, found = new.found
      FROM new WHERE results.experiment_id = new.experiment_id AND results.number = new.number RETURNING new.id
    ), written AS (
      INSERT INTO verdicts(experiment_id, number, check_index, type, verdict, score, reason, judge_run)
      SELECT new.experiment_id, new.number, verdict.position - 1, verdict.type, verdict.verdict, verdict.score,
        verdict.reason, verdict.judge_run
      FROM result JOIN new ON new.id = result.id,
        unnest(new.types, new.verdicts, new.scores, new.reasons, new.judge_runs) WITH ORDINALITY
          AS verdict(type, verdict, score, reason, judge_run, position)
      ON CONFLICT (experiment_id, number, check_index) DO UPDATE
        SET type = excluded.type, verdict = excluded.verdict, score = excluded.score, reason = excluded.reason,
          judge_run = excluded.judge_run
    ) SELECT id FROM result`,
}

/** Reads the rows of experiments and writes their verdicts. */
export class ExperimentResults {
  readonly #pool: Pool
  readonly #rowBatcher: StatementBatcher<{ id: string; default_checks: Check[] } & ExperimentRow>
  readonly #resultBatcher: StatementBatcher<{ id: string }>

  constructor(pool: Pool) {
    this.#pool = pool
    this.#rowBatcher = new StatementBatcher(pool, FIND_ROWS)
    this.#resultBatcher = new StatementBatcher(pool, WRITE_RESULTS)
  }

  /** Null for a row without an experiment, as after its suite was deleted. */
  async findRow(experiment_id: string, number: number): Promise<ExperimentRow | null> {
    const row = await this.#rowBatcher.execute([toRowId(experiment_id, number), experiment_id, number])
    if (!row) return null
    const { id: _, default_checks, checks, ...rest } = row
    return { ...rest, checks: [...default_checks, ...checks] }
  }

  /**
   * The baseline's run of the same case, of the same repetition if possible; null if none succeeded. A judge repeats
   * the answer, and its run can be read with the judge's key: the baseline of another app is used only if everyone
   * with access to the experiment's app or one of its judges has access to the baseline's app.
   */
  async findBaselineRun(experiment_id: string, number: number): Promise<string | null> {
    const { rows } = await this.#pool.query<{ run_id: string }>(
      `SELECT batch_rows.run_id FROM experiment_results AS results
       JOIN experiments ON experiments.id = results.experiment_id JOIN batches ON batches.id = experiments.id
       JOIN experiments AS baselines ON baselines.suite_id = experiments.suite_id AND baselines.is_baseline
         AND baselines.id <> experiments.id
       JOIN batches AS baseline_batches ON baseline_batches.id = baselines.id
       JOIN experiment_results AS earlier ON earlier.experiment_id = baselines.id AND earlier.case_id = results.case_id
       JOIN batch_rows ON batch_rows.batch_id = earlier.experiment_id AND batch_rows.number = earlier.number
       WHERE results.experiment_id = $1 AND results.number = $2 AND batch_rows.state = 'succeeded'
         AND batch_rows.run_id IS NOT NULL AND (baseline_batches.key_id = batches.key_id OR NOT EXISTS (
           SELECT FROM people, unnest(experiments.judge_keys || batches.key_id) AS shown(key_id)
           WHERE people.disabled_at IS NULL AND ${hasAccessSql('batches.workspace_id', 'shown.key_id')}
             AND NOT ${hasAccessSql('baseline_batches.workspace_id', 'baseline_batches.key_id')}))
       ORDER BY earlier.repetition = results.repetition DESC, earlier.repetition LIMIT 1`,
      [experiment_id, number],
    )
    return rows[0]?.run_id ?? null
  }

  /** Idempotent: it is repeated after a crash. */
  async write(experiment_id: string, number: number, evaluation: Evaluation): Promise<void> {
    const { outcome, rank, metrics, found, verdicts } = evaluation
    await this.#resultBatcher.execute([
      toRowId(experiment_id, number),
      experiment_id,
      number,
      outcome,
      rank,
      metrics && JSON.stringify(metrics),
      JSON.stringify(found.slice(0, MAX_STORED_PASSAGES)),
      verdicts.map(({ type }) => type),
      verdicts.map(({ verdict }) => verdict),
      verdicts.map(({ score }) => score),
      verdicts.map(({ reason }) => reason.replaceAll('\0', '\uFFFD')),
      verdicts.map(({ judge_run }) => judge_run ?? null),
    ])
  }
}

const toRowId = (experiment_id: string, number: number): string => `${experiment_id} ${number}`

/** The verdicts of a row. Retrieval is measured for every case with expected sources. */
export async function evaluateResult(checks: readonly Check[], result: CheckedResult): Promise<Evaluation> {
  const relevant = toRelevantItems(result.expected)
  const isMeasured = result.found !== null && relevant.size > 0
  const found = result.found ?? []
  const verdicts = (await evaluateChecks(checks, result)).map((verdict, index) => {
    const judge_run = result.judgements?.get(checks[index] as Check)?.run
    return { ...verdict, ...(judge_run ? { judge_run } : {}) }
  })
  return {
    outcome: isAnswered(result, verdicts) ? toOutcome(verdicts, checks) : toUnansweredOutcome(verdicts, checks),
    rank: isMeasured ? findFirstRank(found, relevant) : null,
    metrics: isMeasured ? measureRetrieval(found, relevant, undefined) : null,
    found: [...found],
    verdicts,
  }
}

/** Whether the run ended as expected: with an answer, or with the pause that a check requires. */
const isAnswered = ({ run }: CheckedResult, verdicts: readonly Verdict[]): boolean =>
  !run ||
  isSuccessStatus(run.status) ||
  verdicts.some(({ type, verdict }) => type === 'pauses-for-form' && verdict === 'pass')

/** A run that did not end well passes nothing, even without a check that applies. */
const toUnansweredOutcome = (verdicts: readonly Verdict[], checks: readonly Check[]): Verdict['verdict'] =>
  toOutcome(verdicts, checks) === 'fail' ? 'fail' : 'error'

/** The result of a row whose call failed: no check can be decided. */
export const FAILED_EVALUATION: Evaluation = { outcome: 'error', rank: null, metrics: null, found: [], verdicts: [] }
