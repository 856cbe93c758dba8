import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { ScheduledAnswer } from '#contract/console/forms.ts'
import { contract } from '#contract/index.ts'
import { canCall, type Role } from '#contract/permissions.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { isInScope, loadAccessScope } from '../../auth/accessScope.ts'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'
import { toStorableJson } from '../../ledger/callColumns.ts'
import type { CallRow } from '../../ledger/callRow.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { mayHaveExecuted } from '../../relay/upstream/upstream.ts'
import { findSentAnswers, type FormInput } from './formAnswers.ts'
import type { FormService } from './formService.ts'

/** Milliseconds between two looks for answers whose time has come. */
const SEND_INTERVAL_MS = 5_000

interface ScheduledRow extends FormInput {
  run_id: string
  form_id: string
  person_id: string | null
}

/**
 * Sends the answers that are held until their platform no longer aborts their run. One server claims an answer before it is
 * sent; an answer that the ledger knows as sent is not sent again, also after a crash.
 */
export class ScheduledAnswerSender extends BackgroundJob {
  readonly #deps: { pool: Pool; ledger: Ledger; forms: FormService; log: Logger }

  constructor(deps: { pool: Pool; ledger: Ledger; forms: FormService; log: Logger }) {
    super({
      run: (stopSignal) => this.#sendDue(stopSignal),
      onError: (err) => deps.log.error({ err }, 'send scheduled answers failed'),
      intervalMs: SEND_INTERVAL_MS,
    })
    this.#deps = deps
  }

  async #sendDue(stopSignal: AbortSignal): Promise<void> {
    while (!stopSignal.aborted) {
      const { rows } = await this.#deps.pool.query<ScheduledRow>(
        `UPDATE scheduled_answers SET claimed_at = now() WHERE (run_id, form_id) IN (
           SELECT run_id, form_id FROM scheduled_answers WHERE problem IS NULL AND send_at <= now()
             AND (claimed_at IS NULL OR claimed_at < now() - interval '5 minutes')
           ORDER BY send_at LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING run_id, form_id, person_id, inputs, action`,
      )
      const [due] = rows
      if (!due) return
      await this.#send(due)
    }
  }

  async #send({ run_id, form_id, person_id, inputs, action }: ScheduledRow): Promise<void> {
    const { pool, ledger, forms } = this.#deps
    const key = [run_id, form_id]
    const row = await ledger.findWithBody(run_id)
    const isWaiting =
      row?.status === 'paused' && (await findSentAnswers(pool, { ...row, run_id, form_id })).length === 0
    const mayAnswer = isWaiting && (await mayStillAnswer(pool, person_id, row))
    const problem = isWaiting ? (mayAnswer ? await submit(row) : NOT_ALLOWED_PROBLEM) : null
    if (!problem) await pool.query('DELETE FROM scheduled_answers WHERE run_id = $1 AND form_id = $2', key)
    else if (problem.kind === 'unreachable' && !mayHaveExecuted(problem))
      await pool.query(
        `UPDATE scheduled_answers SET claimed_at = NULL, send_at = now() + interval '1 minute'
         WHERE run_id = $1 AND form_id = $2`,
        key,
      )
    else
      await pool.query('UPDATE scheduled_answers SET problem = $3 WHERE run_id = $1 AND form_id = $2', [
        ...key,
        toStorableJson(problem),
      ])

    async function submit(run: CallRow): Promise<Problem | null> {
      try {
        await forms.submit(run, form_id, { inputs, action }, person_id)
        return null
      } catch (error) {
        if (error instanceof ProblemError) return error.problem
        throw error
      }
    }
  }
}

const NOT_ALLOWED_PROBLEM: Problem = {
  kind: 'denied',
  message: 'Who answered may no longer answer the forms of this app. Nothing was sent.',
}

/** Whether a person who has answered may do so still: not once they are disabled, or without the role or the app. */
async function mayStillAnswer(pool: Pool, person_id: string | null, run: CallRow): Promise<boolean> {
  if (person_id === null) return true
  const { rows } = await pool.query<{ role: Role; narrowed: boolean }>(
    'SELECT role, narrowed FROM people WHERE id = $1 AND disabled_at IS NULL',
    [person_id],
  )
  const [person] = rows
  if (!person || !canCall(person.role, contract.console.submitRunForm)) return false
  return !person.narrowed || isInScope(await loadAccessScope(pool, person_id), run)
}

/** Holds an answer until `sendAt`, instead of one that is held already and not being sent. @throws ProblemError 409 */
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
  const { rows } = await pool.query<Omit<ScheduledAnswer, 'at'> & { send_at: Date }>(
    `SELECT people.name AS person, send_at, action, inputs, problem
     FROM scheduled_answers LEFT JOIN people ON people.id = person_id WHERE run_id = $1 AND form_id = $2`,
    [run_id, form_id],
  )
  return rows.map(({ send_at, ...held }) => ({ ...held, at: send_at.toISOString() }))[0] ?? null
}

/** @throws ProblemError 409 once it is being sent */
export async function cancelScheduledAnswer(pool: Pool, key: { run_id: string; form_id: string }): Promise<void> {
  const { rowCount } = await pool.query(
    `DELETE FROM scheduled_answers AS held WHERE run_id = $1 AND form_id = $2 AND ${IS_IDLE_SQL}`,
    [key.run_id, key.form_id],
  )
  if (rowCount === 0 && (await findScheduledAnswer(pool, key))) throwBeingSent()
}

const IS_IDLE_SQL = '(held.claimed_at IS NULL OR held.problem IS NOT NULL)'

function throwBeingSent(): never {
  throw new ProblemError({ kind: 'invalid', status: 409, message: 'The scheduled answer is being sent now.' })
}
