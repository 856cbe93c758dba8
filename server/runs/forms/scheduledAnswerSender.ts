import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { contract } from '#contract/index.ts'
import { canCall, type Role } from '#contract/permissions.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { isInScope, loadAccessScope } from '../../auth/accessScope.ts'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'
import { toStorableJson } from '../../ledger/callColumns.ts'
import type { CallRow } from '../../ledger/callRow.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { mayHaveExecuted } from '../../relay/upstream/upstream.ts'
import { findSentAnswers } from './formAnswers.ts'
import type { FormService } from './formService.ts'
import type { ScheduledRow } from './scheduledAnswers.ts'

/** Milliseconds between two checks for due answers. */
const SEND_INTERVAL_MS = 5_000

/**
 * Sends scheduled answers when the platform no longer aborts their run. One server claims an answer before it is
 * sent; an answer that is in the ledger is not sent again, even after a crash.
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
  message: 'The person who answered may no longer answer forms of this app. Nothing was sent.',
}

/** Whether a person who has answered still may: not if they are disabled or have lost the role or the app. */
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
