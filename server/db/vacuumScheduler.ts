import type { Logger } from 'pino'
import { BackgroundJob } from '../jobs/backgroundJob.ts'
import type { Database } from './database.ts'

/**
 * Milliseconds between checks, and the number of checks after which due tables are vacuumed although the database is
 * busy. Waiting longer would not help: the time of VACUUM grows with what has changed since the last one.
 */
const CHECK_INTERVAL_MS = 60_000
const MAX_POSTPONEMENTS = 2
/** Dead or new rows before a table is due: an absolute number, and a fraction of the table. */
const MIN_CHANGED_ROWS = 1_000
const MIN_CHANGED_FRACTION = 0.1
/**
 * Maximum size of the indexes that are cleaned while the server is in use: cleaning reads all of them, however little
 * was deleted.
 */
const MAX_CLEANED_INDEX_BYTES = 8 * 1024 * 1024
/** A tenth of PostgreSQL's own: ANALYZE samples 3,000 rows instead of 30,000. */
const STATISTICS_TARGET = 10
/** After this time (ms) larger indexes are cleaned at the next quiet moment. */
const MAX_CLEANING_DELAY_MS = 24 * 3_600_000

interface ChangedTable {
  name: string
  dead_rows: number
  live_rows: number
  new_rows: number
  index_bytes: number
}

interface UncleanedTable {
  since: number
  /** Dead rows that only the indexes still contain. */
  dead_rows: number
}

/**
 * Replaces autovacuum for the embedded database: it frees the space of deleted rows, updates the visibility map for
 * index-only scans, and analyzes for the planner. Each statement blocks all queries, so it waits for a quiet moment,
 * and cleans large indexes only when the server has been idle for a while: they keep the entries of deleted rows,
 * which searches skip.
 */
export class VacuumScheduler extends BackgroundJob {
  readonly #database: Database
  readonly #log: Logger
  readonly #isQuiet: () => boolean
  readonly #isIdle: () => boolean
  readonly #maxCleanedIndexBytes: number
  #postponements = 0
  readonly #uncleaned = new Map<string, UncleanedTable>()

  /** @param options `isQuiet`: nothing is running now; `isIdle`: nobody has used the server for minutes */
  constructor({
    database,
    log,
    isQuiet,
    isIdle,
    maxCleanedIndexBytes = MAX_CLEANED_INDEX_BYTES,
  }: {
    database: Database
    log: Logger
    isQuiet: () => boolean
    isIdle: () => boolean
    maxCleanedIndexBytes?: number
  }) {
    super({
      run: () => this.#vacuumDueTables(),
      onError: (err) => log.error({ err }, 'vacuum failed'),
      intervalMs: CHECK_INTERVAL_MS,
    })
    this.#database = database
    this.#log = log
    this.#isQuiet = isQuiet
    this.#isIdle = isIdle
    this.#maxCleanedIndexBytes = maxCleanedIndexBytes
  }

  async #vacuumDueTables(): Promise<void> {
    const tables = (await this.#listChangedTables())
      .map((table) => ({ table, isCleaning: this.#mayCleanIndexes(table) }))
      .filter(({ table, isCleaning }) => isCleaning || this.#isDue(table))
    if (tables.length === 0 || (!this.#isQuiet() && this.#postponements++ < MAX_POSTPONEMENTS)) return
    this.#postponements = 0
    for (const { table, isCleaning } of tables) if (!this.isStopped) await this.#vacuum(table, isCleaning)
  }

  #mayCleanIndexes({ name, index_bytes }: ChangedTable): boolean {
    const since = this.#uncleaned.get(name)?.since ?? Infinity
    return (
      index_bytes <= this.#maxCleanedIndexBytes || this.#isIdle() || performance.now() - since > MAX_CLEANING_DELAY_MS
    )
  }

  /** The statistics count rows as dead that only the indexes still contain. */
  #isDue({ name, dead_rows, new_rows, live_rows }: ChangedTable): boolean {
    const changedRows = Math.max(dead_rows - (this.#uncleaned.get(name)?.dead_rows ?? 0), new_rows)
    return changedRows > MIN_CHANGED_ROWS + MIN_CHANGED_FRACTION * live_rows
  }

  async #vacuum({ name }: ChangedTable, isCleaning: boolean): Promise<void> {
    const began = performance.now()
    // Deletions of the last second would be counted after VACUUM has removed them.
    await this.#database.pool.query('SELECT pg_stat_force_next_flush()')
    await this.#database.pool.query(`VACUUM (TRUNCATE OFF, INDEX_CLEANUP ${isCleaning ? 'ON' : 'OFF'}) ${name}`)
    const vacuumedAt = performance.now()
    await this.#database.transaction(async (client) => {
      await client.query(`SET LOCAL default_statistics_target = ${STATISTICS_TARGET}`)
      await client.query(`ANALYZE ${name}`)
    })
    if (isCleaning) this.#uncleaned.delete(name)
    else {
      const since = this.#uncleaned.get(name)?.since ?? began
      this.#uncleaned.set(name, { since, dead_rows: await this.#countDeadRows(name) })
    }
    const [vacuumMs, analyzeMs] = [vacuumedAt - began, performance.now() - vacuumedAt].map(Math.round)
    this.#log.info({ table: name, vacuumMs, analyzeMs, isCleaning }, 'table vacuumed')
  }

  async #countDeadRows(name: string): Promise<number> {
    const { rows } = await this.#database.pool.query<{ dead_rows: number }>(
      'SELECT n_dead_tup::float8 AS dead_rows FROM pg_stat_user_tables WHERE relid = $1::regclass',
      [name],
    )
    return rows[0]?.dead_rows ?? 0
  }

  async #listChangedTables(): Promise<ChangedTable[]> {
    const { rows } = await this.#database.pool.query<ChangedTable>(
      `SELECT relid::regclass::text AS name, n_dead_tup::float8 AS dead_rows, n_live_tup::float8 AS live_rows,
         n_ins_since_vacuum::float8 AS new_rows, pg_indexes_size(relid)::float8 AS index_bytes FROM pg_stat_user_tables
       WHERE greatest(n_dead_tup, n_ins_since_vacuum) > ${MIN_CHANGED_ROWS} + ${MIN_CHANGED_FRACTION} * n_live_tup ORDER BY n_dead_tup`,
    )
    return rows
  }
}
