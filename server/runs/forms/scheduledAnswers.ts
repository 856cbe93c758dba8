import type { Pool } from 'pg'
import type { ScheduledAnswer } from '#contract/console/forms.ts'
import { ProblemError } from '#contract/problem.ts'
import { toStorableJson } from '../../ledger/callColumns.ts'
import type { FormInput } from './formAnswers.ts'
import { queryReplies } from '../../db/replyRows.ts'

export interface ScheduledRow extends FormInput {
  run_id: string
  form_id: string
  person_id: string | null
}

/** Schedules an answer for `sendAt`, replacing one that is not being sent yet. @throws ProblemError 409 */
export async function scheduleAnswer(
  pool: Pool,
  { run_id, form_id, person_id, inputs, action }: ScheduledRow,
  sendAt: Date,
): Promise<ScheduledAnswer> {
  const { rowCount } = await pool.query(
    `INSERT INTO scheduled_answers AS held (run_id, form_id, person_id, inputs, action, send_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (run_id, form_id) DO UPDATE SET person_id = excluded.person_id, inputs = excluded.inputs,
       action = excluded.action, send_at = excluded.send_at, claimed_at = NULL, problem = NULL
     WHERE ${IS_IDLE_SQL}`,
    [run_id, form_id, person_id, toStorableJson(inputs), action, sendAt],
  )
  return (rowCount === 1 ? await findScheduledAnswer(pool, { run_id, form_id }) : null) ?? throwBeingSent()
}

export async function findScheduledAnswer(
  pool: Pool,
  { run_id, form_id }: { run_id: string; form_id: string },
): Promise<ScheduledAnswer | null> {
  const [held] = await queryReplies<ScheduledAnswer>(
    pool,
    `SELECT people.name AS person, action, inputs, problem, send_at AS at
     FROM scheduled_answers LEFT JOIN people ON people.id = person_id WHERE run_id = $1 AND form_id = $2`,
    [run_id, form_id],
  )
  return held ?? null
}

/** @throws ProblemError 404 without a scheduled answer, 409 once it is being sent */
export async function cancelScheduledAnswer(pool: Pool, key: { run_id: string; form_id: string }): Promise<void> {
  const { rowCount } = await pool.query(
    `DELETE FROM scheduled_answers AS held WHERE run_id = $1 AND form_id = $2 AND ${IS_IDLE_SQL}`,
    [key.run_id, key.form_id],
  )
  if (rowCount !== 0) return
  if (await findScheduledAnswer(pool, key)) throwBeingSent()
  throw new ProblemError({ kind: 'invalid', status: 404, message: 'This form has no scheduled answer.' })
}

const IS_IDLE_SQL = '(held.claimed_at IS NULL OR held.problem IS NOT NULL)'

function throwBeingSent(): never {
  throw new ProblemError({ kind: 'invalid', status: 409, message: 'The scheduled answer is being sent now.' })
}
