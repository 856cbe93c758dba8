import type { Pool } from 'pg'
import { isConnectionError } from '../db/connectionErrors.ts'
import type { NewCall } from './callRow.ts'

/** Milliseconds between two looks, and for which a stalled line may hold what was written. */
const CHECK_INTERVAL_MS = 5_000
const RETENTION_MS = 15 * 60_000

/**
 * Calls of this server that were not sent, since its database did not say that it has their row. What a line held back comes
 * into the table all the same when the line moves again: such a row is taken out, or the call would seem to go on for ever.
 */
export class UnconfirmedCalls {
  readonly #pool: Pool
  /** When each failed. */
  readonly #failedAt = new Map<string, Date>()
  #pendingCheck: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** What the beginning of a call has failed of. */
  add({ id, server_id }: Pick<NewCall, 'id' | 'server_id'>, error: unknown): void {
    if (!isConnectionError(error)) return
    this.#failedAt.set(id, new Date())
    this.#timer ??= setInterval(() => this.deleteLateInserts(server_id), CHECK_INTERVAL_MS).unref()
  }

  /** Whoever asks for the call once more begins it anew. @throws when the database is still away */
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

  /** The older row only: this statement, too, may come late. */
  #deleteRows(ids: string[], server_id: string): Promise<unknown> {
    return this.#pool.query(
      `DELETE FROM calls USING unnest($1::uuid[], $2::timestamptz[]) AS doubt(id, failed)
       WHERE calls.id = doubt.id AND calls.created_at <= doubt.failed AND calls.server_id = $3
         AND calls.status IN ('created', 'dispatched')`,
      [ids, ids.map((id) => this.#failedAt.get(id)), server_id],
    )
  }
}
