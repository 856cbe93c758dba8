import type { EventEmitter } from 'node:events'
import type { FastifyRequest } from 'fastify'
import { ProblemError } from '#contract/problem.ts'

/** Maximum open WebSockets and event streams per person on this server: each page has one. */
export const MAX_LIVE_CONNECTIONS_PER_PERSON = 100

export class ConnectionQuota {
  readonly #limit: number
  readonly #connections = new Map<string, Set<EventEmitter>>()

  /** @param factor RATE_LIMIT_FACTOR */
  constructor(factor: number) {
    this.#limit = MAX_LIVE_CONNECTIONS_PER_PERSON * factor
  }

  /**
   * Counts a connection for its person until it emits `close`, unless it is counted or closed already.
   * @throws ProblemError 429 at the person's limit; the page retries with growing delays
   */
  add({ person }: Pick<FastifyRequest, 'person'>, connection: EventEmitter & { destroyed: boolean }): void {
    if (!person || connection.destroyed) return
    const open = this.#connections.get(person.id) ?? new Set()
    if (open.has(connection)) return
    if (open.size >= this.#limit)
      throw new ProblemError({
        kind: 'denied',
        status: 429,
        message: `More than ${this.#limit} live connections for one person. Close some pages.`,
      })
    this.#connections.set(person.id, open.add(connection))
    connection.once('close', () => {
      open.delete(connection)
      if (open.size === 0 && this.#connections.get(person.id) === open) this.#connections.delete(person.id)
    })
  }
}
