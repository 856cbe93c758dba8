import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Upstream } from '../relay/upstream.ts'
import type { Vault } from '../vault/vault.ts'
import { settleOrphans } from './settle.ts'

/** Milliseconds: how often a server says that it lives, and how long it may be silent before the others settle its runs. */
const HEARTBEAT = 5_000
const LEASE = 20_000

/**
 * Says that this server lives and settles the runs of servers that do not. The embedded database has one server at a
 * time (the folder's lock sees to it), so there all others are dead at start.
 */
export class Service {
  readonly #parts: ConstructorParameters<typeof Service>[0]
  #timer: NodeJS.Timeout | undefined
  #stopping = false

  constructor(parts: {
    server_id: string
    database: Database
    ledger: Ledger
    vault: Vault
    upstream: Upstream
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

  stop(): void {
    this.#stopping = true
    clearInterval(this.#timer)
  }

  /** False while stopping or when the database does not answer. */
  async ready(): Promise<boolean> {
    if (this.#stopping) return false
    return this.#parts.database.pool.query('SELECT 1').then(
      () => true,
      () => false,
    )
  }

  async #beat(): Promise<void> {
    await this.#parts.database.pool.query(
      'INSERT INTO servers(id, seen_at) VALUES ($1, now()) ON CONFLICT (id) DO UPDATE SET seen_at = now()',
      [this.#parts.server_id],
    )
  }

  async #settle(lease: number): Promise<void> {
    const settled = await settleOrphans({ ...this.#parts, lease })
    if (settled > 0) this.#parts.log.warn({ runs: settled }, 'settled runs of a server that has died')
  }
}
