import { DatabaseError, type Pool, type QueryResultRow } from 'pg'
import { Batcher } from '../jobs/batcher.ts'
import { isTimeout } from './connectionErrors.ts'

interface PendingStatement<Row> {
  params: readonly unknown[]
  resolve: (row: Row | null) => void
  reject: (error: unknown) => void
}

/** Maximum rows of one statement. */
const MAX_ROWS_PER_STATEMENT = 100
/** Batches of up to 8 rows use a prepared statement. Larger ones are rare. */
const MAX_PREPARED_ROWS = 8

export interface BatchedStatement {
  name: string
  types: readonly string[]
  /** The statement around the `VALUES` of its rows; it returns their `id`. */
  toSql: (rows: string) => string
}

/**
 * Batches statements of the same kind, each for one row: those that arrive while one is in flight are sent as one, at
 * a fraction of the cost. The first parameter identifies the row. If a statement fails because of its data, its rows
 * are sent one by one, so that each has its own outcome.
 */
export class StatementBatcher<Row extends QueryResultRow & { id: string }> {
  readonly #pool: Pool
  readonly #statement: BatchedStatement
  readonly #prepared = new Map<number, { name: string; text: string }>()
  #pending: PendingStatement<Row>[] = []
  readonly #batcher = new Batcher(
    () => this.#pending.length > 0,
    () => this.#executeNext(),
  )

  constructor(pool: Pool, statement: BatchedStatement) {
    this.#pool = pool
    this.#statement = statement
  }

  /** @returns the row that the statement returned for these parameters; null without one */
  execute(params: readonly unknown[]): Promise<Row | null> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ params, resolve, reject })
      this.#batcher.runSoon()
    })
  }

  async #executeNext(): Promise<void> {
    const batch = this.#takeBatch()
    await this.#executeBatch(batch).catch(async (error: unknown) => {
      const failed = isTimeout(error) ? [...batch, ...this.#pending.splice(0)] : batch
      if (batch.length === 1 || !isDataError(error)) return failed.forEach(({ reject }) => reject(error))
      for (const one of batch) await this.#executeBatch([one]).catch(one.reject)
    })
  }

  /** A statement never contains the same row twice. */
  #takeBatch(): PendingStatement<Row>[] {
    const ids = new Set<unknown>()
    let count = 0
    for (const { params } of this.#pending) {
      if (count === MAX_ROWS_PER_STATEMENT || ids.has(params[0])) break
      ids.add(params[0])
      count++
    }
    return this.#pending.splice(0, count)
  }

  async #executeBatch(batch: PendingStatement<Row>[]): Promise<void> {
    const reply = await this.#pool.query<Row>({
      ...this.#toStatement(batch.length),
      values: batch.flatMap(({ params }) => params),
    })
    const rowsById = new Map(reply.rows.map((row) => [row.id, row]))
    for (const { params, resolve } of batch) resolve(rowsById.get(String(params[0])) ?? null)
  }

  #toStatement(count: number): { name?: string; text: string } {
    const known = this.#prepared.get(count)
    if (known) return known
    const { name, types, toSql } = this.#statement
    const rows = Array.from(
      { length: count },
      (_, row) => `(${types.map((type, at) => `$${row * types.length + at + 1}::${type}`).join(', ')})`,
    )
    const text = toSql(rows.join(', '))
    if (count > MAX_PREPARED_ROWS) return { text }
    const statement = { name: `${name}, ${count}`, text }
    this.#prepared.set(count, statement)
    return statement
  }
}

/** True if the database rejected the statement. After a lost connection or a crashed server the outcome is unknown. */
const isDataError = (error: unknown): boolean =>
  error instanceof DatabaseError && !/^(?:08|53|57|58|XX)/.test(error.code ?? '08')
