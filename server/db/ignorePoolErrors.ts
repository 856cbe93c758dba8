import type { Pool } from 'pg'

/**
 * A broken connection rejects its query and also emits 'error'; an unhandled 'error' event would end the process. The pool
 * listens on idle connections only, so checked-out ones get a listener from the start.
 */
export function ignorePoolErrors(pool: Pool): void {
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
}
