import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Pool } from 'pg'
import { isActiveStatus, isUnresolvedStatus } from '#contract/console/runs.ts'
import { isSilentSql } from '../../db/serverPresence.ts'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { type FoldState, getRunIds, getUsage, getWorkflow, listRunIds, toRunStatus } from '../../ledger/runStatus.ts'
import { refoldRun } from '../reconciliation/refoldRun.ts'
import type { ServerLease } from '../reconciliation/serverLease.ts'

/** Raise it when runs that are stored read differently, and `IS_CANDIDATE_SQL` with it. */
const FOLD_VERSION = 1
/** Answers before a workflow that was invented, those of runs that were taken up again, and those of agents. */
const IS_CANDIDATE_SQL = `response_mode = 'streaming' AND frames > 0 AND (gaps IS NOT NULL OR entry = 'chat.send' AND (
  status = 'refused' OR answer_body_id IS NOT NULL OR (answer -> 'by_agent')::text = 'true'))`
/** The states that the fold of this version gives to candidates alone. */
const NEW_FIELDS = ['run_after_end', 'gaps', 'steps']

/** Milliseconds between two passes, and the pause between two pages, in which requests use the embedded database. */
const PASS_INTERVAL_MS = 60_000
const STEP_PAUSE_MS = 5
const CALLS_PER_PAGE = 200

interface Position {
  created_at: Date
  call_id: string
}
const FIRST_POSITION: Position = { created_at: new Date(0), call_id: '00000000-0000-0000-0000-000000000000' }

/**
 * Folds the stored frames of runs again, once after an upgrade, where an earlier release read them differently. One server
 * does it at a time; the position is in the database, so that it, or another server, goes on after a restart.
 */
export class RunRecalculation extends BackgroundJob {
  readonly #pool: Pool
  readonly #ledger: Ledger
  readonly #server_id: string
  readonly #lease: Pick<ServerLease, 'silentAfterMs'>
  readonly #log: Pick<Logger, 'info' | 'error'>

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
    this.#pool = deps.pool
    this.#ledger = deps.ledger
    this.#server_id = deps.server_id
    this.#lease = deps.lease
    this.#log = deps.log
  }

  async #run(): Promise<void> {
    for (;;) {
      const position = await this.#claim()
      if (!position || this.isStopped) return
      const last = await this.#recalculatePage(position)
      if (this.isStopped) return
      await this.#advance(last)
      await pause(STEP_PAUSE_MS)
    }
  }

  /** Null where all is done, or a server that is alive does it. */
  async #claim(): Promise<Position | null> {
    const { rows } = await this.#pool.query<Position>(
      `INSERT INTO run_recalculations AS known(version, server_id, created_at, call_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (version) DO UPDATE SET server_id = $2
         WHERE NOT known.is_done AND (known.server_id = $2 OR ${isSilentSql('known.server_id', '$5::float8')})
       RETURNING created_at, call_id`,
      [FOLD_VERSION, this.#server_id, FIRST_POSITION.created_at, FIRST_POSITION.call_id, this.#lease.silentAfterMs],
    )
    return rows[0] ?? null
  }

  /** @returns the position of the last call; null after all of them */
  async #recalculatePage({ created_at, call_id }: Position): Promise<Position | null> {
    const { rows } = await this.#pool.query<Position & { is_candidate: boolean }>(
      `SELECT id AS call_id, created_at, coalesce(${IS_CANDIDATE_SQL}, false) AS is_candidate FROM calls
       WHERE (created_at, id) > ($1, $2) ORDER BY created_at, id LIMIT ${CALLS_PER_PAGE}`,
      [created_at, call_id],
    )
    for (const row of rows) if (row.is_candidate && !this.isStopped) await this.#recalculate(row.call_id)
    return rows.length < CALLS_PER_PAGE ? null : (rows.at(-1) ?? null)
  }

  async #advance(last: Position | null): Promise<void> {
    await this.#pool.query(
      `UPDATE run_recalculations SET is_done = $3, created_at = coalesce($4, created_at), call_id = coalesce($5, call_id)
       WHERE version = $1 AND server_id = $2`,
      [FOLD_VERSION, this.#server_id, last === null, last?.created_at, last?.call_id],
    )
  }

  /** The status of a run changes only where it was refused: other ends may be those of a stop, or the platform's record. */
  async #recalculate(id: string): Promise<void> {
    const row = await this.#ledger.findWithBody(id)
    const earlier = row?.answer as FoldState | null | undefined
    if (!row || !earlier || NEW_FIELDS.some((name) => name in earlier) || getWorkflow(earlier).told) return
    if (isActiveStatus(row.status) || isUnresolvedStatus(row.status)) return
    const { state, frames } = await refoldRun(row, this.#ledger)
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
    await this.#ledger.reconcileCall(id, end, { status: row.status, isNoted })
    this.#log.info({ run: id, before: row.status, status }, 'run recalculated')
  }
}
