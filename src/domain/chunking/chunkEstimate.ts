import { z } from 'zod'
import { ChunkMeasure } from './chunkMeasure.ts'
import { ProcessRule } from '#contract/platform/schemas.ts'

/** The chunk lab's estimate for a text before it was sent. Stored as a mark of its document, under the name below. */
export const ChunkEstimate = z.object({
  segments: z.number(),
  children: z.number(),
  /** Of the segments, as platforms sum them; child chunks are not included. */
  tokens: z.number(),
  words: z.number(),
  characters: z.number(),
  /** What `max_tokens` counted; older estimates counted tokens. */
  measure: ChunkMeasure.optional(),
  doc_form: z.string(),
  process_rule: ProcessRule,
  /** False if the platform chose the rule, which may differ. */
  isRuleSent: z.boolean(),
})
export type ChunkEstimate = z.output<typeof ChunkEstimate>

/** The expected `word_count`: released platforms count characters under that name. */
export const getEstimatedWordCount = ({ measure, characters, words }: ChunkEstimate): number =>
  measure === 'characters' ? characters : words

export const CHUNK_ESTIMATE_NAME = 'Estimate of the chunk lab'

/** The platform's counts; null if it reported none. `words` is its `word_count`. */
export interface MeasuredChunks {
  segments: number | null
  children: number | null
  tokens: number | null
  words: number | null
}
