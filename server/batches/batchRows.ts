import type { Pool } from 'pg'
import { MAX_ROWS_AT_ONCE, type PauseReason } from '#contract/console/batches.ts'
import type { Problem } from '#contract/problem.ts'
import type { Database } from '../db/database.ts'
import { MAX_INT4, toStorableInteger } from '../ledger/callColumns.ts'
import type { CallRow } from '../ledger/callRow.ts'
import { withLargeBodies } from '../ledger/bodies/largeBody.ts'
import { isSilentSql } from '../db/serverPresence.ts'
import { toStorableText } from '../db/storableText.ts'
import type { BatchRowOutcome, BatchTask, BatchTurn } from './batchKind.ts'
import type { BatchRecord } from './batchRecord.ts'
import { PRICE_PATTERN } from '#domain/price.ts'

export type ClaimedRow = Omit<BatchTask, 'batch' | 'signal'>

export interface EndedRow {
  number: number
  run_id: string
  outcome: BatchRowOutcome
}

export interface OrphanedRow {
  number: number
  run_id: string
  turn: BatchTurn
  call: CallRow | null
}

/** Usage of a row: earlier turns are already counted; an unknown outcome adds nothing. */
const addToTurnsSql = (column: string, sum: string) => `${column} = CASE
    WHEN cardinality(rows.turn_run_ids) = 0 THEN came.${column}
    WHEN came.${column} IS NULL OR came.state = 'unknown' THEN rows.${column}
    WHEN rows.${column} IS NULL THEN came.${column} ELSE ${sum} END`

/** Limits a sum as `toStorableInteger` limits one value. */
const sumIntegersSql = (column: string) =>
  `greatest(-${MAX_INT4}, least(${MAX_INT4}, rows.${column}::bigint + came.${column}))::int`

/**
 * Writes the outcomes of rows of the batch $1. Its parameters are those of `toEndParams`, including the state that
 * the rows must have.
 */
const UPDATE_ENDED_ROWS = `UPDATE batch_rows AS rows SET state = came.state, problem = came.problem,
    result = CASE WHEN cardinality(rows.turn_run_ids) = 0 THEN came.result ELSE coalesce(came.result, rows.result) END,
    ${addToTurnsSql('duration_ms', sumIntegersSql('duration_ms'))},
    ${addToTurnsSql('tokens', sumIntegersSql('tokens'))},
    ${addToTurnsSql(
      'price',
      `CASE WHEN rows.price ~ '${PRICE_PATTERN}' AND came.price ~ '${PRICE_PATTERN}'
        THEN (rows.price::numeric + came.price::numeric)::text ELSE came.price END`,
    )},
    currency = CASE WHEN cardinality(rows.turn_run_ids) = 0 THEN came.currency ELSE coalesce(came.currency, rows.currency) END,
    turn_run_ids = CASE WHEN came.conversation_id IS NULL THEN rows.turn_run_ids ELSE rows.turn_run_ids || rows.run_id END,
    conversation_id = coalesce(came.conversation_id, rows.conversation_id),
    run_id = CASE WHEN came.state = 'waiting' THEN NULL ELSE rows.run_id END,
    parent_id = CASE WHEN came.conversation_id IS NOT NULL THEN NULL
      WHEN came.state = 'waiting' AND came.was_sent THEN rows.run_id ELSE rows.parent_id END,
    attempts = CASE WHEN came.conversation_id IS NOT NULL OR came.state = 'waiting' AND NOT came.was_sent THEN attempts - 1 ELSE attempts END
  FROM unnest($2::int[], $3::uuid[], $4::text[], $5::json[], $6::json[], $7::int[], $8::int[], $9::text[],
    $10::text[], $11::bool[], $13::text[])
    AS came(number, run_id, state, problem, result, duration_ms, tokens, price, currency, was_sent, conversation_id)
  WHERE rows.batch_id = $1 AND rows.number = came.number AND rows.run_id = came.run_id AND rows.state = $12`

function toEndParams(ended: readonly EndedRow[], before: 'running' | 'unknown'): unknown[] {
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
    before,
    list('conversation_id'),
  ]
}

const TURN_COLUMNS = `rows.conversation_id, cardinality(rows.turn_run_ids) AS turn_index,
  coalesce(json_array_length(rows.input -> 'turns'), 1) AS turn_count`
interface TurnColumns {
  conversation_id: string | null
  turn_index: number
  turn_count: number
}
const toTurn = ({ conversation_id, turn_index, turn_count }: TurnColumns): BatchTurn => ({
  index: turn_index,
  count: turn_count,
  conversation_id,
})

