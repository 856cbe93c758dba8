import type { Pool } from 'pg'
import { MAX_HEARTBEAT_GAP_MS, SERVER_LEASE_MS } from '../../db/liveServers.ts'
import { STATUSES_BEFORE_END } from '../../ledger/ledger.ts'
import type { ServerStatus } from './serverStatus.ts'

/** Longer than any server is silent: no server is declared dead. */
const NEVER_MS = 24 * 60 * 60_000
/** A server stops writing this long (ms) before the others may take over. */
const LEASE_MARGIN_MS = 1_000

/** Another server has taken over or ended a run while this one was asleep. */
export class RunTakenOverError extends Error {
  constructor() {
    super('Another server has taken over this run.')
  }
}

interface RunWatcher {
  /** The runs that this server reads or waits for. */
  listRuns: () => readonly string[]
  /** Another server has the run, or has ended it. The id may belong to another watcher. */
  onTakenOver: (run_id: string) => void
}

/**
 * This server's right to write its runs, renewed by each heartbeat. A server that wakes up after its lease has
 * expired (a paused process, a migrated machine) first finds out which runs others have taken over or ended, and
 * writes nothing of them. The embedded database has one server, whose lease never expires.
 */
export class ServerLease {
  readonly #pool: Pool
  readonly #server_id: string
  readonly #isShared: boolean
  readonly #status: Pick<ServerStatus, 'describe'>
  readonly #takenOver = new Set<string>()
  #confirmedAt = performance.now()
  /** Milliseconds of uninterrupted heartbeats of any servers. */
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
   * Milliseconds without a heartbeat after which another server is silent. After a database outage every heartbeat is
   * old: wait one lease before declaring another server dead. The heartbeats of all servers show that the database
   * was available, since servers that are killed repeatedly may not live as long as a lease.
   */
  get silentAfterMs(): number {
    if (!this.#isShared) return 0
    const isSteady = this.#steadyMs >= SERVER_LEASE_MS && performance.now() - this.#confirmedAt <= MAX_HEARTBEAT_GAP_MS
    return isSteady ? SERVER_LEASE_MS : NEVER_MS
  }

  watchRuns(watcher: RunWatcher): void {
    this.#watchers.push(watcher)
  }

  /** This server has taken over the run, perhaps again. */
  setOwn(run_id: string): void {
    this.#takenOver.delete(run_id)
  }

  /** Null while the lease is valid, else a promise of its renewal, which rejects when the database does not respond. */
  whenValid(): Promise<void> | null {
    const isValid = performance.now() - this.#confirmedAt < SERVER_LEASE_MS - LEASE_MARGIN_MS
    return !this.#isShared || isValid ? null : this.renew()
  }

  isTakenOver(run_id: string): boolean {
    return this.#takenOver.has(run_id)
  }

  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => (this.#renewing = null))
    return this.#renewing
  }

  /** Writes a heartbeat that describes the current state of the server, not that at the start of a pending one. */
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
    // From here on nothing is taken over; earlier takeovers are found now.
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
