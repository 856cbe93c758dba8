import type { Batch, BatchLimits, BatchRowInput } from '#contract/console/batches.ts'
import type { Fingerprint } from '#contract/console/experiments/experimentFingerprints.ts'
import type { Check, Verdict } from '#contract/console/checks.ts'
import {
  type CaseExpectation,
  type CaseInput,
  type Experiment,
  type ExperimentMetrics,
  type MetricScore,
  type ExperimentResult,
  type ExperimentTarget,
  MAX_CASES,
  type RetrievedPassage,
} from '#contract/console/suites.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { type AccessScope, isInScope, scopeFilter } from '../auth/accessScope.ts'
import { recordAudit } from '../auth/audit/auditLog.ts'
import type { Actor } from '../auth/people.ts'
import type { BatchRecord } from '../batches/batchRecord.ts'
import { type BatchStore, insertBatch, type NewBatch } from '../batches/batchStore.ts'
import type { Database } from '../db/database.ts'
import { toStorableText } from '../db/storableText.ts'
import { listJudgeKeys } from './judge/judgeResult.ts'
import { type SuiteRecord, toSuiteConflict } from './suiteStore.ts'

export interface NewExperiment extends BatchLimits {
  id: string
  name: string
  target: ExperimentTarget
  entry: BatchRecord['entry']
  repetitions: number
  tags: Record<string, string>
  /** For an app: its end user, and the inputs that a case does not have. */
  user: string
  inputs: Record<string, unknown>
  person_id: string | null
}

interface CurrentCase {
  id: string
  valid_from: number
  name: string
  input: CaseInput
  checks: Check[]
}

interface ExperimentRecord extends BatchRecord {
  suite_id: string
  suite_revision: number
  target: ExperimentTarget
  fingerprint_start: Fingerprint | null
  fingerprint_end: Fingerprint | null
  knowledge_key: string | null
  repetitions: number
  tags: Record<string, string>
  is_baseline: boolean
  approver: string | null
  approved_at: Date | null
}

interface ExperimentTotals extends ExperimentMetrics {
  experiment_id: string
  pass: number
  fail: number
  error: number
}

const SELECT_EXPERIMENT = `SELECT batches.*, people.name AS person, experiments.suite_id, experiments.suite_revision,
    experiments.fingerprint -> 'start' AS fingerprint_start, experiments.fingerprint -> 'end' AS fingerprint_end,
    (experiments.fingerprint ->> 'knowledge_key') AS knowledge_key,
    experiments.target, experiments.repetitions, experiments.tags, experiments.is_baseline, experiments.approved_at,
    approvers.name AS approver
  FROM experiments JOIN batches ON batches.id = experiments.id JOIN suites ON suites.id = experiments.suite_id
  LEFT JOIN people ON people.id = batches.person_id LEFT JOIN people AS approvers ON approvers.id = experiments.approved_by`

const averageSql = (name: keyof ExperimentMetrics): string => `avg((metrics->>'${name}')::float8) AS ${name}`

/** Experiments and their results. Each one is also a batch, which sends its rows. */
export class ExperimentStore {
  readonly #database: Database
  readonly #batches: BatchStore

  constructor(database: Database, batches: BatchStore) {
    this.#database = database
    this.#batches = batches
  }

