import type { Pool } from 'pg'
import { MAX_TREND_EXPERIMENTS, type TrendPoint } from '#contract/console/experiments/experimentTrend.ts'
import { toPassRate } from '#domain/experiments/pairedStatistics.ts'
import { type AccessScope, scopeFilter } from '../auth/accessScope.ts'

interface TrendRow {
  id: string
  created_at: Date
  is_baseline: boolean
  passed: number
  decided: number
  p50: number | null
  p95: number | null
  tokens: number | null
}

/** The figures of the newest ended experiments of a suite that are in scope, oldest first. */
export async function listExperimentTrend(pool: Pool, suite_id: string, reach: AccessScope): Promise<TrendPoint[]> {
  const { rows } = await pool.query<TrendRow>(
    `WITH newest AS (
       SELECT experiments.id, experiments.created_at, experiments.is_baseline
       FROM experiments JOIN batches ON batches.id = experiments.id
       WHERE experiments.suite_id = $1 AND batches.state = 'ended' AND ${scopeFilter('batches', 2)}
       ORDER BY experiments.created_at DESC LIMIT ${MAX_TREND_EXPERIMENTS})
     SELECT newest.*, cases.passed, cases.decided, calls.p50, calls.p95, calls.tokens
     FROM newest, LATERAL (
       SELECT count(*) FILTER (WHERE has_passed)::int AS passed, count(*)::int AS decided FROM (
         SELECT bool_and(outcome = 'pass') AS has_passed FROM experiment_results WHERE experiment_id = newest.id
         GROUP BY case_id HAVING bool_and(outcome IS NOT NULL AND outcome <> 'error')) AS outcomes
     ) AS cases, LATERAL (
       SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE state = 'succeeded') AS p50,
         percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE state = 'succeeded') AS p95,
         sum(tokens)::float8 AS tokens
       FROM batch_rows WHERE batch_id = newest.id
     ) AS calls ORDER BY newest.created_at, newest.id`,
    [suite_id, reach],
  )
  return rows.map(({ id, created_at, is_baseline, passed, decided, p50, p95, tokens }) => ({
    experiment: id,
    created_at: created_at.toISOString(),
    is_baseline,
    pass_rate: toPassRate(passed, decided),
    latency: p50 === null || p95 === null ? null : { p50, p95 },
    tokens,
  }))
}
