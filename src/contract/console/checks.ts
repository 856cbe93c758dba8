import { z } from 'zod'

/** The checks of retrieval, by id. They need no model. */
export const RETRIEVAL_CHECKS = [
  'hit@k',
  'recall@k',
  'precision@k',
  'mrr',
  'ndcg@k',
  'cites',
  'score-at-least',
] as const
export const CHECK_TYPES = [...RETRIEVAL_CHECKS] as const
export type CheckType = (typeof CHECK_TYPES)[number]

export const MAX_CHECKS = 30

/** A check of a result. Names are those of promptfoo where it has them, so that files move both ways. */
export const Check = z.strictObject({
  type: z.enum([...CHECK_TYPES, ...CHECK_TYPES.map((type) => `not-${type}` as const)]),
  /** What it compares with: ids for `cites`, a score for `score-at-least`. */
  value: z.unknown().optional(),
  /** Places that count; without it all that were found. */
  k: z.number().int().min(1).max(100).optional(),
  /** The least score that passes; without it the type's own. */
  threshold: z.number().optional(),
  weight: z.number().min(0).max(100).optional(),
  /** The name under which its scores are averaged. */
  metric: z.string().trim().min(1).max(60).optional(),
})
export type Check = z.output<typeof Check>

/** `error`: it could not be decided, which is neither a pass nor a fail. */
export const VERDICTS = ['pass', 'fail', 'error'] as const

export const Verdict = z.object({
  type: z.string(),
  verdict: z.enum(VERDICTS),
  score: z.number().nullable(),
  reason: z.string(),
})
export type Verdict = z.output<typeof Verdict>