  /** One row per current case and repetition: all cases once, then all again. Idempotent for the same id. */
  async create(suite: SuiteRecord, experiment: NewExperiment): Promise<void> {
    const { id, target, repetitions } = experiment
    await this.#database.transaction(async (client) => {
      const { rows: cases } = await client.query<CurrentCase>(
        `SELECT id, valid_from, name, input, checks FROM suite_cases WHERE suite_id = $1 AND valid_to IS NULL
         ORDER BY position LIMIT ${MAX_CASES}`,
        [suite.id],
      )
      if (cases.length === 0) throw toSuiteConflict('The suite has no cases yet.')
      const batch: NewBatch = {
        ...experiment,
        kind: 'experiment',
        workspace_id: suite.workspace_id,
        key_id: target.key,
        settings: toBatchSettings(experiment),
        total: cases.length * repetitions,
      }
      if (!(await insertBatch(client, batch, 'paused'))) return
      await client.query(
        `INSERT INTO experiments(id, suite_id, suite_revision, checks, target, repetitions, tags, created_at, judge_keys)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          id,
          suite.id,
          suite.revision,
          JSON.stringify(suite.default_checks),
          JSON.stringify(target),
          repetitions,
          JSON.stringify(experiment.tags),
          new Date(),
          listJudgeKeys([...suite.default_checks, ...cases.flatMap(({ checks }) => checks)]),
        ],
      )
      const rows = cases.map((one) => ({ ...one, input: JSON.stringify(toRowInput(experiment, one.input)) }))
      const parameters = [id, rows.map((row) => row.id), rows.map((row) => row.valid_from), repetitions]
      const expand = `unnest($2::uuid[], $3::int[]) WITH ORDINALITY AS cases(id, valid_from, position),
         generate_series(1, $4::int) AS repetition`
      const number = `((repetition - 1) * cardinality($2::uuid[]) + position)::int`
      await client.query(
        `INSERT INTO experiment_results(experiment_id, number, case_id, case_revision, repetition)
         SELECT $1, ${number}, id, valid_from, repetition FROM ${expand}`,
        parameters,
      )
      await client.query(
        `INSERT INTO batch_rows(batch_id, number, state, input, title)
         SELECT $1, ${number}, 'waiting', ($5::json[])[position], ($6::text[])[position] FROM ${expand}`,
        [...parameters, rows.map((row) => row.input), rows.map((row) => toStorableText(row.name, 200))],
      )
    })
  }

  async list(
    suite_id: string,
    page: number,
    limit: number,
    reach: AccessScope,
  ): Promise<{ data: Experiment[]; total: number }> {
    const { pool } = this.#database
    const condition = `experiments.suite_id = $1 AND ${scopeFilter('batches', 2)}`
    const { rows: counted } = await pool.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM experiments JOIN batches ON batches.id = experiments.id WHERE ${condition}`,
      [suite_id, reach],
    )
    const { rows } = await pool.query<ExperimentRecord>(
      `${SELECT_EXPERIMENT} WHERE ${condition}
       ORDER BY experiments.created_at DESC, experiments.id LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
      [suite_id, reach],
    )
    return { data: await this.#withTotals(rows, reach), total: counted[0]?.total ?? 0 }
  }

  async listByIds(ids: readonly string[], reach: AccessScope): Promise<Experiment[]> {
    if (ids.length === 0) return []
    const { rows } = await this.#database.pool.query<ExperimentRecord>(
      `${SELECT_EXPERIMENT} WHERE experiments.id = ANY($1)`,
      [ids],
    )
    return this.#withTotals(rows, reach)
  }

  /** @throws ProblemError 404 */
  async get(id: string, reach: AccessScope): Promise<Experiment> {
    const { rows } = await this.#database.pool.query<ExperimentRecord>(
      `${SELECT_EXPERIMENT} WHERE experiments.id = $1 AND ${scopeFilter('suites', 2)} AND ${scopeFilter('batches', 2)}`,
      [id, reach],
    )
    const [experiment] = await this.#withTotals(rows, reach)
    return experiment ?? throwExperimentNotFound()
  }

  /** The averages of the metrics that checks name, without undecided checks. */
  async listMetricScores(id: string): Promise<MetricScore[]> {
    const { rows } = await this.#database.pool.query<MetricScore>(
      `SELECT scored.metric, (sum(scored.score * scored.weight) / sum(scored.weight))::float8 AS average, count(*)::int AS count
       FROM (
         SELECT checked.value ->> 'metric' AS metric, coalesce((checked.value ->> 'weight')::float8, 1) AS weight,
           CASE WHEN verdicts.type LIKE 'not-%' THEN CASE verdicts.verdict WHEN 'pass' THEN 1 ELSE 0 END ELSE verdicts.score END AS score
         FROM experiments JOIN experiment_results AS results ON results.experiment_id = experiments.id
         JOIN suite_cases AS cases ON cases.suite_id = experiments.suite_id AND cases.id = results.case_id
           AND cases.valid_from = results.case_revision
         JOIN verdicts ON verdicts.experiment_id = results.experiment_id AND verdicts.number = results.number
         CROSS JOIN LATERAL (SELECT CASE WHEN verdicts.check_index < json_array_length(experiments.checks)
           THEN experiments.checks -> verdicts.check_index
           ELSE cases.checks -> (verdicts.check_index - json_array_length(experiments.checks)) END AS value) AS checked
         WHERE experiments.id = $1 AND verdicts.verdict <> 'error'
           AND (experiments.checks::text LIKE '%"metric"%' OR cases.checks::text LIKE '%"metric"%')
       ) AS scored
       WHERE scored.metric IS NOT NULL AND scored.weight > 0 AND scored.score IS NOT NULL
       GROUP BY scored.metric ORDER BY scored.metric`,
      [id],
    )
    return rows
  }

  async #withTotals(records: readonly ExperimentRecord[], reach: AccessScope): Promise<Experiment[]> {
    const { rows } = await this.#database.pool.query<ExperimentTotals>(
      `SELECT experiment_id, count(*) FILTER (WHERE outcome = 'pass')::int AS pass,
         count(*) FILTER (WHERE outcome = 'fail')::int AS fail, count(*) FILTER (WHERE outcome = 'error')::int AS error,
         ${averageSql('hit')}, ${averageSql('mrr')}, ${averageSql('ndcg')}, ${averageSql('recall')}, ${averageSql('precision')}
       FROM experiment_results WHERE experiment_id = ANY($1) GROUP BY experiment_id`,
      [records.map(({ id }) => id)],
    )
    const batches = await this.#batches.withTotals([...records])
    return records.flatMap((record, index): Experiment[] => {
      const batch = batches[index]
      return batch
        ? [
            {
              ...toExperimentFields(
                record,
                rows.find((row) => row.experiment_id === record.id),
                reach,
              ),
              batch,
            },
          ]
        : []
    })
  }

  async listResults(id: string, outcome: Verdict['verdict'] | undefined, page: number, limit: number) {
    const { pool } = this.#database
    const values = [id, outcome ?? null]
    const { rows: counted } = await pool.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM experiment_results WHERE experiment_id = $1 AND ($2::text IS NULL OR outcome = $2)`,
      values,
    )
    const { rows } = await pool.query<ResultRecord>(
      `SELECT results.number, results.case_id, cases.name, cases.input, cases.expected, results.repetition, batch_rows.state,
         batch_rows.run_id, results.outcome, results.rank, results.found, batch_rows.problem, batch_rows.duration_ms,
         calls.earlier_status,
         (SELECT json_agg(json_build_object('type', type, 'verdict', verdict, 'score', score, 'reason', reason,
            'judge_run', judge_run) ORDER BY check_index)
          FROM verdicts WHERE verdicts.experiment_id = results.experiment_id AND verdicts.number = results.number) AS verdicts
       FROM experiment_results AS results JOIN experiments ON experiments.id = results.experiment_id
       JOIN suite_cases AS cases ON cases.suite_id = experiments.suite_id AND cases.id = results.case_id
         AND cases.valid_from = results.case_revision
       JOIN batch_rows ON batch_rows.batch_id = results.experiment_id AND batch_rows.number = results.number
       LEFT JOIN calls ON calls.id = batch_rows.run_id
       WHERE results.experiment_id = $1 AND ($2::text IS NULL OR results.outcome = $2)
       ORDER BY results.number LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
      values,
    )
    return { data: rows.map(toExperimentResult), total: counted[0]?.total ?? 0 }
  }

  /**
   * Sets the baseline of a suite; the audit log records the old and the new one.
   * @throws ProblemError 409 for an experiment that has not ended, and if the old baseline is out of scope: this
   * person may not withdraw its approval
   */
  async setBaseline(experiment: Experiment, isBaseline: boolean, actor: Actor, reach: AccessScope): Promise<void> {
    if (isBaseline && experiment.batch.state !== 'ended')
      throw toSuiteConflict('Only an experiment that has ended can be the baseline.')
    await this.#database.transaction(async (client) => {
      const { rows } = await client.query<{ name: string; workspace_id: string }>(
        'SELECT name, workspace_id FROM suites WHERE id = $1 FOR UPDATE',
        [experiment.suite],
      )
      const { rows: hidden } = await client.query(
        `SELECT FROM experiments JOIN batches ON batches.id = experiments.id
         WHERE suite_id = $1 AND is_baseline AND NOT ${scopeFilter('batches', 2)}`,
        [experiment.suite, reach],
      )
      if (isBaseline && hidden.length > 0)
        throw toSuiteConflict(
          'The baseline of this suite ran with a key that you have no access to. Ask someone with access to it to approve this experiment.',
        )
      const { rows: ended } = await client.query<{ id: string }>(
        `UPDATE experiments SET is_baseline = false, approved_by = NULL, approved_at = NULL
         WHERE suite_id = $1 AND is_baseline AND ($2 OR id = $3) RETURNING id`,
        [experiment.suite, isBaseline, experiment.id],
      )
      if (isBaseline)
        await client.query(
          'UPDATE experiments SET is_baseline = true, approved_by = $2, approved_at = $3 WHERE id = $1',
          [experiment.id, actor.person.id, new Date()],
        )
      const replaced = ended.find(({ id }) => id !== experiment.id)?.id ?? null
      await recordAudit(client, {
        action: isBaseline ? 'baseline.approved' : 'baseline.withdrawn',
        ...actor,
        workspace: rows[0]?.workspace_id ?? null,
        about: experiment.suite,
        label: rows[0]?.name ?? null,
        detail: { experiment: experiment.id, ...(isBaseline ? { replaced } : {}) },
      })
    })
  }
}

const toBatchSettings = ({ target, user }: NewExperiment): Batch['settings'] =>
  target.source === 'retrieve'
    ? null
    : { user, response_mode: 'streaming', ...(target.workflow_id ? { workflow_id: target.workflow_id } : {}) }

/** What the row of a batch sends, as its export shows it. */
function toRowInput(
  { entry, target, inputs: defaults }: NewExperiment,
  { query = '', earlier_turns = [], inputs, files }: CaseInput,
): BatchRowInput {
  if (target.source === 'retrieve') return { inputs: { query }, beside: {} }
  const turns = entry === 'chat.send' ? { turns: [...earlier_turns, query] } : {}
  return { inputs: { ...defaults, ...inputs }, ...(files ? { files } : {}), ...turns, beside: {} }
}

function toExperimentFields(
  record: ExperimentRecord,
  totals: ExperimentTotals | undefined,
  reach: AccessScope,
): Omit<Experiment, 'batch'> {
  const { workspace_id, knowledge_key: key_id } = record
  const seesKnowledge = key_id === null || isInScope(reach, { workspace_id, key_id })
  const toShown = (moment: Fingerprint | null) => moment && (seesKnowledge ? moment : { ...moment, datasets: [] })
  const { pass = 0, fail = 0, error = 0 } = totals ?? {}
  const { hit = null, mrr = null, ndcg = null, recall = null, precision = null } = totals ?? {}
  return {
    id: record.id,
    suite: record.suite_id,
    suite_revision: record.suite_revision,
    target: record.target,
    fingerprint: { start: toShown(record.fingerprint_start), end: toShown(record.fingerprint_end) },
    repetitions: record.repetitions,
    tags: record.tags,
    outcomes: { pass, fail, error },
    metrics: { hit, mrr, ndcg, recall, precision },
    is_baseline: record.is_baseline,
    approved_by: record.approver,
    approved_at: record.approved_at?.toISOString() ?? null,
  }
}

interface ResultRecord {
  number: number
  case_id: string
  name: string
  input: CaseInput
  expected: CaseExpectation
  repetition: number
  state: ExperimentResult['state']
  run_id: string | null
  outcome: Verdict['verdict'] | null
  rank: number | null
  found: RetrievedPassage[] | null
  problem: Problem | null
  duration_ms: number | null
  earlier_status: ExperimentResult['earlier_status']
  verdicts: Verdict[] | null
}

const toExperimentResult = ({ name, run_id, found, verdicts, ...row }: ResultRecord): ExperimentResult => ({
  ...row,
  case_name: name,
  run: run_id,
  found: found ?? [],
  verdicts: verdicts ?? [],
})

function throwExperimentNotFound(): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message: 'The experiment was not found.' })
}
