import type { Logger } from 'pino'
import type { Database } from './database.ts'

/** Milliseconds between looks, and looks after which a table that is due is tended although it is not quiet. */
const CHECK_INTERVAL_MS = 60_000
const MAX_POSTPONEMENTS = 60
/** Rows that are gone, or new, before a table is due: so many, and this part of what it has. */
const MIN_CHANGED_ROWS = 1_000
const MIN_CHANGED_FRACTION = 0.1

/**
 * Does for the embedded database what autovacuum does on a server: gives the room of removed rows to new ones, marks what
 * an index alone may answer, and counts for the planner. It holds everybody up meanwhile, so it waits for a quiet moment.
 */
export class VacuumScheduler {
  readonly #database: Database
  readonly #log: Logger
  readonly #isQuiet: () => boolean
  #timer: NodeJS.Timeout | undefined
  #running: Promise<unknown> = Promise.resolve()
  #isStopped = false
  #postponements = 0

  constructor({ database, log, isQuiet }: { database: Database; log: Logger; isQuiet: () => boolean }) {
    this.#database = database
    this.#log = log
    this.#isQuiet = isQuiet
  }

  start(): void {
    if (this.#database.kind === 'pglite') this.#timer = setInterval(() => this.runSoon(), CHECK_INTERVAL_MS).unref()
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
  }

  /** Has the tables looked at after all that goes on. */
  runSoon(): void {
    this.#running = this.#running
      .then(() => this.#vacuumDueTables())
      .catch((err: unknown) => this.#log.error({ err }, 'vacuum failed'))
  }

  /** Resolves when no table is tended. */
  whenIdle = (): Promise<unknown> => this.#running

  async #vacuumDueTables(): Promise<void> {
    for (const table of await this.#findDueTables()) {
      if (this.#isStopped) return
      if (!this.#isQuiet() && this.#postponements++ < MAX_POSTPONEMENTS) return
      this.#postponements = 0
      const began = performance.now()
      await this.#database.pool.query(`VACUUM (ANALYZE) ${table}`)
      this.#log.info({ table, ms: Math.round(performance.now() - began) }, 'table vacuumed')
    }
  }

  async #findDueTables(): Promise<string[]> {
    const { rows } = await this.#database.pool.query<{ name: string }>(
      `SELECT relid::regclass::text AS name FROM pg_stat_user_tables
       WHERE greatest(n_dead_tup, n_ins_since_vacuum) > ${MIN_CHANGED_ROWS} + ${MIN_CHANGED_FRACTION} * n_live_tup ORDER BY n_dead_tup`,
    )
    return rows.map(({ name }) => name)
  }
}
