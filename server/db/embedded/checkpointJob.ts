import type { Logger } from 'pino'
import type { Pool } from 'pg'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'

const CHECK_INTERVAL_MS = 5_000
/** Bytes of write-ahead log since the last checkpoint: the size on disk, and what a start after a crash has to read. */
const MAX_LOG_BYTES = 16 * 1024 * 1024

/**
 * Replaces the checkpointer, for which the embedded database has no process: its write-ahead log would grow until the
 * server stops. A checkpoint writes at most the shared buffers and takes some tens of milliseconds.
 */
export class CheckpointJob extends BackgroundJob {
  readonly #pool: Pool
  readonly #log: Pick<Logger, 'debug' | 'error'>
  readonly #maxLogBytes: number

  constructor({
    pool,
    log,
    maxLogBytes = MAX_LOG_BYTES,
  }: {
    pool: Pool
    log: Pick<Logger, 'debug' | 'error'>
    maxLogBytes?: number
  }) {
    super({
      run: () => this.#checkpointIfDue(),
      onError: (err) => log.error({ err }, 'checkpoint failed'),
      intervalMs: CHECK_INTERVAL_MS,
    })
    this.#pool = pool
    this.#log = log
    this.#maxLogBytes = maxLogBytes
  }

  async #checkpointIfDue(): Promise<void> {
    const { rows } = await this.#pool.query<{ bytes: number }>(
      'SELECT (pg_current_wal_insert_lsn() - redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()',
    )
    const bytes = rows[0]?.bytes ?? 0
    if (bytes <= this.#maxLogBytes) return
    const startedAt = performance.now()
    await this.#pool.query('CHECKPOINT')
    this.#log.debug({ bytes, ms: Math.round(performance.now() - startedAt) }, 'checkpoint written')
  }
}
