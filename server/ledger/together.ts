import { DatabaseError, type Pool, type QueryResultRow } from 'pg'
import { isSilent } from '../database/away.ts'

interface Waiting<Row> {
  params: readonly unknown[]
  resolve: (row: Row | null) => void
  reject: (error: unknown) => void
}

/** Rows of one statement. */
const MOST = 100

/**
 * Statements of one kind, each for a row of its own: those that come while one is under way are sent as one, at a fraction
 * of the cost. A row is named by its first parameter. Where a statement fails for what is in it, its rows are sent one by
 * one, so that each comes to its own outcome.
 */
export class Together<Row extends QueryResultRow & { id: string }> {
  readonly #pool: Pool
  readonly #types: readonly string[]
  readonly #text: (rows: string) => string
  #waiting: Waiting<Row>[] = []
  #isSending = false

  /** `types` are those of the parameters; `text` makes the statement around the `VALUES` of its rows, and returns their `id`. */
  constructor(pool: Pool, types: readonly string[], text: (rows: string) => string) {
    this.#pool = pool
    this.#types = types
    this.#text = text
  }

  /** @returns what the statement returned for this row, null where it returned nothing. */
  send(params: readonly unknown[]): Promise<Row | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ params, resolve, reject })
      if (!this.#isSending) void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    this.#isSending = true
    while (this.#waiting.length > 0) {
      const group = this.#next()
      await this.#query(group).catch(async (error: unknown) => {
        const failed = isSilent(error) ? [...group, ...this.#waiting.splice(0)] : group
        if (group.length === 1 || !isOfContent(error)) return failed.forEach(({ reject }) => reject(error))
        for (const one of group) await this.#query([one]).catch(one.reject)
      })
    }
    this.#isSending = false
  }

  /** No row is twice in one statement. */
  #next(): Waiting<Row>[] {
    const ids = new Set<unknown>()
    let count = 0
    for (const { params } of this.#waiting) {
      if (count === MOST || ids.has(params[0])) break
      ids.add(params[0])
      count++
    }
    return this.#waiting.splice(0, count)
  }

  async #query(group: Waiting<Row>[]): Promise<void> {
    const width = this.#types.length
    const rows = group.map(
      (_, row) => `(${this.#types.map((type, at) => `$${row * width + at + 1}::${type}`).join(', ')})`,
    )
    const reply = await this.#pool.query<Row>(
      this.#text(rows.join(', ')),
      group.flatMap(({ params }) => params),
    )
    const found = new Map(reply.rows.map((row) => [row.id, row]))
    for (const { params, resolve } of group) resolve(found.get(String(params[0])) ?? null)
  }
}

/** A statement that was not taken, rather than a line or a server that is gone: then nobody knows what became of it. */
const isOfContent = (error: unknown): boolean =>
  error instanceof DatabaseError && !/^(?:08|53|57|58|XX)/.test(error.code ?? '08')
