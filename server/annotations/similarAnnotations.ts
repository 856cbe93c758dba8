import type { Pool } from 'pg'
import type { SimilarAnnotation } from '#contract/console/review.ts'
import { isSameText } from '#domain/samenessKey.ts'
import { hasSameNumbers, toComparisonKey } from '#domain/textComparison.ts'
import { toStorableText } from '../db/storableText.ts'

/** Questions below this similarity are not returned. */
const MIN_QUESTION_SIMILARITY = 0.4
/** Trigrams hardly notice a number, though it often is all that differs. */
const OTHER_NUMBERS_FACTOR = 0.5
const MAX_SIMILAR_ANNOTATIONS = 8
/** Characters that are compared: the maximum length of a resource's label. */
const MAX_QUESTION_CHARS = 500
const MAX_ANSWER_CHARS = 10_000

export interface SimilarityQuery {
  key_id: string
  workspace_id: string
  question: string
  answer: string
  /** The annotation under edit, which is excluded. */
  excludedId: string | undefined
}

/**
 * The known annotations of an app with a question similar to the given one. The database compares trigrams: characters, not
 * meanings. Its index finds the candidates, so that the number of annotations does not matter.
 */
export async function searchSimilarAnnotations(
  pool: Pool,
  query: SimilarityQuery,
): Promise<{ data: SimilarAnnotation[]; seen: number }> {
  const { key_id, workspace_id } = query
  const question = toStorableText(query.question.trim(), MAX_QUESTION_CHARS) ?? ''
  const answer = toStorableText(query.answer.trim(), MAX_ANSWER_CHARS) ?? ''
  const { rows: countRows } = await pool.query<{ seen: number }>(
    `SELECT count(*)::int AS seen FROM resources WHERE workspace_id = $1 AND kind = 'annotation' AND parent = $2`,
    [workspace_id, key_id],
  )
  const knownCount = countRows[0]?.seen ?? 0
  if (question === '' || knownCount === 0) return { data: [], seen: knownCount }
  // Text without letters has no trigrams, and only equals itself.
  const { rows } = await pool.query<{ id: string; label: string; payload: unknown; score: number }>(
    `SELECT id, label, payload, CASE WHEN label = $3 THEN 1 ELSE similarity(label, $3)::float8 END AS score FROM resources
     WHERE workspace_id = $1 AND kind = 'annotation' AND parent = $2 AND (label % $3 OR label = $3) AND id <> $4
     ORDER BY score DESC, id LIMIT ${MAX_SIMILAR_ANNOTATIONS}`,
    [workspace_id, key_id, question, query.excludedId ?? ''],
  )
  const similar = rows.filter(({ score }) => score >= MIN_QUESTION_SIMILARITY)
  const answers = similar.map(({ payload }) => readPayloadText(payload, 'answer'))
  const scores = await scoreSimilarity(pool, answer, answers)
  const answerKey = toComparisonKey(answer)
  const data = similar.map(({ id, label, payload, score }, index): SimilarAnnotation => {
    const text = readPayloadText(payload, 'question') || label
    const knownAnswer = answers[index] ?? ''
    const isSame = isSameText(text.trim(), question)
    const same_numbers = hasSameNumbers(text, question)
    const isOtherAnswer = answer !== '' && toComparisonKey(knownAnswer) !== answerKey
    return {
      id,
      question: text,
      answer: knownAnswer,
      likeness: !isSame ? 'near' : isOtherAnswer ? 'contradiction' : 'duplicate',
      same_numbers,
      question_score: isSame ? 1 : same_numbers ? score : score * OTHER_NUMBERS_FACTOR,
      answer_score: answer === '' ? null : (scores[index] ?? 0),
    }
  })
  data.sort((one, other) => other.question_score - one.question_score)
  return { data, seen: knownCount }
}

async function scoreSimilarity(pool: Pool, answer: string, answers: readonly string[]): Promise<number[]> {
  if (answer === '' || answers.length === 0) return []
  const { rows } = await pool.query<{ score: number }>(
    `SELECT CASE WHEN other = $1 THEN 1 ELSE similarity(other, $1)::float8 END AS score
     FROM unnest($2::text[]) WITH ORDINALITY AS answers(other, place) ORDER BY place`,
    [answer, answers.map((other) => toStorableText(other.trim(), MAX_ANSWER_CHARS))],
  )
  return rows.map(({ score }) => score)
}

function readPayloadText(payload: unknown, name: 'question' | 'answer'): string {
  const value = typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>)[name] : null
  return typeof value === 'string' ? value : ''
}
