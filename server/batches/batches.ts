import { randomUUID } from 'node:crypto'
import type { Batch, Bounds, RowInput, RowState } from '#contract/batches.ts'
import { ProblemError } from '#contract/problem.ts'
import type { Database } from '../database/database.ts'
import { keepable } from '../ledger/keepable.ts'
import { type Reach, SEEN, seenBy } from '../access/reach.ts'
import { where } from '../ledger/where.ts'
import { titleOf } from '../runs/title.ts'
import { mayStartBatch } from './batch-access.ts'
import { type BatchRecord, batchOf, type RowRecord, rowOf } from './record.ts'
import { Sums } from './sums.ts'

const SELECT = 'SELECT batches.*, people.name AS person FROM batches LEFT JOIN people ON people.id = batches.person_id'
const ROW =
  'number, state, title, run_id, attempts, problem, result, began_at, duration_ms, tokens, price, currency FROM batch_rows'
export type NewBatch = Pick<Batch, 'id' | 'kind' | 'entry' | 'name' | 'settings' | 'total'> &
  Bounds & { key_id: string; workspace_id: string; person_id: string | null }

/** The batches as people see and move them. */
export class Batches {
  readonly #database: Database
  readonly sums: Sums

  constructor(database: Database) {
    this.#database = database
    this.sums = new Sums(database.pool)
  }

  async list(
    filter: {
      workspace?: string | undefined
      key?: string | undefined
      kind?: string | undefined
      state?: string | undefined
      reach: Reach
    },
    page: number,
    limit: number,
  ): Promise<{ data: Batch[]; total: number }> {
    const { pool } = this.#database
    const { clause, values } = where([
      ['batches.workspace_id = ?', filter.workspace],
      ['batches.key_id = ?', filter.key],
      ['batches.kind = ?', filter.kind],
      ['batches.state = ?', filter.state],
      [SEEN.batches, filter.reach ?? undefined],
    ])
    const { rows: counted } = await pool.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM batches ${clause}`,
      values,
    )
    const { rows } = await pool.query<BatchRecord>(
      `${SELECT} ${clause} ORDER BY batches.created_at DESC, batches.id LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
      values,
    )
    return { data: await this.#withSums(rows), total: counted[0]?.total ?? 0 }
  }

