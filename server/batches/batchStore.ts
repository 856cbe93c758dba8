import type { Pool, PoolClient } from 'pg'
import {
  type Batch,
  type BatchLimits,
  type BatchRow,
  type BatchRowInput,
  type BatchRowState,
  type BatchState,
  LISTED_BATCH_KINDS,
} from '#contract/console/batches.ts'
import { ProblemError } from '#contract/problem.ts'
import type { Database } from '../db/database.ts'
import { toStorableText } from '../db/storableText.ts'
import { type AccessScope, SCOPE_CONDITIONS, scopeFilter } from '../auth/accessScope.ts'
import { toWhereClause } from '../db/sqlConditions.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { findRunStops } from '../runs/runStops.ts'
import { getRunTitle } from '../runs/runTitle.ts'
import { canStartBatch } from './batchAccess.ts'
import type { StoredRowInput } from './batchKind.ts'
import { type BatchRecord, toBatch, type BatchRowRecord, toBatchRow } from './batchRecord.ts'
import { BatchTotals, countRows } from './batchTotals.ts'

const SELECT_BATCH =
  'SELECT batches.*, people.name AS person FROM batches LEFT JOIN people ON people.id = batches.person_id'
const SELECT_ROW = `number, state, title, file_row, run_id, turn_run_ids, coalesce(json_array_length(input -> 'turns'), 1) AS turns,
  attempts, problem, result, began_at, duration_ms, tokens, price, currency,
  (SELECT earlier_status FROM calls WHERE calls.id = run_id) AS earlier_status FROM batch_rows`
/** A statement that changes more rows would block the embedded database for too long. */
const CHANGED_ROWS_PER_PAGE = 2_000

export interface NewBatch
  extends
    BatchLimits,
    Pick<
      BatchRecord,
      'id' | 'kind' | 'entry' | 'name' | 'settings' | 'total' | 'key_id' | 'workspace_id' | 'person_id'
    > {
  /** Without it the batch was not made from a file. */
  source?: Batch['source']
}

export interface NewRow {
  input: StoredRowInput
  title: string
  /** The key of this row alone. */
  key_id?: string
  /** The group of the row. */
  cell?: string
}

export class BatchStore {
  readonly #database: Database
  readonly #ledger: Pick<Ledger, 'listSummaries'>
  readonly totals: BatchTotals

  constructor(database: Database, ledger: Pick<Ledger, 'listSummaries'>) {
    this.#database = database
    this.#ledger = ledger
    this.totals = new BatchTotals(database.pool)
  }

