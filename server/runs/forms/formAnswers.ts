import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Pool } from 'pg'
import type { FormAnswer, FormOutcome, ResumptionRisk } from '#contract/console/forms.ts'
import { isActiveStatus, type RunStatus, SUCCESS_STATUSES } from '#contract/console/runs.ts'
import { asRecord, asText } from '#domain/stream/untrustedJson.ts'
import {
  ABORT_WINDOW_MS,
  ABORTED_RESUMPTION_MESSAGE,
  mayAbortResumption,
} from '#domain/workflowRun/abortedResumption.ts'
import type { CallRow } from '../../ledger/callRow.ts'
import { toSqlList } from '../../db/sqlConditions.ts'

/** The calls of this entry record the answers that were sent from this console. */
export const SUBMIT_ENTRY = 'adjacent.submitForm'

/** Maximum wait in ms for the reply to a pending answer, and the interval of the checks. */
const PENDING_ANSWER_TIMEOUT_MS = 2_000
const PENDING_ANSWER_POLL_MS = 50

/** The values by field name, and the chosen action. */
export interface FormInput {
  inputs: Record<string, unknown>
  action: string
}

/** An answer from this console. `unknown`: its reply was lost. */
export interface SentAnswer extends FormAnswer {
  id: string
  person_id: string | null
  status: RunStatus
}

/** The answers to a form that were sent from this console and not refused, oldest first. */
export async function findSentAnswers(
  pool: Pool,
  { run_id, workspace_id, form_id }: { run_id: string; workspace_id: string; form_id: string },
): Promise<SentAnswer[]> {
  const { rows } = await pool.query<{
    id: string
    status: RunStatus
    person_id: string | null
    person: string | null
    request: unknown
    created_at: Date
  }>(
    `SELECT calls.id, calls.status, calls.person_id, people.name AS person, calls.request, calls.created_at
     FROM calls LEFT JOIN people ON people.id = calls.person_id
     WHERE calls.resource_ids @> $1 AND calls.workspace_id = $2 AND calls.entry = '${SUBMIT_ENTRY}'
       AND calls.status IN ('created', 'dispatched', 'succeeded', 'unknown')
     ORDER BY calls.created_at, calls.id`,
    [[run_id, form_id], workspace_id],
  )
  return rows.map(({ request, created_at, ...row }) => {
    const sent = asRecord(request)
    return {
      ...row,
      at: created_at.toISOString(),
      action: asText(sent?.action) ?? '',
      inputs: asRecord(sent?.inputs) ?? {},
    }
  })
}

/** Waits briefly for pending answers: of two people who answer at once, the refused one sees the name of the other. */
export async function findSettledAnswers(
  pool: Pool,
  form: Parameters<typeof findSentAnswers>[1],
): Promise<SentAnswer[]> {
  const deadline = performance.now() + PENDING_ANSWER_TIMEOUT_MS
  for (;;) {
    const answers = await findSentAnswers(pool, form)
    if (!answers.some(({ status }) => isActiveStatus(status)) || performance.now() > deadline) return answers
    await wait(PENDING_ANSWER_POLL_MS)
  }
}

/**
 * The accepted answer; null if none from this console is known to be. An answer whose reply was lost is accepted if
 * the run continued with it.
 */
export const findAcceptedAnswer = (answers: readonly SentAnswer[], outcome: FormOutcome | null): SentAnswer | null =>
  answers.find(({ status }) => status === 'succeeded') ??
  answers.find((sent) => sent.status === 'unknown' && outcome !== null && isOutcomeOf(sent, outcome)) ??
  null

/** Only texts are compared: a platform may change the form of a file. */
const isOutcomeOf = ({ action, inputs }: FormInput, outcome: FormOutcome): boolean =>
  outcome.action_id === action &&
  Object.entries(inputs).every(([name, value]) => typeof value !== 'string' || outcome.inputs[name] === value)

export const isSameAnswer = (sent: SentAnswer, person_id: string | null, { inputs, action }: FormInput): boolean =>
  sent.person_id === person_id && sent.action === action && isDeepStrictEqual(sent.inputs, inputs)

export const toFormAnswer = ({ person, at, action, inputs }: SentAnswer): FormAnswer => ({
  person,
  at,
  action,
  inputs,
})

/**
 * Whether the platform may abort a paused run that continues now; null if not. Builds with and without the fault have
 * the same version, so the last run of the workspace that continued within the hour decides.
 */
export async function findResumptionRisk(pool: Pool, row: CallRow): Promise<ResumptionRisk | null> {
  const untilMs = row.created_at.getTime() + (row.duration_ms ?? 0) + ABORT_WINDOW_MS
  if (!mayAbortResumption(row) || untilMs <= Date.now()) return null
  const { rows } = await pool.query<{ was_aborted: boolean }>(
    `SELECT runs.status = 'failed' AS was_aborted
     FROM calls AS answers JOIN calls AS runs ON runs.id = (answers.params->>'run_id')::uuid
     WHERE answers.workspace_id = $1 AND answers.entry = '${SUBMIT_ENTRY}' AND runs.platform_version = $2
       AND (runs.entry = 'workflows.run' OR runs.response_mode = 'blocking')
       AND (runs.status = 'failed' AND starts_with(runs.error_message, $3)
         OR runs.status IN (${toSqlList(SUCCESS_STATUSES)}) AND answers.created_at < runs.created_at + interval '1 hour')
     ORDER BY answers.created_at DESC LIMIT 1`,
    [row.workspace_id, row.platform_version, ABORTED_RESUMPTION_MESSAGE],
  )
  const wasAborted = rows[0]?.was_aborted ?? null
  return wasAborted === false ? null : { until: new Date(untilMs).toISOString(), has_happened: wasAborted === true }
}
