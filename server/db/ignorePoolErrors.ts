import type { Pool } from 'pg'

/**
 * A connection that breaks says so to whoever has a query on it, and as an event; an event that nobody listens to would end
 * the process. The pool listens to connections that lie idle: those in other hands are listened to from their beginning.
 */
export function ignorePoolErrors(pool: Pool): void {
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
}
