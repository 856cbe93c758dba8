import { Client } from 'pg'

/**
 * The class of the two-number advisory locks by which servers show that they are alive; the second number is derived
 * from the server's id.
 */
const PRESENCE_LOCK_CLASS = 7_308_400

/**
 * PostgreSQL notices within half a minute that a host is gone: it probes the host, which also answers for a paused
 * process. It probes only an idle connection, so nothing is sent on this one.
 */
const KEEPALIVE_SQL = 'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4'
/** Shared: a lost session may still hold the lock. */
const TAKE_LOCK_SQL = `SELECT pg_advisory_lock_shared(${PRESENCE_LOCK_CLASS}, hashtext($1))`

/** Milliseconds. */
const QUERY_TIMEOUT_MS = 4_000
const RECONNECT_DELAY_MS = 500
const KEEP_ALIVE_DELAY_MS = 10_000

/** A session that shows the other servers that this process exists, even while it is paused. A lost one is replaced. */
export class ServerPresence {
  readonly #url: string
  readonly #server_id: string
  #client: Client | null = null
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(url: string, server_id: string) {
    this.#url = url
    this.#server_id = server_id
  }

  /** Resolves after the first attempt. */
  async open(): Promise<this> {
    await this.#connect()
    return this
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#client?.end().catch(() => undefined)
  }

  async #connect(): Promise<void> {
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: QUERY_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    })
    this.#client = client
    client.on('error', () => this.#reconnect(client))
    client.on('end', () => this.#reconnect(client))
    try {
      await client.connect()
      await client.query(KEEPALIVE_SQL)
      await client.query(TAKE_LOCK_SQL, [this.#server_id])
      if (this.#isClosed) await client.end()
    } catch {
      this.#reconnect(client)
    }
  }

  #reconnect(client: Client): void {
    if (this.#client !== client) return
    this.#client = null
    client.removeAllListeners().on('error', () => undefined)
    void client.end().catch(() => undefined)
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#connect(), RECONNECT_DELAY_MS).unref()
  }
}

/** Milliseconds after which a process that exists but does nothing is declared dead. */
const MAX_SLEEP_MS = 10 * 60_000

/** Whether a server, by its id, has written no heartbeat for that many milliseconds. */
export const isSilentSql = (server_id: string, leaseMs: string): string =>
  `NOT EXISTS (SELECT 1 FROM servers WHERE servers.id = ${server_id}
     AND servers.seen_at > now() - ${leaseMs} * interval '1 millisecond')`

/** Whether a silent server is only paused: its process, and so its session, exists. False on the embedded database. */
export const isAsleepSql = (server_id: string): string =>
  `EXISTS (SELECT 1 FROM servers WHERE servers.id = ${server_id} AND servers.seen_at > now() - interval '${MAX_SLEEP_MS} milliseconds'
     AND EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = ${PRESENCE_LOCK_CLASS}
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND objid = (hashtext(servers.id::text)::bigint & 4294967295)::oid))`