type ClaimedColumns = Omit<ClaimedRow, 'turn'> & TurnColumns
const toClaimedRows = (rows: ClaimedColumns[]): ClaimedRow[] =>
  rows
    .map(({ conversation_id, turn_index, turn_count, ...row }) => ({
      ...row,
      turn: toTurn({ conversation_id, turn_index, turn_count }),
    }))
    .sort((one, other) => one.number - other.number)

const waitingRowsSql = (condition: string, limit: number) =>
  `(SELECT number FROM batch_rows WHERE batch_id = $1 AND state = 'waiting' AND ${condition}
    ORDER BY number LIMIT ${limit})`

/** The parameter with this number is the time. */
const markAsRunningSql = (now: number) => `UPDATE batch_rows AS rows
  SET state = 'running', run_id = gen_random_uuid(), attempts = attempts + 1,
    began_at = CASE WHEN cardinality(turn_run_ids) = 0 THEN $${now} ELSE began_at END, problem = NULL
  FROM next WHERE rows.batch_id = $1 AND rows.number = next.number
  RETURNING rows.number, rows.input, rows.key_id, rows.run_id, rows.parent_id, ${TURN_COLUMNS}`

/**
 * Claims the next rows of the batch $1; the parameters from `at` on are its server, the number of rows and the time.
 * A row that waits again comes after all others and has the problem of its last attempt. The inner limits are
 * constants, since a parameter would make every call plan the statement; the numbers are an array, since with `IN`
 * the plan reads all waiting rows.
 */
const claimNextRowsSql = (at: number) => `next AS (
    SELECT number FROM batch_rows WHERE batch_id = $1 AND state = 'waiting'
      AND EXISTS (SELECT 1 FROM batches WHERE id = $1 AND state = 'running' AND server_id = $${at})
      AND number = ANY(ARRAY(
        ${waitingRowsSql('problem IS NULL', MAX_ROWS_AT_ONCE)}
        UNION ALL ${waitingRowsSql('problem IS NOT NULL', MAX_ROWS_AT_ONCE)}
        LIMIT $${at + 1}))
    FOR UPDATE SKIP LOCKED
  ) ${markAsRunningSql(at + 2)}`

/** Prepared: they are executed for each row, and planning them costs more than executing them. */
const CLAIM_ROWS = { name: 'claim batch rows', text: `WITH ${claimNextRowsSql(2)}` }
/**
 * The same for a board, which has few rows: of those that a person has sent, since others may be held. A round waits for the
 * earlier ones of its cell, unless all go at once.
 */
const CLAIM_ROUNDS = {
  name: 'claim rounds of a board',
  text: `WITH board AS (
    SELECT settings ->> 'pace' AS pace, settings -> 'only' AS selected FROM batches
    WHERE id = $1 AND state = 'running' AND server_id = $2
  ), open AS (
    SELECT number, cell, state, problem, pace FROM batch_rows CROSS JOIN board WHERE batch_id = $1
      AND (state = 'running' OR state = 'waiting' AND (selected IS NULL OR number IN (
        SELECT value::int FROM json_array_elements_text(selected))))
  ), next AS (
    SELECT number FROM batch_rows WHERE batch_id = $1 AND state = 'waiting' AND number IN (
      SELECT number FROM open WHERE state = 'waiting' AND (pace = 'at_once' OR NOT EXISTS (
        SELECT FROM open AS earlier WHERE earlier.cell = open.cell AND earlier.number < open.number))
      ORDER BY problem IS NOT NULL, number LIMIT $3)
    FOR UPDATE SKIP LOCKED
  ) ${markAsRunningSql(4)}`,
}
const WRITE_ENDS = { name: 'write ends of batch rows', text: UPDATE_ENDED_ROWS }
const WRITE_ENDS_AND_CLAIM = {
  name: 'write ends of batch rows and claim',
  text: `WITH ended AS (${UPDATE_ENDED_ROWS}), ${claimNextRowsSql(14)}`,
}

/** The rows of a batch, as its server claims and updates them. Every statement is short and independent. */
export class BatchRowStore {
  readonly #database: Database
  readonly #pool: Pool
  readonly #server_id: string
  /** A batch of another kind is that of a later release, which a shared database may have. */
  readonly #kinds: readonly string[]

  constructor(database: Database, server_id: string, kinds: readonly string[]) {
    this.#database = database
    this.#pool = database.pool
    this.#server_id = server_id
    this.#kinds = kinds
  }

  isOwned = ({ server_id }: { server_id: string | null }): boolean => server_id === this.#server_id

