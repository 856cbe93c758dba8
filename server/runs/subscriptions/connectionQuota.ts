import type { EventEmitter } from 'node:events'
import { ProblemError } from '#contract/problem.ts'

/** Maximum open live connections per person on this server: each page has one, a WebSocket or an event stream. */
export const MAX_LIVE_CONNECTIONS_PER_PERSON = 100

/** Counts the open live connections of each person. */
export class ConnectionQuota {
  readonly #connections = new Map<string, Set<EventEmitter>>()

  /**
   * Counts a connection for its person until it emits `close`; a connection that is counted already is not counted twice.
   * @throws ProblemError 429 at the person's limit; the page retries with growing delays
   */
  add(person_id: string, connection: EventEmitter): void {
    const open = this.#connections.get(person_id) ?? new Set()
    if (open.has(connection)) return
    if (open.size >= MAX_LIVE_CONNECTIONS_PER_PERSON)
      throw new ProblemError({
        kind: 'denied',
        status: 429,
        message: `More than ${MAX_LIVE_CONNECTIONS_PER_PERSON} live connections of one person. Close some pages.`,
      })
    this.#connections.set(person_id, open.add(connection))
    connection.once('close', () => {
      open.delete(connection)
      if (open.size === 0 && this.#connections.get(person_id) === open) this.#connections.delete(person_id)
    })
  }
}
