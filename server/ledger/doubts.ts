import type { Pool } from 'pg'
import { isAway } from '../database/away.ts'
import type { NewCall } from './call.ts'

/** Milliseconds between two looks, and for which a stalled line may hold what was written. */
const LOOK = 5_000
const HELD = 15 * 60_000

/**
 * Calls of this server that were not sent, since its database did not say that it has their row. What a line held back comes
 * into the table all the same when the line moves again: such a row is taken out, or the call would seem to go on for ever.
 */
export class Doubts {
  readonly #pool: Pool
  /** When each failed. */
  readonly #failed = new Map<string, Date>()
  #looking: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** What the beginning of a call has failed of. */
  add({ id, server_id }: Pick<NewCall, 'id' | 'server_id'>, error: unknown): void {
    if (!isAway(error)) return
    this.#failed.set(id, new Date())
    this.#timer ??= setInterval(() => this.look(server_id), LOOK).unref()
  }

  /** Whoever asks for the call once more begins it anew. @throws when the database is still away */
  async settle({ id, server_id }: Pick<NewCall, 'id' | 'server_id'>): Promise<void> {
    if (!this.#failed.has(id)) return
    this.#looking = this.#looking.then(() => this.#remove([id], server_id))
    const looking = this.#looking
    this.#looking = looking.catch(() => undefined)
    await looking
    this.#failed.delete(id)
  }

  look(server_id: string): void {
    this.#looking = this.#looking.then(() => this.#remove([...this.#failed.keys()], server_id)).catch(() => undefined)
    for (const [id, failed] of this.#failed) if (Date.now() - failed.getTime() > HELD) this.#failed.delete(id)
    if (this.#failed.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** The older row only: this statement, too, may come late. */
  #remove(ids: string[], server_id: string): Promise<unknown> {
    return this.#pool.query(
      `DELETE FROM calls USING unnest($1::uuid[], $2::timestamptz[]) AS doubt(id, failed)
       WHERE calls.id = doubt.id AND calls.created_at <= doubt.failed AND calls.server_id = $3
         AND calls.status IN ('created', 'dispatched')`,
      [ids, ids.map((id) => this.#failed.get(id)), server_id],
    )
  }
}