  async record(id: string, reach: Reach): Promise<BatchRecord | null> {
    const { rows } = await this.#database.pool.query<BatchRecord>(
      `${SELECT} WHERE batches.id = $1 AND ${seenBy('batches', 2)}`,
      [id, reach],
    )
    return rows[0] ?? null
  }

  /** @throws ProblemError 404. */
  async read(id: string, reach: Reach): Promise<Batch> {
    const [batch] = await this.#withSums([(await this.record(id, reach)) ?? missing()])
    return batch ?? missing()
  }

  async #withSums(records: BatchRecord[]): Promise<Batch[]> {
    const sums = await this.sums.of(records)
    return records.map((record) =>
      batchOf(
        record,
        sums.filter(({ batch_id }) => batch_id === record.id),
      ),
    )
  }

  /**
   * The same id again gives what is there, so that a request that was sent twice makes one batch.
   * @throws ProblemError 404 where that batch is out of reach
   */
  async create(given: NewBatch, reach: Reach): Promise<Batch> {
    await this.#database.pool.query(
      `INSERT INTO batches(id, kind, state, workspace_id, key_id, entry, name, settings, at_once, per_minute, max_rows,
         max_tokens, total, person_id, created_at)
       VALUES ($1, $2, 'filling', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT (id) DO NOTHING`,
      [
        given.id || randomUUID(),
        given.kind,
        given.workspace_id,
        given.key_id,
        given.entry,
        given.name,
        JSON.stringify(given.settings),
        given.at_once,
        given.per_minute,
        given.max_rows,
        given.max_tokens,
        given.total,
        given.person_id,
        new Date(),
      ],
    )
    return this.read(given.id, reach)
  }

  /** With the last of its rows the batch can begin. @returns how many rows are still to come. */
  async addRows(id: string, first: number, rows: readonly RowInput[]): Promise<number> {
    return this.#database.transaction(async (client) => {
      const { rows: found } = await client.query<BatchRecord>('SELECT * FROM batches WHERE id = $1 FOR UPDATE', [id])
      const batch = found[0] ?? missing()
      const last = first + rows.length - 1
      if (last > batch.total) throw refused(`The batch was made for ${batch.total} rows; this would be row ${last}.`)
      if (batch.state === 'filling')
        await client.query(
          `INSERT INTO batch_rows(batch_id, number, state, input, title)
           SELECT $1, number, 'waiting', input, title
           FROM unnest($2::int[], $3::json[], $4::text[]) AS new(number, input, title)
           ON CONFLICT (batch_id, number) DO NOTHING`,
          [
            id,
            rows.map((_, index) => first + index),
            rows.map((row) => JSON.stringify(row)),
            rows.map((row) => keepable(titleOf({ inputs: row.inputs }), 200)),
          ],
        )
      const { rows: counted } = await client.query<{ rows: number }>(
        'SELECT count(*)::int AS rows FROM batch_rows WHERE batch_id = $1',
        [id],
      )
      this.sums.forget(id)
      const left = batch.total - (counted[0]?.rows ?? 0)
      if (left === 0)
        await client.query(
          `UPDATE batches SET state = 'paused', pause = 'not_started' WHERE id = $1 AND state = 'filling'`,
          [id],
        )
      return left
    })
  }

  async update(id: string, given: Partial<Bounds> & { name?: string | undefined }): Promise<void> {
    const columns = Object.entries(given).filter(([, value]) => value !== undefined)
    if (columns.length === 0) return
    // The names are those of the contract's schema, which lets no other through.
    const set = columns.map(([name], index) => `${name} = $${index + 2}`).join(', ')
    await this.#database.pool.query(`UPDATE batches SET ${set} WHERE id = $1`, [
      id,
      ...columns.map(([, value]) => value),
    ])
  }

  /**
   * From now on the batch runs for as long as this person may run it.
   * @throws ProblemError 409 with what keeps it from going on, 403 where the person may no longer start it.
   */
  async start(id: string, person_id: string, only?: number): Promise<void> {
    const isStarted = await this.#database.transaction(async (client) => {
      if (!(await mayStartBatch(client, id, person_id))) throw denied('You may no longer run this batch.')
      const { rowCount } = await client.query(
        `UPDATE batches SET state = 'running', pause = NULL, problem = NULL, waits_until = NULL, ended_at = NULL,
           began_at = COALESCE(began_at, $2), started_by = $4,
           stop_at = $3::int + (SELECT count(*) FROM batch_rows WHERE batch_id = $1 AND state <> 'waiting')
         WHERE id = $1 AND state = 'paused'`,
        [id, new Date(), only ?? null, person_id],
      )
      return rowCount === 1
    })
    if (isStarted) return
    const { state, total, counts } = await this.read(id, null)
    const there = Object.values(counts).reduce((all, rows) => all + rows, 0)
    if (state === 'filling') throw refused(`Of ${total} rows ${total - there} have not come yet.`)
    if (state === 'ended') throw refused('Every row of this batch has been sent.')
  }

  async pause(id: string): Promise<void> {
    await this.#database.pool.query(
      `UPDATE batches SET state = 'paused', pause = 'person', problem = NULL, waits_until = NULL
       WHERE id = $1 AND state = 'running'`,
      [id],
    )
  }

  /** What was sent before stays in the ledger as the parent of what is sent now. @throws ProblemError 409 where there is none. */
  async retry(id: string, states: readonly RowState[], number: number | undefined): Promise<void> {
    await this.#database.transaction(async (client) => {
      const { rowCount } = await client.query(
        `UPDATE batch_rows SET state = 'waiting', parent_id = run_id, run_id = NULL, problem = NULL, result = NULL,
           duration_ms = NULL, tokens = NULL, price = NULL, currency = NULL
         WHERE batch_id = $1 AND state = ANY($2) AND ($3::int IS NULL OR number = $3)`,
        [id, states, number ?? null],
      )
      if (!rowCount) throw refused('There is no such row to be sent again.')
      await client.query(
        `UPDATE batches SET state = 'paused', pause = 'person', ended_at = NULL WHERE id = $1 AND state = 'ended'`,
        [id],
      )
    })
  }

  async remove(id: string): Promise<void> {
    const { rowCount } = await this.#database.pool.query(
      `DELETE FROM batches WHERE id = $1 AND state <> 'running'
       AND NOT EXISTS (SELECT 1 FROM batch_rows WHERE batch_id = $1 AND state = 'running')`,
      [id],
    )
    if (rowCount === 1) return
    await this.read(id, null)
    throw refused('Rows of this batch are under way. Pause it, and wait for them.')
  }

  /** All of a batch stand under numbers from 1 on, so that a page of them is found without counting. */
  async rows(batch: BatchRecord, state: RowState | undefined, offset: number, limit: number) {
    const { pool } = this.#database
    if (state === undefined) {
      const { rows } = await pool.query<RowRecord>(
        `SELECT ${ROW} WHERE batch_id = $1 AND number > $2 ORDER BY number LIMIT ${limit}`,
        [batch.id, offset],
      )
      return { data: rows.map(rowOf), total: batch.total }
    }
    const { rows: counted } = await pool.query<{ total: number }>(
      'SELECT count(*)::int AS total FROM batch_rows WHERE batch_id = $1 AND state = $2',
      [batch.id, state],
    )
    const { rows } = await pool.query<RowRecord>(
      `SELECT ${ROW} WHERE batch_id = $1 AND state = $2 ORDER BY number LIMIT ${limit} OFFSET ${offset}`,
      [batch.id, state],
    )
    return { data: rows.map(rowOf), total: counted[0]?.total ?? 0 }
  }
}

const denied = (message: string) => new ProblemError({ kind: 'denied', status: 403, message })

const refused = (message: string) => new ProblemError({ kind: 'invalid', status: 409, message })

export function missing(): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message: 'There is no such batch.' })
}
