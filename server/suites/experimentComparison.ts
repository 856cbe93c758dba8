import type { Pool } from 'pg'
import type { Check, Verdict } from '#contract/console/checks.ts'
import {
  CASE_CHANGES,
  type CaseChange,
  type CaseComparison,
  type Experiment,
  type ExperimentComparison,
  type ExperimentDifference,
} from '#contract/console/suites.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import type { Problem } from '#contract/problem.ts'
import { toCaseChange, toCaseOutcome } from '#domain/experiments/caseChanges.ts'
import { type ExperimentFingerprint, listDifferences } from '#domain/experiments/experimentDifferences.ts'
import { summarizePairs } from '#domain/experiments/pairedStatistics.ts'
import { type AccessScope, isInScope, scopeFilter } from '../auth/accessScope.ts'
import type { StoredFingerprint } from './fingerprint/fingerprintRecorder.ts'

interface ComparisonRequest {
  before: Experiment
  after: Experiment
  change?: CaseChange | undefined
  page: number
  limit: number
  reach: AccessScope
}

/** Compares two experiments of a suite case by case, matched by id. */
export async function compareExperiments(
  pool: Pool,
  { before, after, change, page, limit, reach }: ComparisonRequest,
): Promise<Omit<ExperimentComparison, 'page' | 'limit' | 'has_more'>> {
  const pairs = await listCasePairs(pool, before, after)
  const shown = CASE_CHANGES.flatMap((name) => pairs.filter((pair) => pair.change === name)).filter(
    (pair) => change === undefined || pair.change === change,
  )
  const rows = shown.slice((page - 1) * limit, page * limit)
  const [results, differences, knowledge_edits] = await Promise.all([
    listShownResults(
      pool,
      [before.id, after.id],
      rows.map(({ case_id }) => case_id),
    ),
    readDifferences(pool, before, after, reach),
    countKnowledgeEdits(pool, before, after, reach),
  ])
  const toSide = (experiment: Experiment, { case_id }: CasePair, outcome: CasePair['before'], isThere: boolean) =>
    isThere ? { outcome, ...(results.get(`${experiment.id} ${case_id}`) ?? { run: null, reason: null }) } : null
  return {
    before,
    after,
    ...summarizePairs(pairs),
    differences,
    knowledge_edits,
    data: rows.map((pair) => ({
      case_id: pair.case_id,
      case_name: pair.case_name,
      change: pair.change,
      is_edited: pair.is_edited,
      before: toSide(before, pair, pair.before, pair.was_there),
      after: toSide(after, pair, pair.after, pair.is_there),
    })),
    total: shown.length,
  }
}

export interface CasePair extends Pick<CaseComparison, 'case_id' | 'case_name' | 'change' | 'is_edited'> {
  before: ReturnType<typeof toCaseOutcome>
  after: ReturnType<typeof toCaseOutcome>
  was_there: boolean
  is_there: boolean
}

const caseOutcomesSql = (parameter: string) =>
  `SELECT case_id, max(case_revision) AS revision,
     array_agg(DISTINCT outcome) FILTER (WHERE outcome IS NOT NULL) AS outcomes
   FROM experiment_results WHERE experiment_id = ${parameter} GROUP BY case_id`

/** Whether the JSON of a column is equal. Escapes are compared as written: `jsonb` rejects some. */
const sameJsonSql = (column: string) =>
  `CASE WHEN (older.${column}::text || newer.${column}::text) LIKE '%\\\\u%' THEN older.${column}::text = newer.${column}::text
     ELSE older.${column}::jsonb = newer.${column}::jsonb END`

/** The cases of both, in the order of the suite. */
export async function listCasePairs(pool: Pool, before: Experiment, after: Experiment): Promise<CasePair[]> {
  const { rows } = await pool.query<{
    case_id: string
    case_name: string
    is_edited: boolean
    was_there: boolean
    is_there: boolean
    before: Verdict['verdict'][] | null
    after: Verdict['verdict'][] | null
  }>(
    `WITH earlier AS (${caseOutcomesSql('$1')}), later AS (${caseOutcomesSql('$2')})
     SELECT case_id, newer.name AS case_name, earlier.outcomes AS before, later.outcomes AS after,
       earlier.revision IS NOT NULL AS was_there, later.revision IS NOT NULL AS is_there,
       CASE WHEN earlier.revision IS NULL OR later.revision IS NULL OR earlier.revision = later.revision THEN false
         ELSE NOT (${['input', 'expected', 'checks'].map(sameJsonSql).join(' AND ')}) END AS is_edited
     FROM earlier FULL JOIN later USING (case_id)
     JOIN suite_cases AS newer ON newer.suite_id = $3 AND newer.id = case_id
       AND newer.valid_from = coalesce(later.revision, earlier.revision)
     JOIN suite_cases AS older ON older.suite_id = $3 AND older.id = case_id
       AND older.valid_from = coalesce(earlier.revision, later.revision)
     ORDER BY newer.position, case_id`,
    [before.id, after.id, after.suite],
  )
  return rows.map((row) => {
    const outcomes = { before: toCaseOutcome(row.before ?? []), after: toCaseOutcome(row.after ?? []) }
    return { ...row, ...outcomes, change: toCaseChange(outcomes.before, outcomes.after) }
  })
}

