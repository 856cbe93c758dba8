import type { Logger } from 'pino'
import { BackgroundJob } from '../jobs/backgroundJob.ts'
import type { Database } from './database.ts'

/**
 * Milliseconds between checks, and the number of checks after which a due table is vacuumed although the database is busy.
 */
const CHECK_INTERVAL_MS = 60_000
const MAX_POSTPONEMENTS = 60
/** Dead or new rows before a table is due: an absolute number, and a fraction of the table. */
const MIN_CHANGED_ROWS = 1_000
const MIN_CHANGED_FRACTION = 0.1

/**
 * Replaces autovacuum for the embedded database: it frees the space of deleted rows, updates the visibility map for
 * index-only scans, and analyzes for the planner. It blocks all queries meanwhile, so it waits for an idle moment.
 */
export class VacuumScheduler extends BackgroundJob {
  readonly #database: Database
  readonly #log: Logger
  readonly #isQuiet: () => boolean
  #postponements = 0

  constructor({ database, log, isQuiet }: { database: Database; log: Logger; isQuiet: () => boolean }) {
    super({
      run: () => this.#vacuumDueTables(),
      onError: (err) => log.error({ err }, 'vacuum failed'),
      intervalMs: CHECK_INTERVAL_MS,
    })
    this.#database = database
    this.#log = log
    this.#isQuiet = isQuiet
  }

  async #vacuumDueTables(): Promise<void> {
    for (const table of await this.#findDueTables()) {
      if (this.isStopped) return
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
