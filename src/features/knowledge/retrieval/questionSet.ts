import { z } from 'zod'

/** One question with what should be found, and where it was found in the last two runs. */
export const QuestionSetItem = z.object({
  query: z.string(),
  document_id: z.string(),
  /** Null where any segment of the document will do. */
  segment_id: z.string().nullable(),
  label: z.string(),
  /** Places from 1 on; 0 for a miss, null where it was never asked. */
  rank: z.number().nullable(),
  before: z.number().nullable(),
})
export type QuestionSetItem = z.output<typeof QuestionSetItem>
export const questionSetSchema = z.object({ questions: z.array(QuestionSetItem) })

export const parseQuestions = (value: unknown): QuestionSetItem[] =>
  questionSetSchema.safeParse(value).data?.questions ?? []

/** The same words with the same thing to be found: kept twice they would count twice. */
export const isSameQuestionItem = (one: QuestionSetItem, other: QuestionSetItem): boolean =>
  one.query === other.query && one.document_id === other.document_id && one.segment_id === other.segment_id

export interface RankedHit {
  document_id: string | null
  segment_id: string
}

/** Where the expected segment, or the first of the expected document, stands among the hits, from 1 on; 0 where none does. */
export const findRank = (
  hits: readonly RankedHit[],
  { document_id, segment_id }: Pick<QuestionSetItem, 'document_id' | 'segment_id'>,
): number =>
  hits.findIndex((hit) => (segment_id === null ? hit.document_id === document_id : hit.segment_id === segment_id)) + 1

/** A run's ranks beside those of the run before. */
export const applyRanks = (questions: readonly QuestionSetItem[], ranks: readonly number[]): QuestionSetItem[] =>
  questions.map((one, index) => ({ ...one, before: one.rank, rank: ranks[index] ?? one.rank }))
