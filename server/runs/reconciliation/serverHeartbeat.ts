import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../db/database.ts'
import { SERVER_HEARTBEAT_MS } from '../../db/liveServers.ts'
import type { DriftRecorder } from '../../relay/driftRecorder.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { UpstreamClient } from '../../relay/upstream/upstream.ts'
import type { ServerState } from '../../serverState.ts'
import type { Vault } from '../../vault/vault.ts'
import type { RunResumption } from '../resumption/runResumption.ts'
import { reconcileOrphans } from './reconcileOrphans.ts'
import type { ServerLease } from './serverLease.ts'
import type { ServerStatus } from './serverStatus.ts'

/** Time limit in ms for the database's response, beyond which the server is not ready. */
const READY_TIMEOUT_MS = 3_000

/**
 * Writes this server's heartbeat and reconciles the runs of crashed servers. The embedded database has one server at
 * a time (guaranteed by the folder lock), so all others are dead at start.
 */
export class ServerHeartbeat {
  readonly #deps: ConstructorParameters<typeof ServerHeartbeat>[0]
  #timer: NodeJS.Timeout | undefined
  #isReconciling = false
  readonly #pendingRuns = new Set<string>()
  readonly #stopController = new AbortController()

  constructor(deps: {
    server_id: string
    serverState: ServerState
    lease: ServerLease
    status: ServerStatus
    resumption: RunResumption
    database: Database
    ledger: Ledger
    vault: Vault
    upstream: UpstreamClient
    driftRecorder: DriftRecorder
    log: Logger
  }) {
    this.#deps = deps
    // Other servers and the page Servers see the change at once.
    deps.serverState.onChange(() => {
      deps.lease.announce().catch((err: unknown) => deps.log.warn({ err }, 'announce server state failed'))
    })
  }

  async start(): Promise<void> {
    await this.#writeHeartbeat()
    const isShared = this.#deps.database.kind === 'postgresql'
    await this.#reconcileOrphans()
    if (!isShared) return
    this.#timer = setInterval(() => {
      void this.#writeHeartbeat()
        .then(() => this.#reconcileOrphans())
        .catch((err: unknown) => this.#deps.log.error({ err }, 'heartbeat failed'))
    }, SERVER_HEARTBEAT_MS)
  }

  /** Pending requests to platforms are aborted; the next start repeats them. */
  stop(): void {
    this.#stopController.abort()
    clearInterval(this.#timer)
    this.#deps.status.stop()
  }

  /** Deregisters this server: the others take over its work immediately. */
  async deregister(): Promise<void> {
    await this.#deps.database.pool.query('DELETE FROM servers WHERE id = $1', [this.#deps.server_id])
  }

  async isReady(): Promise<boolean> {
    if (this.#stopController.signal.aborted) return false
    const { pool } = this.#deps.database
    const answered = pool.query('SELECT 1').then(
      () => true,
      () => false,
    )
    return Promise.race([answered, wait(READY_TIMEOUT_MS, false, { ref: false })])
  }

  async #writeHeartbeat(): Promise<void> {
    await this.#deps.database.pool.query(`DELETE FROM servers WHERE seen_at < now() - interval '1 day'`)
    await this.#deps.lease.renew()
  }

  /** Does not wait for platforms: an unresponsive one must not block a start or the runs of another server. */
  async #reconcileOrphans(): Promise<void> {
    // A stopping server leaves the runs of others to the remaining servers.
    if (this.#isReconciling || this.#deps.serverState.current !== 'ready') return
    this.#isReconciling = true
    try {
      const reconciledCount = await reconcileOrphans({
        ...this.#deps,
        pool: this.#deps.database.pool,
        silentAfterMs: this.#deps.lease.silentAfterMs,
        stopped: this.#stopController.signal,
        pendingRuns: this.#pendingRuns,
      })
      if (reconciledCount > 0) this.#deps.log.warn({ runs: reconciledCount }, 'reconciled runs of a stopped server')
    } finally {
      this.#isReconciling = false
    }
  }
}
