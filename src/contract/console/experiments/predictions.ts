import { z } from 'zod'
import { endpoint, Id } from '../../endpoint.ts'
import { DryRunSegment, MAX_DRY_RUN_QUERIES } from '../../platform/optionalDatasets.ts'
import * as shape from '../../platform/schemas.ts'
import { VERDICTS } from '../checks.ts'

/** How a text is split for an estimate: at `separator`, and by size in tokens. */
export const PredictedChunking = z.strictObject({
  separator: z.string().min(1).max(100).nullable().default(null),
  max_tokens: z.number().int().min(50).max(4_000),
  chunk_overlap: z.number().int().min(0).max(1_000).default(0),
})

/**
 * Where the ranks come from. `dry_run`: the platform ranks as it would after saving. `estimate`: this console
 * searches the listed segments by keyword. `none`: neither is possible; `reason` says why.
 */
export const PREDICTION_SOURCES = ['dry_run', 'estimate', 'none'] as const
const PREDICTION_OBSTACLES = ['not_listed', 'too_large'] as const

/** The predicted result of a case. */
export const PredictedResult = z.object({
  case_id: z.string(),
  case_name: z.string(),
  outcome: z.enum(VERDICTS),
  /** Rank of the first expected passage, from 1; 0 if none was found; null if the case expects none. */
  rank: z.number().nullable(),
  /** Tokens of the passages found. */
  tokens: z.number(),
})
export type PredictedResult = z.output<typeof PredictedResult>

export const SuitePrediction = z.object({
  source: z.enum(PREDICTION_SOURCES),
  reason: z.enum(PREDICTION_OBSTACLES).nullable(),
  /** For an estimate: the searched listing of segments, to reuse in further requests. */
  listing: z.string().nullable(),
  data: z.array(PredictedResult),
  total: z.number(),
  page: z.number(),
  limit: z.number(),
  has_more: z.boolean(),
})
export type SuitePrediction = z.output<typeof SuitePrediction>

export const predictionEndpoints = {
  /**
   * The results that the cases of a retrieval suite would have with changed segments, settings or chunks; without
   * changes the current ones. Nothing is saved, and no call is recorded.
   */
  predictSuite: endpoint({
    method: 'POST',
    path: '/api/suites/:suite_id/prediction',
    key: 'none',
    permission: 'run',
    body: z.strictObject({
      /** A knowledge key; default: the first of the workspace. */
      key: Id.optional(),
      segments: z.array(DryRunSegment).max(100).default([]),
      /** Changed settings. */
      retrieval_model: shape.RetrievalModel.nullable().default(null),
      /** Splits the texts of the dataset again; always an estimate. */
      chunking: PredictedChunking.nullable().default(null),
      /** Without a dry run, so that the result is comparable with that of other chunks. */
      is_estimate: z.boolean().default(false),
      /**
       * The `listing` of an earlier reply: estimates from the same segments without listing the dataset again, unless
       * it is no longer cached.
       */
      listing: Id.optional(),
      page: z.number().int().min(1).default(1),
      limit: z.number().int().min(1).max(MAX_DRY_RUN_QUERIES).default(25),
    }),
    reply: SuitePrediction,
  }),
}