  async list(
    filter: {
      workspace?: string | undefined
      key?: string | undefined
      kind?: string | undefined
      state?: string | undefined
      reach: AccessScope
    },
    page: number,
    limit: number,
  ): Promise<{ data: Batch[]; total: number }> {
    const { pool } = this.#database
    const { clause, values } = toWhereClause([
      ['batches.workspace_id = ?', filter.workspace],
      ['batches.key_id = ?', filter.key],
      ['batches.kind = ANY(?)', filter.kind ? [filter.kind] : LISTED_BATCH_KINDS],
      ['batches.state = ?', filter.state],
      [SCOPE_CONDITIONS.batches, filter.reach ?? undefined],
    ])
    const { rows: counted } = await pool.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM batches ${clause}`,
      values,
    )
    const { rows } = await pool.query<BatchRecord>(
      `${SELECT_BATCH} ${clause} ORDER BY batches.created_at DESC, batches.id LIMIT ${limit} OFFSET ${(page - 1) * limit}`,
      values,
    )
    return { data: await this.withTotals(rows), total: counted[0]?.total ?? 0 }
  }

  async findRecord(id: string, accessScope: AccessScope): Promise<BatchRecord | null> {
    const { rows } = await this.#database.pool.query<BatchRecord>(
      `${SELECT_BATCH} WHERE batches.id = $1 AND ${scopeFilter('batches', 2)}`,
      [id, accessScope],
    )
    return rows[0] ?? null
  }

  /** @throws ProblemError 404. */
  async get(id: string, reach: AccessScope): Promise<Batch> {
    const [batch] = await this.withTotals([await this.getRecord(id, reach)])
    return batch ?? throwBatchNotFound()
  }

  /** @throws ProblemError 404, also for the rounds of a board: who sees one of them may not see the others. */
  async getRecord(id: string, accessScope: AccessScope): Promise<BatchRecord> {
    const record = await this.findRecord(id, accessScope)
    return record && record.kind !== 'board' ? record : throwBatchNotFound()
  }

  async withTotals(records: BatchRecord[]): Promise<Batch[]> {
    const totals = await this.totals.get(records)
    return records.map((record) =>
      toBatch(
        record,
        totals.filter(({ batch_id }) => batch_id === record.id),
      ),
    )
  }

  /**
   * Idempotent: the same id returns the existing batch, so that a repeated request creates only one.
   * @throws ProblemError 404 where that batch is out of scope
   */
  async create(input: NewBatch, reach: AccessScope): Promise<Batch> {
    await insertBatch(this.#database.pool, input, 'filling')
    return this.get(input.id, reach)
  }

  /** The batch can start after its last row arrived. @returns the number of missing rows. */
  async addRows(id: string, first: number, rows: readonly BatchRowInput[]): Promise<number> {
    return this.#database.transaction(async (client) => {
      const { rows: foundRows } = await client.query<BatchRecord>('SELECT * FROM batches WHERE id = $1 FOR UPDATE', [
        id,
      ])
      const batch = foundRows[0] ?? throwBatchNotFound()
      const last = first + rows.length - 1
      if (last > batch.total)
        throw toConflictError(`The batch was created for ${batch.total} rows; this would be row ${last}.`)
      if (batch.state === 'filling')
        await insertRows(
          client,
          id,
          first,
          rows.map((input) => ({ input, title: getRunTitle({ inputs: input.inputs, query: input.turns?.[0] }) })),
        )
      const { rows: counted } = await client.query<{ rows: number }>(
        'SELECT count(*)::int AS rows FROM batch_rows WHERE batch_id = $1',
        [id],
      )
      this.totals.invalidate(id)
      const remaining = batch.total - (counted[0]?.rows ?? 0)
      if (remaining === 0)
        await client.query(
          `UPDATE batches SET state = 'paused', pause = 'not_started' WHERE id = $1 AND state = 'filling'`,
          [id],
        )
      return remaining
    })
  }

  async update(id: string, changes: Partial<BatchLimits> & { name?: string | undefined }): Promise<void> {
    const columns = Object.entries(changes).filter(([, value]) => value !== undefined)
    if (columns.length === 0) return
    // Safe to interpolate: the contract's schema restricts the names.
    const set = columns.map(([name], index) => `${name} = $${index + 2}`).join(', ')
    await this.#database.pool.query(`UPDATE batches SET ${set} WHERE id = $1`, [
      id,
      ...columns.map(([, value]) => value),
    ])
  }

  /**
   * From now on the batch runs with this person's permissions.
   * @throws ProblemError 409 with the reason why it cannot be resumed, 403 where the person may no longer start it.
   */
  async start(id: string, person_id: string, maxRows?: number): Promise<void> {
    const isStarted = await this.#database.transaction(async (client) => {
      await requireStart(client, id, person_id)
      const { rowCount } = await client.query(
        `UPDATE batches SET state = 'running', pause = NULL, problem = NULL, waits_until = NULL, ended_at = NULL,
           began_at = COALESCE(began_at, $2), started_by = $4,
           stop_at = $3::int + (SELECT count(*) FROM batch_rows WHERE batch_id = $1 AND state <> 'waiting')
         WHERE id = $1 AND state = 'paused'`,
        [id, new Date(), maxRows ?? null, person_id],
      )
      return rowCount === 1
    })
    if (isStarted) return
    const { state, total, counts } = await this.get(id, null)
    const existingRows = Object.values(counts).reduce((all, rows) => all + rows, 0)
    if (state === 'filling')
      throw toConflictError(`${total - existingRows} of ${total} rows have not been uploaded yet.`)
    if (state === 'ended') throw toConflictError('Every row of this batch has been sent.')
  }

  async pause(id: string): Promise<void> {
    await this.#database.pool.query(
      `UPDATE batches SET state = 'paused', pause = 'person', problem = NULL, waits_until = NULL
       WHERE id = $1 AND state = 'running'`,
      [id],
    )
  }

  /**
   * Ends a batch without the rows that wait. Rows under way end it when they have ended. Of a large batch the rows are
   * changed page by page: after a crash the rest is as it was.
   * @returns whether it has ended already
   */
  async cancel(id: string): Promise<boolean> {
    const { pool } = this.#database
    const { total } = (await this.findRecord(id, null)) ?? throwBatchNotFound()
    for (let first = 1; first <= total; first += CHANGED_ROWS_PER_PAGE)
      await pool.query(
        `UPDATE batch_rows SET state = 'stopped', problem = NULL
         WHERE batch_id = $1 AND state = 'waiting' AND number BETWEEN $2 AND $3`,
        [id, first, first + CHANGED_ROWS_PER_PAGE - 1],
      )
    return this.finish(id, ['running', 'paused'])
  }

  /** @returns false while a row is waiting or running that is to be sent, or where its state is none of these. */
  async finish(id: string, states: readonly BatchState[]): Promise<boolean> {
    return this.#database.transaction(async (client) => {
      // The statement after it sees the rows of a transaction that held the lock before.
      await client.query('SELECT FROM batches WHERE id = $1 FOR UPDATE', [id])
      const { rowCount } = await client.query(
        `UPDATE batches SET state = 'ended', ended_at = $2, pause = NULL, problem = NULL, waits_until = NULL
         WHERE id = $1 AND state = ANY($3) AND NOT EXISTS (
           SELECT 1 FROM batch_rows WHERE batch_id = $1 AND state IN ('waiting', 'running'))`,
        [id, new Date(), states],
      )
      if (rowCount === 1) return true
      // Of a board the rounds that a person has sent have ended, and others are held.
      const { rowCount: paused } = await client.query(
        `UPDATE batches SET state = 'paused', pause = 'dry_run', waits_until = NULL
         WHERE id = $1 AND state = 'running' AND kind = 'board' AND settings -> 'only' IS NOT NULL AND NOT EXISTS (
           SELECT FROM batch_rows WHERE batch_id = $1 AND (state = 'running' OR state = 'waiting' AND number IN (
             SELECT value::int FROM json_array_elements_text(batches.settings -> 'only'))))`,
        [id],
      )
      return paused === 1
    })
  }

  /**
   * Sends rows again. The earlier attempt stays in the ledger as the parent of the new one; a conversation restarts
   * with its first turn. Of a paused batch only these rows are sent, before those that were never sent. Rows of a
   * large batch are changed page by page: after a crash the rest is unchanged.
   * @throws ProblemError 409 where there is none, 403 where the person may not start the batch; then no row is
   * changed
   */
  async retry(
    id: string,
    states: readonly BatchRowState[],
    number: number | undefined,
    person_id: string,
  ): Promise<void> {
    const { total, state } = (await this.findRecord(id, null)) ?? throwBatchNotFound()
    await this.#database.transaction((client) => requireStart(client, id, person_id))
    let retried = 0
    for (let first = number ?? 1; first <= (number ?? total); first += CHANGED_ROWS_PER_PAGE)
      retried += await this.#retryRows(id, states, first, number ?? first + CHANGED_ROWS_PER_PAGE - 1)
    if (retried === 0) throw toConflictError('No such row can be sent again.')
    await this.start(id, person_id, state === 'paused' ? retried : undefined)
  }

  /** @returns how many rows were changed. */
  #retryRows(id: string, states: readonly BatchRowState[], first: number, last: number): Promise<number> {
    return this.#database.transaction(async (client) => {
      const { rowCount } = await client.query(
        `WITH retried AS (
           UPDATE batch_rows SET state = 'waiting', parent_id = coalesce(turn_run_ids[1], run_id), run_id = NULL, problem = NULL, result = NULL,
             turn_run_ids = '{}', conversation_id = NULL, duration_ms = NULL, tokens = NULL, price = NULL, currency = NULL
           WHERE batch_id = $1 AND state = ANY($2) AND number BETWEEN $3 AND $4 RETURNING number
         ), verdict AS (
           DELETE FROM verdicts USING retried WHERE experiment_id = $1 AND verdicts.number = retried.number
         ), result AS (
           UPDATE experiment_results AS results SET outcome = NULL, rank = NULL, metrics = NULL, found = NULL
           FROM retried WHERE experiment_id = $1 AND results.number = retried.number
         ) SELECT FROM retried`,
        [id, states, first, last],
      )
      if (rowCount)
        await client.query(
          `UPDATE batches SET state = 'paused', pause = 'person', ended_at = NULL WHERE id = $1 AND state = 'ended'`,
          [id],
        )
      return rowCount ?? 0
    })
  }

  async remove(id: string): Promise<void> {
    const { rowCount } = await this.#database.pool.query(
      `DELETE FROM batches WHERE id = $1 AND state <> 'running'
       AND NOT EXISTS (SELECT 1 FROM batch_rows WHERE batch_id = $1 AND state = 'running')`,
      [id],
    )
    if (rowCount === 1) return
    await this.get(id, null)
    throw toConflictError('Rows of this batch are running. Pause it and wait for them.')
  }

  /** Rows are numbered from 1 without gaps, so a page is found without counting. */
  async listRows(batch: BatchRecord, state: BatchRowState | undefined, offset: number, limit: number) {
    const { pool } = this.#database
    if (state === undefined) {
      const { rows } = await pool.query<BatchRowRecord>(
        `SELECT ${SELECT_ROW} WHERE batch_id = $1 AND number > $2 ORDER BY number LIMIT ${limit}`,
        [batch.id, offset],
      )
      return { data: await this.#withStops(rows), total: batch.total }
    }
    const { rows } = await pool.query<BatchRowRecord>(
      `SELECT ${SELECT_ROW} WHERE batch_id = $1 AND state = $2 ORDER BY number LIMIT ${limit} OFFSET ${offset}`,
      [batch.id, state],
    )
    return { data: await this.#withStops(rows), total: countRows(await this.totals.get([batch]), state) }
  }

  async #withStops(rows: readonly BatchRowRecord[]): Promise<BatchRow[]> {
    const { pool } = this.#database
    const stoppedRuns = rows.flatMap(({ state, run_id }) => (state === 'stopped' && run_id !== null ? [run_id] : []))
    const calls = stoppedRuns.length === 0 ? [] : await this.#ledger.listSummaries(stoppedRuns)
    const stops = await findRunStops(pool, calls)
    return rows.map((row) => toBatchRow(row, stops.get(row.run_id ?? '') ?? null))
  }
}

/**
 * A batch without rows: `paused` for one that gets them in the same transaction, and is not started.
 * @returns false where a batch of that id is there already
 */
export async function insertBatch(
  client: Pool | PoolClient,
  batch: NewBatch,
  state: 'filling' | 'paused' | 'ended',
): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO batches(id, kind, state, pause, workspace_id, key_id, entry, name, settings, at_once, per_minute, max_rows,
       max_tokens, max_price, total, person_id, created_at, source)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) ON CONFLICT (id) DO NOTHING`,
    [
      batch.id,
      batch.kind,
      state,
      state === 'paused' ? 'not_started' : null,
      batch.workspace_id,
      batch.key_id,
      batch.entry,
      batch.name,
      JSON.stringify(batch.settings),
      batch.at_once,
      batch.per_minute,
      batch.max_rows,
      batch.max_tokens,
      batch.max_price,
      batch.total,
      batch.person_id,
      new Date(),
      batch.source ? JSON.stringify(batch.source) : null,
    ],
  )
  return rowCount === 1
}

