import { z } from 'zod'
import { endpoint, Id } from '../endpoint.ts'
import { Run } from './runs.ts'
import * as shape from '../platform/schemas.ts'

/**
 * What an annotation that this console has seen is to one that is to be written: `duplicate` asks nearly the same and
 * answers alike, `contradiction` asks nearly the same and answers otherwise, `near` asks something close.
 */
export const SIMILARITY_KINDS = ['contradiction', 'duplicate', 'near'] as const

/** Why a turn should be looked at. */
export const REVIEW_REASONS = ['low_rated', 'failed', 'unanswered'] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]

export const SimilarAnnotation = z.object({
  id: z.string(),
  question: z.string(),
  answer: z.string(),
  likeness: z.enum(SIMILARITY_KINDS),
  /** Likeness of the texts by their trigrams, 0 to 1; null where no answer was given. */
  question_score: z.number(),
  answer_score: z.number().nullable(),
})
export type SimilarAnnotation = z.output<typeof SimilarAnnotation>

export const reviewEndpoints = {
  /** Annotations of an app, of those that this console has seen, whose question is like this one; the most alike first. */
  findSimilarAnnotations: endpoint({
    method: 'POST',
    path: '/api/annotations/similar',
    key: 'none',
    permission: 'read',
    body: z.strictObject({
      key: Id,
      question: z.string().max(100_000),
      answer: z.string().max(100_000).default(''),
      /** The annotation that is edited: it is like itself. */
      not: z.string().max(255).optional(),
    }),
    reply: z.object({ data: z.array(SimilarAnnotation), seen: z.number() }),
    tags: ['annotations', 'resources'],
  }),
  /**
   * Turns of a chat or a completion that somebody should look at, newest first, out of the newest 5,000: rated down, failed,
   * or without a word of an answer. A turn that was marked, or annotated, is none of them.
   */
  listReview: endpoint({
    method: 'GET',
    path: '/api/review',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      key: Id,
      reason: z.enum(REVIEW_REASONS).optional(),
      limit: shape.intParam(1, 100).default(50),
    }),
    reply: z.object({
      data: z.array(z.object({ run: Run, reasons: z.array(z.enum(REVIEW_REASONS)) })),
      total: z.number(),
      /** How many turns were looked through. */
      looked: z.number(),
    }),
    tags: ['runs', 'saved_items', 'annotations'],
  }),
}