/** One repetition per case and experiment: the first that failed, else was undecided, else passed. */
async function listShownResults(pool: Pool, experiments: readonly string[], cases: readonly string[]) {
  const { rows } = await pool.query<{
    experiment_id: string
    case_id: string
    run: string | null
    reason: string | null
    problem: Problem | null
  }>(
    `SELECT DISTINCT ON (results.experiment_id, results.case_id) results.experiment_id, results.case_id,
       batch_rows.run_id AS run, batch_rows.problem,
       (SELECT reason FROM verdicts WHERE verdicts.experiment_id = results.experiment_id AND verdicts.number = results.number
          AND verdict <> 'pass' ORDER BY verdict = 'fail' DESC, check_index LIMIT 1) AS reason
     FROM experiment_results AS results
     JOIN batch_rows ON batch_rows.batch_id = results.experiment_id AND batch_rows.number = results.number
     WHERE results.experiment_id = ANY($1::uuid[]) AND results.case_id = ANY($2::uuid[])
     ORDER BY results.experiment_id, results.case_id, array_position(ARRAY['fail', 'error', 'pass'], results.outcome), results.number`,
    [experiments, cases],
  )
  return new Map(
    rows.map(({ experiment_id, case_id, run, reason, problem }) => [
      `${experiment_id} ${case_id}`,
      { run, reason: reason ?? problem?.message ?? null },
    ]),
  )
}

export async function readDifferences(
  pool: Pool,
  before: Experiment,
  after: Experiment,
  reach: AccessScope,
): Promise<ExperimentDifference[]> {
  const ids = [before.id, after.id]
  const [{ rows: saved }, { rows: ran }] = await Promise.all([
    pool.query<{ id: string; checks: Check[]; fingerprint: StoredFingerprint | null }>(
      'SELECT id, checks, fingerprint FROM experiments WHERE id = ANY($1::uuid[])',
      [ids],
    ),
    pool.query<{ id: string; versions: string[] | null; platform_versions: string[] | null }>(
      `SELECT batch_rows.batch_id AS id, array_agg(DISTINCT workflow_id) FILTER (WHERE workflow_id IS NOT NULL) AS versions,
         array_agg(DISTINCT platform_version) FILTER (WHERE platform_version IS NOT NULL) AS platform_versions
       FROM batch_rows JOIN calls ON calls.id = batch_rows.run_id WHERE batch_rows.batch_id = ANY($1::uuid[])
       GROUP BY batch_rows.batch_id`,
      [ids],
    ),
  ])
  const toFingerprint = (experiment: Experiment) => {
    const { versions, platform_versions } = ran.find(({ id }) => id === experiment.id) ?? {}
    const { checks = [], fingerprint } = saved.find(({ id }) => id === experiment.id) ?? {}
    return {
      experiment,
      checks,
      knowledge: toKnowledge(fingerprint ?? null, experiment.batch.workspace, reach),
      versions: versions ?? [],
      platform_versions: platform_versions ?? [],
    }
  }
  return listDifferences(toFingerprint(before), toFingerprint(after))
}

/** The last recorded knowledge; nothing for a person who may not use the key that listed it. */
function toKnowledge(
  fingerprint: StoredFingerprint | null,
  workspace_id: string,
  reach: AccessScope,
): ExperimentFingerprint['knowledge'] {
  if (!fingerprint || fingerprint.knowledge_key === null) return null
  const { knowledge_key: key_id, start, end, documents } = fingerprint
  const moment = end ?? start
  if (!moment || !isInScope(reach, { workspace_id, key_id })) return null
  return { datasets: moment.datasets, documents: end ? documents.end : documents.start }
}

/** The entries of the contract that change the content of a dataset. */
const KNOWLEDGE_EDIT_ENTRIES = [...platformEntries].flatMap(([name, { key, method }]) =>
  key === 'knowledge' && method !== 'GET' && name !== 'adjacent.retrieve' ? [name] : [],
)

async function countKnowledgeEdits(
  pool: Pool,
  before: Experiment,
  after: Experiment,
  reach: AccessScope,
): Promise<ExperimentComparison['knowledge_edits']> {
  const { dataset_id } = after.target
  if (dataset_id === null) return null
  const [earlier, later] = before.batch.created_at < after.batch.created_at ? [before, after] : [after, before]
  const from = earlier.batch.created_at
  const to = later.batch.ended_at ?? new Date().toISOString()
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM calls WHERE workspace_id = $1 AND entry = ANY($2) AND created_at >= $3
       AND created_at < $4 AND resource_ids @> ARRAY[$5::text] AND status = 'succeeded' AND ${scopeFilter('calls', 6)}`,
    [after.batch.workspace, KNOWLEDGE_EDIT_ENTRIES, from, to, dataset_id, reach],
  )
  return { count: rows[0]?.count ?? 0, from, to }
}