/** Rows from number `first` on. Existing ones are not changed. */
export async function insertRows(
  client: PoolClient,
  batch_id: string,
  first: number,
  rows: readonly NewRow[],
): Promise<void> {
  await client.query(
    `INSERT INTO batch_rows(batch_id, number, state, input, title, file_row, key_id, cell)
     SELECT $1, number, 'waiting', input, title, file_row, key_id, cell
     FROM unnest($2::int[], $3::json[], $4::text[], $5::int[], $6::uuid[], $7::text[])
       AS new(number, input, title, file_row, key_id, cell)
     ON CONFLICT (batch_id, number) DO NOTHING`,
    [
      batch_id,
      rows.map((_, index) => first + index),
      rows.map(({ input: { file_row: _, ...input } }) => JSON.stringify(input)),
      rows.map(({ title }) => toStorableText(title, 200)),
      rows.map(({ input }) => input.file_row ?? null),
      rows.map(({ key_id }) => key_id ?? null),
      rows.map(({ cell }) => cell ?? null),
    ],
  )
}

/** @throws ProblemError 403 */
export async function requireStart(client: PoolClient, id: string, person_id: string): Promise<void> {
  if (await canStartBatch(client, id, person_id)) return
  throw new ProblemError({ kind: 'denied', status: 403, message: 'You may no longer run this batch.' })
}

const toConflictError = (message: string) => new ProblemError({ kind: 'invalid', status: 409, message })

export function throwBatchNotFound(): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message: 'The batch was not found.' })
}
