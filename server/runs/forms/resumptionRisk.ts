import type { Pool } from 'pg'
import type { ResumptionRisk } from '#contract/console/forms.ts'
import {
  ABORT_WINDOW_MS,
  ABORTED_RESUMPTION_MESSAGE,
  mayAbortResumption,
} from '#domain/workflowRun/abortedResumption.ts'
import type { CallRow } from '../../ledger/callRow.ts'
import { SUBMIT_ENTRY } from './formAnswers.ts'

/**
 * Whether the platform may abort a paused run that goes on now; null if not. Builds with and without the fault have the same
 * version, so the last run of the workspace that went on within the hour decides.
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
         OR runs.status IN ('succeeded', 'partial-succeeded') AND answers.created_at < runs.created_at + interval '1 hour')
     ORDER BY answers.created_at DESC LIMIT 1`,
    [row.workspace_id, row.platform_version, ABORTED_RESUMPTION_MESSAGE],
  )
  const wasAborted = rows[0]?.was_aborted ?? null
  return wasAborted === false ? null : { until: new Date(untilMs).toISOString(), has_happened: wasAborted === true }
}
