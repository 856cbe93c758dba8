import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Pool } from 'pg'
import { isActiveStatus, isUnresolvedStatus } from '#contract/console/runs.ts'
import { isSilentSql } from '../../db/serverPresence.ts'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'
import type { CallRow } from '../../ledger/callRow.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { type FoldState, getRunIds, getUsage, getWorkflow, listRunIds, toRunStatus } from '../../ledger/runStatus.ts'
import { refoldRun } from '../reconciliation/refoldRun.ts'
import type { ServerLease } from '../reconciliation/serverLease.ts'

/** Raise it, and change `IS_CANDIDATE_SQL`, when stored runs are interpreted differently. */
const FOLD_VERSION = 1
/** Answers before an invented workflow, resumed runs, and runs of agents. */
const IS_CANDIDATE_SQL = `response_mode = 'streaming' AND frames > 0 AND (gaps IS NOT NULL OR entry = 'chat.send' AND (
  status = 'refused' OR answer_body_id IS NOT NULL OR (answer -> 'by_agent')::text = 'true'))`
/** State fields that this version of the fold sets only for candidates. */
const NEW_FIELDS = ['run_after_end', 'gaps', 'steps']

/** Milliseconds between two passes, and the pause between two pages, in which requests use the embedded database. */
const PASS_INTERVAL_MS = 60_000
const STEP_PAUSE_MS = 5
const CALLS_PER_PAGE = 200

type Position = Pick<CallRow, 'id' | 'created_at'>

/**
 * Folds the stored frames of runs again, once after an upgrade, where an earlier release interpreted them
 * differently. One server does it at a time; its position is in the database, so that it continues after a restart or
 * on another server.
 */
export class RunRecalculation extends BackgroundJob {
  readonly #deps: ConstructorParameters<typeof RunRecalculation>[0]

  constructor(deps: {
    pool: Pool
    ledger: Ledger
    server_id: string
    lease: Pick<ServerLease, 'silentAfterMs'>
    log: Pick<Logger, 'info' | 'error'>
  }) {
    super({
      run: () => this.#run(),
      onError: (err) => deps.log.error({ err }, 'recalculate runs failed'),
      intervalMs: PASS_INTERVAL_MS,
    })
    this.#deps = deps
  }

  async #run(): Promise<void> {
    const { pool, server_id } = this.#deps
    for (let position = await this.#claim(); position; position = await this.#claim()) {
      const calls = await this.#listCalls(position)
      for (const { id, is_candidate } of calls) if (is_candidate && !this.isStopped) await this.#recalculate(id)
      // The next server reads the page again.
      if (this.isStopped) return
      const { created_at, id } = calls.at(-1) ?? position
      await pool.query(
        `UPDATE run_recalculations SET created_at = $3, call_id = $4, is_done = $5 WHERE version = $1 AND server_id = $2`,
        [FOLD_VERSION, server_id, created_at, id, calls.length < CALLS_PER_PAGE],
      )
      await pause(STEP_PAUSE_MS)
    }
  }

  /** Null if it is done, or another live server does it. */
  async #claim(): Promise<Position | null> {
    const { pool, server_id, lease } = this.#deps
    const { rows } = await pool.query<Position>(
      `INSERT INTO run_recalculations AS known(version, server_id, created_at, call_id)
       VALUES ($1, $2, 'epoch', '00000000-0000-0000-0000-000000000000')
       ON CONFLICT (version) DO UPDATE SET server_id = $2
         WHERE NOT known.is_done AND (known.server_id = $2 OR ${isSilentSql('known.server_id', '$3::float8')})
       RETURNING created_at, call_id AS id`,
      [FOLD_VERSION, server_id, lease.silentAfterMs],
    )
    return rows[0] ?? null
  }

  async #listCalls({ created_at, id }: Position) {
    const { rows } = await this.#deps.pool.query<Position & { is_candidate: boolean }>(
      `SELECT id, created_at, coalesce(${IS_CANDIDATE_SQL}, false) AS is_candidate FROM calls
       WHERE (created_at, id) > ($1, $2) ORDER BY created_at, id LIMIT ${CALLS_PER_PAGE}`,
      [created_at, id],
    )
    return rows
  }

  /** The status changes only if the run was refused: other ends may come from a stop or the platform's record. */
  async #recalculate(id: string): Promise<void> {
    const { ledger, log } = this.#deps
    const row = await ledger.findWithBody(id)
    const earlier = row?.answer as FoldState | null | undefined
    if (!row || !earlier || isActiveStatus(row.status) || isUnresolvedStatus(row.status)) return
    if (NEW_FIELDS.some((name) => name in earlier) || getWorkflow(earlier).told) return
    const { state, frames } = await refoldRun(row, ledger)
    if (frames !== row.frames) return
    const status = row.status === 'refused' ? toRunStatus(state) : row.status
    const isNoted = status !== row.status || state.text !== earlier.text
    if (!isNoted && !state.gaps) return
    const end = {
      status,
      reply: row.reply,
      answer: state,
      problem: status === row.status ? row.problem : null,
      resource_ids: listRunIds(state),
      ...getRunIds(state),
      ...getUsage(state, status),
    }
    await ledger.reconcileCall(id, end, { status: row.status, isNoted })
    log.info({ run: id, before: row.status, status }, 'run recalculated')
  }
}