  /**
   * The batches that belong to this server: its own, and those of servers without a heartbeat for that many
   * milliseconds (of the database's clock).
   */
  async claimBatches(silentAfterMs: number): Promise<string[]> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `UPDATE batches SET server_id = $1
       WHERE state = 'running' AND kind = ANY($3) AND (server_id = $1 OR ${isSilentSql('batches.server_id', '$2')})
       RETURNING id`,
      [this.#server_id, silentAfterMs, this.#kinds],
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
  async claimRows({ id, kind }: Pick<BatchRecord, 'id' | 'kind'>, count: number): Promise<ClaimedRow[]> {
    const { rows } = await this.#pool.query<ClaimedColumns>({
      ...(kind === 'board' ? CLAIM_ROUNDS : CLAIM_ROWS),
      values: [id, ...this.#claimParams(count)],
    })
    return toClaimedRows(rows)
  }

  /** A row that has another run by now is not changed. */
  async writeEnds(
    batch_id: string,
    ended: readonly EndedRow[],
    before: 'running' | 'unknown' = 'running',
  ): Promise<void> {
    await this.#pool.query({ ...WRITE_ENDS, values: [batch_id, ...toEndParams(ended, before)] })
  }

  /** `writeEnds` and `claimRows` in one statement. */
  async writeEndsAndClaim(batch_id: string, ended: readonly EndedRow[], count: number): Promise<ClaimedRow[]> {
    const { rows } = await this.#pool.query<ClaimedColumns>({
      ...WRITE_ENDS_AND_CLAIM,
      values: [batch_id, ...toEndParams(ended, 'running'), ...this.#claimParams(count)],
    })
    return toClaimedRows(rows)
  }

  #claimParams = (count: number) => [this.#server_id, count, new Date()]

  findOrphans(batch_id: string, ownNumbers: readonly number[]): Promise<OrphanedRow[]> {
    return this.#withCalls(`state = 'running' AND number <> ALL($2::int[])`, [batch_id, ownNumbers])
  }

  /**
   * Resets rows without a call to waiting. Their server may still be alive and about to create a call. It does so
   * under a lock of the row (`Ledger.insertCall`), so that the call is either visible here or comes too late and is
   * not created.
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

  findResolvedUnknowns(batch_id: string): Promise<OrphanedRow[]> {
    return this.#withCalls(
      `state = 'unknown' AND calls.status IN ('succeeded', 'partial-succeeded', 'failed', 'refused', 'stopped')`,
      [batch_id],
    )
  }

  async #withCalls(condition: string, values: unknown[]): Promise<OrphanedRow[]> {
    const { rows } = await this.#pool.query<
      CallRow & { number: number; row_run_id: string; row_conversation_id: string | null } & TurnColumns
    >(
      `SELECT ${TURN_COLUMNS}, calls.*, rows.number, rows.run_id AS row_run_id, rows.conversation_id AS row_conversation_id
       FROM batch_rows AS rows LEFT JOIN calls ON calls.id = rows.run_id
       WHERE rows.batch_id = $1 AND ${condition} ORDER BY number LIMIT 100`,
      values,
    )
    const orphans: OrphanedRow[] = []
    for (const { number, row_run_id, row_conversation_id, turn_index, turn_count, ...call } of rows)
      orphans.push({
        number,
        run_id: row_run_id,
        turn: { index: turn_index, count: turn_count, conversation_id: row_conversation_id },
        call:
          (call.id as string | null) === null ? null : { ...(await withLargeBodies(this.#pool, call)), person: null },
      })
    return orphans
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
}

function toEndColumns(outcome: BatchRowOutcome) {
  const none = { result: null, duration_ms: null, tokens: null, price: null, currency: null }
  const notNext = { conversation_id: null }
  if (outcome.is === 'unsent') return { ...none, ...notNext, state: 'waiting', problem: null, was_sent: false }
  if (outcome.is === 'again' || outcome.is === 'refused')
    return {
      ...notNext,
      ...none,
      state: 'waiting',
      problem: JSON.stringify(outcome.problem),
      was_sent: outcome.is === 'again' || outcome.sent,
    }
  return {
    conversation_id: outcome.is === 'next' ? outcome.conversation_id : null,
    state: outcome.is === 'next' ? 'waiting' : outcome.state,
    problem: outcome.problem && JSON.stringify(outcome.problem),
    result: outcome.result === null ? null : JSON.stringify(outcome.result),
    duration_ms: toStorableInteger(outcome.duration_ms),
    tokens: toStorableInteger(outcome.tokens),
    price: toStorableText(outcome.price, 64),
    currency: toStorableText(outcome.currency, 64),
    was_sent: true,
  }
}
