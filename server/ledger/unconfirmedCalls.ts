import type { Pool } from 'pg'
import { isConnectionError } from '../db/connectionErrors.ts'
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
  /** Time of each failure. */
  readonly #failedAt = new Map<string, Date>()
  #pendingCheck: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Records the error with which the insert of a call failed. */
  add({ id, server_id }: Pick<NewCall, 'id' | 'server_id'>, error: unknown): void {
    if (!isConnectionError(error)) return
    this.#failedAt.set(id, new Date())
    this.#timer ??= setInterval(() => this.deleteLateInserts(server_id), CHECK_INTERVAL_MS).unref()
  }

  /** A retry of the call starts again. @throws while the database is unavailable */
  async deleteLateInsert({ id, server_id }: Pick<NewCall, 'id' | 'server_id'>): Promise<void> {
    if (!this.#failedAt.has(id)) return
    this.#pendingCheck = this.#pendingCheck.then(() => this.#deleteRows([id], server_id))
    const pendingCheck = this.#pendingCheck
    this.#pendingCheck = pendingCheck.catch(() => undefined)
    await pendingCheck
    this.#failedAt.delete(id)
  }

  deleteLateInserts(server_id: string): void {
    this.#pendingCheck = this.#pendingCheck
      .then(() => this.#deleteRows([...this.#failedAt.keys()], server_id))
      .catch(() => undefined)
    for (const [id, failed] of this.#failedAt)
      if (Date.now() - failed.getTime() > RETENTION_MS) this.#failedAt.delete(id)
    if (this.#failedAt.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Only the older row: this statement may be delayed, too. */
  #deleteRows(ids: string[], server_id: string): Promise<unknown> {
    return this.#pool.query(
      `DELETE FROM calls USING unnest($1::uuid[], $2::timestamptz[]) AS doubt(id, failed)
       WHERE calls.id = doubt.id AND calls.created_at <= doubt.failed AND calls.server_id = $3
         AND calls.status IN ('created', 'dispatched')`,
      [ids, ids.map((id) => this.#failedAt.get(id)), server_id],
    )
  }
}
