import { z } from 'zod'
import { endpoint, Id } from '../endpoint.ts'
import { Run } from './runs.ts'
import * as shape from '../platform/schemas.ts'

/**
 * How a known annotation relates to a new one: `duplicate` has the same question and answer, `contradiction` the same
 * question and another answer, `near` a similar question. Texts are compared by their letters: only equal ones count
 * as the same.
 */
export const SIMILARITY_KINDS = ['contradiction', 'duplicate', 'near'] as const

/** Why a turn needs review. */
export const REVIEW_REASONS = ['low_rated', 'failed', 'unanswered'] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]

/** Maximum messages per lookup. */
export const MAX_RATED_MESSAGES = 100
const MessageId = z.string().min(1).max(255)

export const SimilarAnnotation = z.object({
  id: z.string(),
  question: z.string(),
  answer: z.string(),
  likeness: z.enum(SIMILARITY_KINDS),
  /** Whether the questions have the same numbers, unlike "sensor 5" and "sensor 7". */
  same_numbers: z.boolean(),
  /** Trigram similarity of the texts, 0 to 1, halved if the numbers differ; null without an answer. */
  question_score: z.number(),
  answer_score: z.number().nullable(),
})
export type SimilarAnnotation = z.output<typeof SimilarAnnotation>

export const reviewEndpoints = {
  /** Known annotations of an app with a similar question, most similar first. */
  findSimilarAnnotations: endpoint({
    method: 'POST',
    path: '/api/annotations/similar',
    key: 'none',
    permission: 'read',
    body: z.strictObject({
      key: Id,
      question: z.string().max(100_000),
      answer: z.string().max(100_000).default(''),
      /** The annotation that is being edited is excluded, since it matches itself. */
      not: z.string().max(255).optional(),
    }),
    reply: z.object({ data: z.array(SimilarAnnotation), seen: z.number() }),
    tags: ['annotations', 'resources'],
  }),
  /**
   * Turns of a chat or a completion that need review, newest first, out of the newest 5,000: rated down, failed, or
   * with an empty answer. Turns that were marked or annotated are excluded.
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
      looked: z.number(),
    }),
    tags: ['runs', 'saved_items', 'annotations'],
  }),
  /**
   * What the ledger knows of messages of an app: the newest turn with the message, and its last rating given through
   * this console. Messages without either are absent.
   */
  findRatedMessages: endpoint({
    method: 'GET',
    path: '/api/review/messages',
    key: 'none',
    permission: 'read',
    query: z.strictObject({
      key: Id,
      /** Repeated for each message. */
      message_ids: z.union([MessageId, z.array(MessageId).max(MAX_RATED_MESSAGES)]),
    }),
    reply: z.object({
      data: z.array(
        z.object({ message_id: z.string(), run: Run.nullable(), rating: z.enum(['like', 'dislike']).nullable() }),
      ),
    }),
    tags: ['runs'],
  }),
}
