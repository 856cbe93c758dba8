import type { Pool } from 'pg'
import type { PauseReason, BatchRowInput } from '#contract/console/batches.ts'
import type { Problem } from '#contract/problem.ts'
import type { Database } from '../db/database.ts'
import type { CallRow } from '../ledger/callRow.ts'
import { toStorableText } from '../db/storableText.ts'
import type { BatchRowOutcome } from './batchKind.ts'

export interface ClaimedRow {
  number: number
  input: BatchRowInput
  run_id: string
  parent_id: string | null
}
export interface EndedRow {
  number: number
  run_id: string
  outcome: BatchRowOutcome
}

export interface OrphanedRow {
  number: number
  run_id: string
  call: CallRow | null
}

/**
 * Writes the outcomes of rows of the batch $1: the parameters are those of `endsOf`, then the state that they must be in.
 */
const UPDATE_ENDED_ROWS = `UPDATE batch_rows AS rows SET state = came.state, problem = came.problem, result = came.result,
    duration_ms = came.duration_ms, tokens = came.tokens, price = came.price, currency = came.currency,
    run_id = CASE WHEN came.state = 'waiting' THEN NULL ELSE rows.run_id END,
    parent_id = CASE WHEN came.state = 'waiting' AND came.was_sent THEN rows.run_id ELSE rows.parent_id END,
    attempts = CASE WHEN came.state = 'waiting' AND NOT came.was_sent THEN attempts - 1 ELSE attempts END
  FROM unnest($2::int[], $3::uuid[], $4::text[], $5::json[], $6::json[], $7::int[], $8::int[], $9::text[],
    $10::text[], $11::bool[])
    AS came(number, run_id, state, problem, result, duration_ms, tokens, price, currency, was_sent)
  WHERE rows.batch_id = $1 AND rows.number = came.number AND rows.run_id = came.run_id AND rows.state = $12`

function toEndParams(ended: readonly EndedRow[]): unknown[] {
  const columns = ended.map(({ number, run_id, outcome }) => ({ number, run_id, ...toEndColumns(outcome) }))
  const list = <Name extends keyof (typeof columns)[number]>(name: Name) => columns.map((row) => row[name])
  return [
    list('number'),
    list('run_id'),
    list('state'),
    list('problem'),
    list('result'),
    list('duration_ms'),
    list('tokens'),
    list('price'),
    list('currency'),
    list('was_sent'),
  ]
}

const waitingRowsSql = (condition: string, limit: string) =>
  `(SELECT number FROM batch_rows WHERE batch_id = $1 AND state = 'waiting' AND ${condition}
    ORDER BY number LIMIT ${limit})`

/**
 * Claims the next rows of the batch $1, with the parameters of its server, their number and the time from `at` on. A row
 * that waits again has the problem of its last attempt, and comes after all others.
 */
const claimNextRowsSql = (at: number) => `next AS (
    SELECT number FROM batch_rows WHERE batch_id = $1 AND state = 'waiting'
      AND EXISTS (SELECT 1 FROM batches WHERE id = $1 AND state = 'running' AND server_id = $${at})
      AND number IN (
        ${waitingRowsSql('problem IS NULL', `$${at + 1}`)}
        UNION ALL ${waitingRowsSql('problem IS NOT NULL', `$${at + 1}`)}
        LIMIT $${at + 1})
    FOR UPDATE SKIP LOCKED
  )
  UPDATE batch_rows AS rows SET state = 'running', run_id = gen_random_uuid(), attempts = attempts + 1,
    began_at = $${at + 2}, problem = NULL
  FROM next WHERE rows.batch_id = $1 AND rows.number = next.number
  RETURNING rows.number, rows.input, rows.run_id, rows.parent_id`

const compareByNumber = (one: ClaimedRow, other: ClaimedRow): number => one.number - other.number

/** The rows of a batch, as its server claims and updates them. Every statement is short and independent. */
export class BatchRowStore {
  readonly #database: Database
  readonly #pool: Pool
  readonly #server_id: string

  constructor(database: Database, server_id: string) {
    this.#database = database
    this.#pool = database.pool
    this.#server_id = server_id
  }

  isOwned = ({ server_id }: { server_id: string | null }): boolean => server_id === this.#server_id

