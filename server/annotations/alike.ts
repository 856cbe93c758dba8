import type { Pool } from 'pg'
import type { Alike } from '#contract/review.ts'
import { keepable } from '../ledger/keepable.ts'

/** Questions less alike than this are not told, those above the second ask the same. */
const NEAR = 0.4
const SAME = 0.7
/** Answers less alike than this say something else. */
const OTHERWISE = 0.5
const MOST = 8
/** Characters that are compared: as many of a question as a thing's label holds. */
const LABEL = 500
const ANSWER = 10_000

export interface Asked {
  key_id: string
  workspace_id: string
  question: string
  answer: string
  /** The annotation that is edited. */
  not: string | undefined
}

/**
 * The annotations of an app that this console has seen whose question is like the given one. The database compares, by
 * trigrams: letters, not meanings. Its index finds the candidates, so that their number does not count.
 */
export async function alike(pool: Pool, asked: Asked): Promise<{ data: Alike[]; seen: number }> {
  const { key_id, workspace_id } = asked
  const question = keepable(asked.question.trim(), LABEL) ?? ''
  const answer = keepable(asked.answer.trim(), ANSWER) ?? ''
  const { rows: counted } = await pool.query<{ seen: number }>(
    `SELECT count(*)::int AS seen FROM things WHERE workspace_id = $1 AND kind = 'annotation' AND parent = $2`,
    [workspace_id, key_id],
  )
  const seen = counted[0]?.seen ?? 0
  if (question === '' || seen === 0) return { data: [], seen }
  // Text without letters has no trigrams, and is like itself alone.
  const { rows } = await pool.query<{ id: string; label: string; payload: unknown; score: number }>(
    `SELECT id, label, payload, CASE WHEN label = $3 THEN 1 ELSE similarity(label, $3)::float8 END AS score FROM things
     WHERE workspace_id = $1 AND kind = 'annotation' AND parent = $2 AND (label % $3 OR label = $3) AND id <> $4
     ORDER BY score DESC, id LIMIT ${MOST}`,
    [workspace_id, key_id, question, asked.not ?? ''],
  )
  const near = rows.filter(({ score }) => score >= NEAR)
  const answers = near.map(({ payload }) => textOf(payload, 'answer'))
  const scores = await likenessOf(pool, answer, answers)
  const data = near.map(({ id, label, payload, score }, index): Alike => {
    const answer_score = answer === '' ? null : (scores[index] ?? 0)
    const isOtherwise = answer_score !== null && answer_score < OTHERWISE
    return {
      id,
      question: textOf(payload, 'question') || label,
      answer: answers[index] ?? '',
      likeness: score < SAME ? 'near' : isOtherwise ? 'contradiction' : 'duplicate',
      question_score: score,
      answer_score,
    }
  })
  return { data, seen }
}

async function likenessOf(pool: Pool, answer: string, answers: readonly string[]): Promise<number[]> {
  if (answer === '' || answers.length === 0) return []
  const { rows } = await pool.query<{ score: number }>(
    `SELECT CASE WHEN other = $1 THEN 1 ELSE similarity(other, $1)::float8 END AS score
     FROM unnest($2::text[]) WITH ORDINALITY AS answers(other, place) ORDER BY place`,
    [answer, answers.map((other) => keepable(other.trim(), ANSWER))],
  )
  return rows.map(({ score }) => score)
}

function textOf(payload: unknown, name: 'question' | 'answer'): string {
  const value = typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>)[name] : null
  return typeof value === 'string' ? value : ''
}
