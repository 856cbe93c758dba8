import { z } from 'zod'

/** One question with what should be found, and where it was found in the last two runs. */
export const Asked = z.object({
  query: z.string(),
  document_id: z.string(),
  /** Null where any segment of the document will do. */
  segment_id: z.string().nullable(),
  label: z.string(),
  /** Places from 1 on; 0 for a miss, null where it was never asked. */
  rank: z.number().nullable(),
  before: z.number().nullable(),
})
export type Asked = z.output<typeof Asked>
export const QuestionSet = z.object({ questions: z.array(Asked) })

export const questionsOf = (value: unknown): Asked[] => QuestionSet.safeParse(value).data?.questions ?? []

/** The same words with the same thing to be found: kept twice they would count twice. */
export const isSameQuestion = (one: Asked, other: Asked): boolean =>
  one.query === other.query && one.document_id === other.document_id && one.segment_id === other.segment_id

export interface Hit {
  document_id: string | null
  segment_id: string
}

/** Where the expected segment, or the first of the expected document, stands among the hits, from 1 on; 0 where none does. */
export const rankOf = (
  hits: readonly Hit[],
  { document_id, segment_id }: Pick<Asked, 'document_id' | 'segment_id'>,
): number =>
  hits.findIndex((hit) => (segment_id === null ? hit.document_id === document_id : hit.segment_id === segment_id)) + 1

/** A run's ranks beside those of the run before. */
export const withRanks = (questions: readonly Asked[], ranks: readonly number[]): Asked[] =>
  questions.map((one, index) => ({ ...one, before: one.rank, rank: ranks[index] ?? one.rank }))