  /**
   * The batches that belong to this server: its own, and those of a server without a heartbeat for `lease` milliseconds (of
   * the database's clock).
   */
  async claimBatches(leaseMs: number): Promise<string[]> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `UPDATE batches SET server_id = $1 WHERE state = 'running' AND (server_id = $1 OR NOT EXISTS (
         SELECT 1 FROM servers WHERE servers.id = batches.server_id
           AND servers.seen_at > now() - $2 * interval '1 millisecond'))
       RETURNING id`,
      [this.#server_id, leaseMs],
    )
    return rows.map(({ id }) => id)
  }

  /** Releases a batch that has stopped, or any batch of a server that stops, so that any server may resume it. */
  async releaseBatch(batch_id: string, { isStopping }: { isStopping: boolean }): Promise<void> {
    await this.#pool.query(
      `UPDATE batches SET server_id = NULL WHERE id = $1 AND server_id = $2 AND (state <> 'running' OR $3)`,
      [batch_id, this.#server_id, isStopping],
    )
  }

  /** The next rows, each with the id of its future run; none where the batch is stopped or belongs to another server. */
  async claimRows(batch_id: string, count: number): Promise<ClaimedRow[]> {
    const { rows } = await this.#pool.query<ClaimedRow>(`WITH ${claimNextRowsSql(2)}`, [
      batch_id,
      ...this.#claimParams(count),
    ])
    return rows.sort(compareByNumber)
  }

  /** Writes the outcomes of rows in that state. A row that has another run by now stays as it is. */
  async writeEnds(
    batch_id: string,
    ended: readonly EndedRow[],
    before: 'running' | 'unknown' = 'running',
  ): Promise<void> {
    await this.#pool.query(UPDATE_ENDED_ROWS, [batch_id, ...toEndParams(ended), before])
  }

  /** `end` of some rows and `claim` of others, in one statement. */
  async writeEndsAndClaim(batch_id: string, ended: readonly EndedRow[], count: number): Promise<ClaimedRow[]> {
    const { rows } = await this.#pool.query<ClaimedRow>(
      `WITH ended AS (${UPDATE_ENDED_ROWS}), ${claimNextRowsSql(13)}`,
      [batch_id, ...toEndParams(ended), 'running', ...this.#claimParams(count)],
    )
    return rows.sort(compareByNumber)
  }

  #claimParams = (count: number) => [this.#server_id, count, new Date()]

  /** Rows that are marked as running but not by this server, each with its call if there is one. */
  findOrphans(batch_id: string, ownNumbers: readonly number[]): Promise<OrphanedRow[]> {
    return this.#withCalls(`state = 'running' AND number <> ALL($2::int[])`, [batch_id, ownNumbers])
  }

  /**
   * Resets rows without a call to waiting. Their server may still be alive and about to create a call: it does so under a
   * lock of the row (`Ledger.begin`), so that the call is either visible here, or comes too late and is not created.
   */
  async requeue(batch_id: string, numbers: readonly number[]): Promise<void> {
    await this.#database.transaction(async (client) => {
      const params = [batch_id, numbers]
      await client.query(
        `SELECT FROM batch_rows WHERE batch_id = $1 AND number = ANY($2) AND state = 'running' ORDER BY number FOR UPDATE`,
        params,
      )
      await client.query(
        `UPDATE batch_rows AS rows SET state = 'waiting', run_id = NULL, attempts = attempts - 1
         WHERE batch_id = $1 AND number = ANY($2) AND state = 'running'
           AND NOT EXISTS (SELECT FROM calls WHERE calls.id = rows.run_id)`,
        params,
      )
    })
  }

  /** Rows marked unknown whose run has since finished. */
  findResolvedUnknowns(batch_id: string): Promise<OrphanedRow[]> {
    return this.#withCalls(
      `state = 'unknown' AND calls.status IN ('succeeded', 'partial-succeeded', 'failed', 'refused', 'stopped')`,
      [batch_id],
    )
  }

  async #withCalls(condition: string, values: unknown[]): Promise<OrphanedRow[]> {
    const { rows } = await this.#pool.query<CallRow & { number: number; row_run_id: string }>(
      `SELECT calls.*, batch_rows.number, batch_rows.run_id AS row_run_id
       FROM batch_rows LEFT JOIN calls ON calls.id = batch_rows.run_id
       WHERE batch_id = $1 AND ${condition} ORDER BY number LIMIT 100`,
      values,
    )
    return rows.map(({ number, row_run_id, ...call }) => ({
      number,
      run_id: row_run_id,
      call: (call.id as string | null) === null ? null : { ...call, person: null },
    }))
  }

  /** Stores the time until which the batch waits; null ends the wait. */
  async setThrottled(batch_id: string, until: Date | null, problem: Problem | null): Promise<void> {
    await this.#pool.query(`UPDATE batches SET waits_until = $2, problem = $3 WHERE id = $1 AND state = 'running'`, [
      batch_id,
      until,
      problem && JSON.stringify(problem),
    ])
  }

  async pauseBatch(batch_id: string, pause: PauseReason, problem: Problem | null): Promise<void> {
    await this.#pool.query(
      `UPDATE batches SET state = 'paused', pause = $2, problem = $3, waits_until = NULL WHERE id = $1 AND state = 'running'`,
      [batch_id, pause, problem && JSON.stringify(problem)],
    )
  }

  /** @returns false while a row is waiting or running. */
  async finishBatch(batch_id: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `UPDATE batches SET state = 'ended', ended_at = $2, problem = NULL, waits_until = NULL
       WHERE id = $1 AND state = 'running' AND NOT EXISTS (
         SELECT 1 FROM batch_rows WHERE batch_id = $1 AND state IN ('waiting', 'running'))`,
      [batch_id, new Date()],
    )
    return rowCount === 1
  }
}

function toEndColumns(outcome: BatchRowOutcome) {
  const none = { result: null, duration_ms: null, tokens: null, price: null, currency: null }
  if (outcome.is === 'unsent') return { ...none, state: 'waiting', problem: null, was_sent: false }
  if (outcome.is !== 'done')
    return {
      ...none,
      state: 'waiting',
      problem: JSON.stringify(outcome.problem),
      was_sent: outcome.is === 'again' || outcome.sent,
    }
  return {
    state: outcome.state,
    problem: outcome.problem && JSON.stringify(outcome.problem),
    result: outcome.result === null ? null : JSON.stringify(outcome.result),
    duration_ms: outcome.duration_ms,
    tokens: outcome.tokens,
    price: toStorableText(outcome.price, 64),
    currency: toStorableText(outcome.currency, 64),
    was_sent: true,
  }
}
