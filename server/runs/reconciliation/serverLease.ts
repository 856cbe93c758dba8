import type { Pool } from 'pg'
import { MAX_HEARTBEAT_GAP_MS, SERVER_LEASE_MS } from '../../db/liveServers.ts'
import { STATUSES_BEFORE_END } from '../../ledger/ledger.ts'
import type { ServerStatus } from './serverStatus.ts'

/** Longer than any server is silent: nobody is taken for dead. */
const NEVER_MS = 24 * 60 * 60_000
/** A server stops writing so many milliseconds before the others may take over. */
const LEASE_MARGIN_MS = 1_000

/** A run that another server has taken over, or ended, while this one was asleep. */
export class RunTakenOverError extends Error {
  constructor() {
    super('Another server has taken over this run.')
  }
}

interface RunWatcher {
  /** The runs that this server reads, or waits for. */
  listRuns: () => readonly string[]
  /** A run belongs to another server by now, or has ended there. It may be another watcher's. */
  onTakenOver: (run_id: string) => void
}

/**
 * The right of this server to write its runs, renewed by each heartbeat. A server that wakes up after its lease has lapsed
 * (a paused process, a migrated machine) first finds out which runs others have taken over or ended, and writes nothing of them. The
 * embedded database has one server, whose lease never lapses.
 */
export class ServerLease {
  readonly #pool: Pool
  readonly #server_id: string
  readonly #isShared: boolean
  readonly #status: Pick<ServerStatus, 'describe'>
  readonly #takenOver = new Set<string>()
  #confirmedAt = performance.now()
  /** Milliseconds in which heartbeats, of any servers, have come one after the other. */
  #steadyMs = 0
  #renewing: Promise<void> | null = null
  readonly #watchers: RunWatcher[] = []

  constructor(deps: { pool: Pool; server_id: string; isShared: boolean; status: Pick<ServerStatus, 'describe'> }) {
    this.#pool = deps.pool
    this.#server_id = deps.server_id
    this.#isShared = deps.isShared
    this.#status = deps.status
  }

  /**
   * Milliseconds without a heartbeat after which another server is silent. While the database was away all were: a server
   * judges nobody before the others had the time to write theirs. That the database was there is known from the heartbeats
   * of all servers, since servers that are killed again and again may not live as long as a lease.
   */
  get silentAfterMs(): number {
    if (!this.#isShared) return 0
    const isSteady = this.#steadyMs >= SERVER_LEASE_MS && performance.now() - this.#confirmedAt <= MAX_HEARTBEAT_GAP_MS
    return isSteady ? SERVER_LEASE_MS : NEVER_MS
  }

  watchRuns(watcher: RunWatcher): void {
    this.#watchers.push(watcher)
  }

  /** This server has taken the run over, perhaps again. */
  setOwn(run_id: string): void {
    this.#takenOver.delete(run_id)
  }

  /** Null while the lease is valid, else a promise of its renewal. @throws (rejects) when the database does not answer. */
  whenValid(): Promise<void> | null {
    const isValid = performance.now() - this.#confirmedAt < SERVER_LEASE_MS - LEASE_MARGIN_MS
    return !this.#isShared || isValid ? null : this.renew()
  }

  /** Whether the run was taken over by another server. */
  isTakenOver(run_id: string): boolean {
    return this.#takenOver.has(run_id)
  }

  /** Writes the heartbeat. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => (this.#renewing = null))
    return this.#renewing
  }

  /** Writes a heartbeat that describes the server as it is now, not as it was when a pending one began. */
  async announce(): Promise<void> {
    await this.#renewing?.catch(() => undefined)
    await this.renew()
  }

  async #renew(): Promise<void> {
    const startedAt = performance.now()
    const described = Object.entries(this.#status.describe())
    const columns = described.map(([column]) => column)
    const { rows } = await this.#pool.query<{ steady_ms: number }>(
      `INSERT INTO servers(id, seen_at, steady_since, ${columns.join(', ')})
       VALUES ($1, now(), COALESCE((SELECT min(steady_since) FROM servers WHERE seen_at > now() - $2 * interval '1 millisecond'), now()),
         ${columns.map((_, index) => `$${index + 3}`).join(', ')})
       ON CONFLICT (id) DO UPDATE SET seen_at = now(),
         ${['steady_since', ...columns].map((column) => `${column} = excluded.${column}`).join(', ')}
       RETURNING (extract(epoch FROM now() - steady_since) * 1000)::float8 AS steady_ms`,
      [this.#server_id, MAX_HEARTBEAT_GAP_MS, ...described.map(([, value]) => value)],
    )
    // From here on nothing is taken over; what was taken over before is found now.
    if (this.#isShared && startedAt - this.#confirmedAt > SERVER_LEASE_MS - LEASE_MARGIN_MS) await this.#findTakenOver()
    this.#steadyMs = rows[0]?.steady_ms ?? 0
    this.#confirmedAt = startedAt
  }

  async #findTakenOver(): Promise<void> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `SELECT id FROM calls WHERE id = ANY($1) AND (server_id IS DISTINCT FROM $2 OR status <> ALL($3))`,
      [this.#watchers.flatMap(({ listRuns }) => listRuns()), this.#server_id, STATUSES_BEFORE_END.active_or_paused],
    )
    if (rows.length === 0) return
    for (const { id } of rows) this.#takenOver.add(id)
    for (const { onTakenOver } of this.#watchers) for (const { id } of rows) onTakenOver(id)
  }
}
