/** The class of the advisory locks of two numbers by which servers show that they exist; the second one is of the server's id. */
const PRESENCE_LOCK_CLASS = 7_308_400

/**
 * Settings of the session that holds the lock: PostgreSQL finds within half a minute that a host is gone. It asks the host,
 * which answers also for a process that is paused.
 */
export const PRESENCE_SESSION_SQL =
  'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4'

/** Takes the lock of the server $1 for this session. It is shared: a session that was lost may still hold it. */
export const TAKE_PRESENCE_SQL = `SELECT pg_advisory_lock_shared(${PRESENCE_LOCK_CLASS}, hashtext($1))`

/** Milliseconds after which a process is given up that exists and does nothing. */
const MAX_SLEEP_MS = 10 * 60_000

/** Whether a server has written no heartbeat for so many milliseconds, by its id. */
export const isSilentSql = (server_id: string, leaseMs: string): string =>
  `NOT EXISTS (SELECT 1 FROM servers WHERE servers.id = ${server_id}
     AND servers.seen_at > now() - ${leaseMs} * interval '1 millisecond')`

/** Whether a silent server may go on: its process exists, since its session does. False on the embedded database. */
export const isAsleepSql = (server_id: string): string =>
  `EXISTS (SELECT 1 FROM servers WHERE servers.id = ${server_id} AND servers.seen_at > now() - interval '${MAX_SLEEP_MS} milliseconds'
     AND EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = ${PRESENCE_LOCK_CLASS}
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND objid = (hashtext(servers.id::text)::bigint & 4294967295)::oid))`
