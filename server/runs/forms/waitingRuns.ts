import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { WaitingRun } from '#contract/console/forms.ts'
import { listPendingForms } from '#domain/workflowRun/runForms.ts'
import { type AccessScope, scopeFilter } from '../../auth/accessScope.ts'
import type { Database } from '../../db/database.ts'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'
import { toStorableJson } from '../../ledger/callColumns.ts'
import { type CallRow, SUMMARY_COLUMNS } from '../../ledger/callRow.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { type FoldState, GENERATING_ENTRIES, getWorkflow } from '../../ledger/runStatus.ts'
import { addWebhookEvent } from '../../webhooks/webhookOutbox.ts'
import { toRun } from '../toRun.ts'

/**
 * Milliseconds between two checks for runs that another server has paused, or that were paused while this one was
 * down.
 */
const RECORD_INTERVAL_MS = 3_000
const RUNS_PER_PASS = 20

type WaitingForms = WaitingRun['forms']

interface RecorderDeps {
  database: Database
  ledger: Ledger
  log: Logger
  /** The run's page, as an absolute URL if the console knows its own. */
  toRunUrl: (run: { id: string; workspace_id: string }) => string
  /** Called after a webhook event was committed. */
  onEvent: () => void
}

/**
 * Records what each paused run waits for, and announces the pause to the workspace's webhook in the same transaction.
 * It reads the ledger, so it does not matter which server paused a run, or how; one of several servers records a
 * pause.
 */
export class PausedRunRecorder extends BackgroundJob {
  readonly #deps: RecorderDeps

  constructor(deps: RecorderDeps) {
    super({
      run: (stopSignal) => this.#recordPauses(stopSignal),
      onError: (err) => deps.log.error({ err }, 'record paused runs failed'),
      intervalMs: RECORD_INTERVAL_MS,
    })
    this.#deps = deps
  }

  async #recordPauses(stopSignal: AbortSignal): Promise<void> {
    const { database, ledger } = this.#deps
    for (;;) {
      const { rows } = await database.pool.query<{ id: string }>(
        `SELECT calls.id FROM calls LEFT JOIN paused_runs ON paused_runs.run_id = calls.id AND paused_runs.frames = calls.frames
         WHERE calls.status = 'paused' AND paused_runs.run_id IS NULL ORDER BY calls.created_at, calls.id LIMIT ${RUNS_PER_PASS}`,
      )
      for (const { id } of rows) {
        const row = await ledger.findWithBody(id)
        if (row?.status === 'paused') await this.#recordPause(row)
      }
      if (rows.length < RUNS_PER_PASS || stopSignal.aborted) return
    }
  }

  async #recordPause(row: CallRow): Promise<void> {
    const forms = toWaitingForms(row)
    const deadline = forms.flatMap(({ expires_at }) => expires_at ?? []).sort()[0] ?? null
    const isAnnounced = await this.#deps.database.transaction(async (client) => {
      const { rowCount } = await client.query(
        `INSERT INTO paused_runs(run_id, frames, forms, deadline) VALUES ($1, $2, $3, $4)
         ON CONFLICT (run_id) DO UPDATE SET frames = excluded.frames, forms = excluded.forms, deadline = excluded.deadline
         WHERE paused_runs.frames < excluded.frames`,
        [row.id, row.frames, toStorableJson(forms), deadline],
      )
      if (rowCount === 0) return false
      const { rows: keys } = await client.query<{ label: string; kind: string }>(
        'SELECT label, kind FROM keys WHERE id = $1',
        [row.key_id],
      )
      const event_id = await addWebhookEvent(client, row.workspace_id, 'run.paused', {
        app: { id: row.key_id, label: keys[0]?.label ?? null, kind: keys[0]?.kind ?? null },
        run: { id: row.id, workflow_run_id: row.workflow_run_id, url: this.#deps.toRunUrl(row) },
        forms: forms.map(({ form_id, node_title, expires_at }) => ({ form_id, title: node_title, expires_at })),
        deadline,
      })
      return event_id !== null
    })
    if (isAnnounced) this.#deps.onEvent()
  }
}

const toWaitingForms = ({ answer }: CallRow): WaitingForms =>
  answer
    ? listPendingForms(getWorkflow(answer as FoldState)).map(({ form_id, node_title, expires_at, can_answer }) => ({
        form_id,
        node_title,
        expires_at,
        can_answer,
      }))
    : []

/** Paused runs in scope, earliest deadline first. */
export async function listWaitingRuns(
  pool: Pool,
  { workspace, limit }: { workspace?: string | undefined; limit: number },
  accessScope: AccessScope,
): Promise<{ data: WaitingRun[]; total: number; limit: number }> {
  const { rows } = await pool.query<CallRow & { forms: WaitingForms | null; total: number }>(
    `SELECT ${SUMMARY_COLUMNS}, people.name AS person, paused_runs.forms, count(*) OVER ()::int AS total
     FROM calls LEFT JOIN people ON people.id = calls.person_id
       LEFT JOIN paused_runs ON paused_runs.run_id = calls.id AND paused_runs.frames = calls.frames
     WHERE calls.status = 'paused' AND calls.entry = ANY($1) AND ($2::uuid IS NULL OR calls.workspace_id = $2::uuid)
       AND ${scopeFilter('calls', 3)}
     ORDER BY paused_runs.deadline NULLS LAST, calls.created_at DESC, calls.id LIMIT $4`,
    [[...GENERATING_ENTRIES], workspace ?? null, accessScope, limit],
  )
  return { data: rows.map((row) => ({ run: toRun(row), forms: row.forms ?? [] })), total: rows[0]?.total ?? 0, limit }
}
