import { z } from 'zod'
import { ProcessRule } from '#contract/platform/schemas.ts'

/** What the chunk lab made of a text before it was sent. Kept as a mark about its document, under the name below. */
export const ChunkEstimate = z.object({
  segments: z.number(),
  children: z.number(),
  /** Of the segments, as platforms sum them up; those of the children come on top. */
  tokens: z.number(),
  words: z.number(),
  characters: z.number(),
  doc_form: z.string(),
  process_rule: ProcessRule,
  /** False where the rule was left to the platform, which may have taken another. */
  isRuleSent: z.boolean(),
})
export type ChunkEstimate = z.output<typeof ChunkEstimate>

export const CHUNK_ESTIMATE_NAME = 'Estimate of the chunk lab'

/** What the platform counted; null where it did not say. `words` are what it calls `word_count`. */
export interface MeasuredChunks {
  segments: number | null
  children: number | null
  tokens: number | null
  words: number | null
}
