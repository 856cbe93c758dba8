import { z } from 'zod'
import { endpoint, Id } from '../../endpoint.ts'
import * as shape from '../../platform/schemas.ts'
import { Problem } from '../../problem.ts'
import { Batch, BATCH_ROW_STATES } from '../batches.ts'
import { PredictedChunking, PREDICTION_SOURCES } from './predictions.ts'

/** The cases of a suite that a sweep asks with each setting: the first ones. */
export const MAX_SWEPT_CASES = 200
export const MAX_SWEEP_SETTINGS = 24

/** A combination of values. One that is missing is that of the dataset. */
export const SweepValues = z.strictObject({
  search_method: shape.SearchMethod.optional(),
  top_k: z.number().int().min(1).max(100).optional(),
  score_threshold: z.number().min(0).max(1).optional(),
  weights: z.number().min(0).max(1).optional(),
  /** Null for the current chunks. */
  chunk_tokens: PredictedChunking.shape.max_tokens.nullable().default(null),
  /** Not by a dry run, so that the result compares with that of other chunks. */
  is_estimate: z.boolean().default(false),
})
export type SweepValues = z.output<typeof SweepValues>

/** The values, and the whole model that the platform gets for them. */
export const SweepSetting = SweepValues.extend({ retrieval_model: shape.RetrievalModel.nullable().default(null) })
export type SweepSetting = z.output<typeof SweepSetting>

/** What a setting finds. */
export const SweptSetting = z.object({
  number: z.number(),
  state: z.enum(BATCH_ROW_STATES),
  problem: Problem.nullable(),
  values: SweepValues,
  source: z.enum(PREDICTION_SOURCES).nullable(),
  /** Questions that name what should be found. */
  questions: z.number(),
  /** Averages over them; null without any. */
  hit: z.number().nullable(),
  mrr: z.number().nullable(),
  tokens: z.number().nullable(),
  /**
   * Of the best setting, where it finds more than the current one by more than chance: how many questions more, and how many
   * less. Null before the end.
   */
  best: z.object({ fixed: z.number(), regressed: z.number() }).nullable(),
})
export type SweptSetting = z.output<typeof SweptSetting>

export const Sweep = z.object({ batch: Batch, settings: z.array(SweptSetting) })
export type Sweep = z.output<typeof Sweep>

export const sweepEndpoints = {
  /**
   * Predicts the results of a suite of retrieval with each setting, as a batch that is paused, resumed, cancelled and retried
   * as any other. It replaces the last one of the suite. Nothing is saved, and no call is recorded. The same `id` again
   * returns the existing one.
   */
  startSweep: endpoint({
    method: 'POST',
    path: '/api/suites/:suite_id/sweeps',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      id: Id.optional(),
      /** A knowledge key; without it the first of the workspace. */
      key: Id.optional(),
      settings: z.array(SweepSetting).min(1).max(MAX_SWEEP_SETTINGS),
    }),
    reply: z.object({ sweep: Sweep.nullable() }),
    invalidates: ['batches'],
  }),
  /** The newest sweep of a suite; null where it has none. */
  readLastSweep: endpoint({
    method: 'GET',
    path: '/api/suites/:suite_id/sweeps/last',
    key: 'none',
    permission: 'read',
    reply: z.object({ sweep: Sweep.nullable() }),
    tags: ['batches'],
  }),
}
