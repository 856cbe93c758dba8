import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { PassRate } from '../suites.ts'

/** The newest ended experiments that the charts of a suite show. */
export const MAX_TREND_EXPERIMENTS = 20

/** The figures of one experiment in the charts of its suite. */
export const TrendPoint = z.object({
  experiment: z.string(),
  created_at: z.string(),
  is_baseline: z.boolean(),
  /** Of the decided cases; a flaky case has not passed. */
  pass_rate: PassRate,
  /** Milliseconds of the calls that ended; null without any. */
  latency: z.object({ p50: z.number(), p95: z.number() }).nullable(),
  /** Of all its calls; null without usage data. */
  tokens: z.number().nullable(),
})
export type TrendPoint = z.output<typeof TrendPoint>

export const experimentTrendEndpoints = {
  /** The newest ended experiments of a suite, oldest first. */
  listExperimentTrend: endpoint({
    method: 'GET',
    path: '/api/suites/:suite_id/trend',
    key: 'none',
    permission: 'read',
    reply: z.object({ data: z.array(TrendPoint), total: z.number() }),
    tags: ['suites', 'batches'],
  }),
}
