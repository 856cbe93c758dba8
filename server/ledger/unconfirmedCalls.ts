import type { Pool } from 'pg'
import { isConnectionError } from '../db/connectionErrors.ts'
import { BackgroundJob } from '../jobs/backgroundJob.ts'
import type { NewCall } from './callRow.ts'

/** Poll interval, and how long a stalled connection may delay a commit, in ms. */
const CHECK_INTERVAL_MS = 5_000
const RETENTION_MS = 15 * 60_000

/**
 * Calls that this server did not send because their INSERT was not confirmed. A stalled connection may commit such a
 * row later: it is deleted then, or the call would seem active forever.
 */
export class UnconfirmedCalls {
  readonly #pool: Pool
  readonly #failedAt = new Map<string, Date>()
  #job: BackgroundJob | null = null

  constructor(pool: Pool) {
    this.#pool = pool
  }

  add({ id, server_id }: Pick<NewCall, 'id' | 'server_id'>, error: unknown): void {
    if (!isConnectionError(error)) return
    this.#failedAt.set(id, new Date())
    this.#job ??= new BackgroundJob({
      run: () => this.deleteLateInserts(server_id),
      // The database is still unavailable: the next pass retries.
      onError: () => undefined,
      intervalMs: CHECK_INTERVAL_MS,
    })
    this.#job.start()
  }

  /** A retry of the call starts again. @throws while the database is unavailable */
  async deleteLateInsert({ id, server_id }: Pick<NewCall, 'id' | 'server_id'>): Promise<void> {
    const failed = this.#failedAt.get(id)
    if (!failed) return
    await this.#deleteRows([[id, failed]], server_id)
    this.#failedAt.delete(id)
  }

  async deleteLateInserts(server_id: string): Promise<void> {
    const failures = [...this.#failedAt]
    for (const [id, failed] of this.#failedAt)
      if (Date.now() - failed.getTime() > RETENTION_MS) this.#failedAt.delete(id)
    if (this.#failedAt.size === 0) this.#job?.pause()
    await this.#deleteRows(failures, server_id)
  }

  /** Only the older row: this statement may be delayed, too. */
  #deleteRows(failures: [id: string, failed: Date][], server_id: string): Promise<unknown> {
    return this.#pool.query(
      `DELETE FROM calls USING unnest($1::uuid[], $2::timestamptz[]) AS failure(id, failed)
       WHERE calls.id = failure.id AND calls.created_at <= failure.failed AND calls.server_id = $3
         AND calls.status IN ('created', 'dispatched')`,
      [failures.map(([id]) => id), failures.map(([, failed]) => failed), server_id],
    )
  }
}
