import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import type { Drifts } from '../drift/drifts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Upstream } from '../relay/upstream.ts'
import type { Vault } from '../vault/vault.ts'
import { settleOrphans } from './settle.ts'

/**
 * Milliseconds: how often a server says that it lives, and how long it may be silent before the others settle its runs and
 * take its batches. A run of a dead server has ended ten seconds after its death.
 */
export const HEARTBEAT = 2_000
export const LEASE = 8_000
/** Milliseconds in which the database answers a server that is ready. */
const READY = 3_000

/**
 * Says that this server lives and settles the runs of servers that do not. The embedded database has one server at a
 * time (the folder's lock sees to it), so there all others are dead at start.
 */
export class Service {
  readonly #parts: ConstructorParameters<typeof Service>[0]
  #timer: NodeJS.Timeout | undefined
  #isSettling = false
  readonly #stop = new AbortController()

  constructor(parts: {
    server_id: string
    database: Database
    ledger: Ledger
    vault: Vault
    upstream: Upstream
    drifts: Drifts
    log: Logger
  }) {
    this.#parts = parts
  }

  async start(): Promise<void> {
    await this.#beat()
    const shared = this.#parts.database.kind === 'postgresql'
    await this.#settle(shared ? LEASE : 0)
    if (!shared) return
    this.#timer = setInterval(() => {
      void this.#beat()
        .then(() => this.#settle(LEASE))
        .catch((err: unknown) => this.#parts.log.error({ err }, 'heartbeat failed'))
    }, HEARTBEAT)
  }

  /** Questions that are open are dropped; the next start asks again. */
  stop(): void {
    this.#stop.abort()
    clearInterval(this.#timer)
  }

  /** The last word: the others take over at once what this server has left. */
  async leave(): Promise<void> {
    await this.#parts.database.pool.query('DELETE FROM servers WHERE id = $1', [this.#parts.server_id])
  }

  /** False while stopping or when the database does not answer. */
  async ready(): Promise<boolean> {
    if (this.#stop.signal.aborted) return false
    const { pool } = this.#parts.database
    const answered = pool.query('SELECT 1').then(
      () => true,
      () => false,
    )
    return Promise.race([answered, wait(READY, false, { ref: false })])
  }

  async #beat(): Promise<void> {
    const { pool } = this.#parts.database
    await pool.query(`DELETE FROM servers WHERE seen_at < now() - interval '1 day'`)
    await pool.query(
      'INSERT INTO servers(id, seen_at) VALUES ($1, now()) ON CONFLICT (id) DO UPDATE SET seen_at = now()',
      [this.#parts.server_id],
    )
  }

  /** No platform is waited for: a start must not hang on one that is silent. */
  async #settle(lease: number): Promise<void> {
    if (this.#isSettling) return
    this.#isSettling = true
    let asking: Promise<unknown> = Promise.resolve()
    try {
      const { settled, ...open } = await settleOrphans({ ...this.#parts, lease, stopped: this.#stop.signal })
      if (settled > 0) this.#parts.log.warn({ runs: settled }, 'settled runs of a server that has died')
      asking = open.asking
    } finally {
      void asking.then(() => (this.#isSettling = false))
    }
  }
}
