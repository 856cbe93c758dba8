import type { BatchRowInput } from '#contract/console/batches.ts'
import type { Problem } from '#contract/problem.ts'
import type { CallRow } from '../ledger/callRow.ts'
import type { BatchRecord } from './batchRecord.ts'

/** One row that goes out now. */
export interface BatchTask {
  batch: BatchRecord
  number: number
  input: BatchRowInput
  /** The id of its call in the ledger; it is in the row already. */
  run_id: string
  parent_id: string | null
}

export interface BatchRowEnd {
  state: 'succeeded' | 'failed' | 'stopped' | 'unknown'
  problem: Problem | null
  /** What came, in the words of the kind. */
  result: unknown
  duration_ms: number | null
  tokens: number | null
  price: string | null
  currency: string | null
}

/** What came of a row that went out. */
export type BatchRowOutcome =
  | ({ is: 'done' } & BatchRowEnd)
  /** The platform did nothing and may do it later; `wait` is seconds where it said how long. */
  | { is: 'again'; problem: Problem; wait: number | null }
  /** Nothing was done, and no other row of the batch will fare better; `sent` where the platform said so. */
  | { is: 'refused'; problem: Problem; sent: boolean }
  /** Nothing was sent, since this server stops. */
  | { is: 'unsent' }

/** What a row is and how it is carried. A new kind of batch is a new one of these; the tables stay. */
export interface BatchRowHandler {
  /** What keeps such a row from being sent, found before it is kept; null for nothing. */
  validate(batch: BatchRecord, input: BatchRowInput): Problem | null
  /** Sends one row under its id and waits for its end. It never throws for what a platform does. */
  execute(task: BatchTask): Promise<BatchRowOutcome>
  /**
   * The same of a call that another server, or this one before it was killed, has made for a row; null while it goes on, or
   * while it is too early to say.
   */
  resolve(call: CallRow): BatchRowOutcome | null | Promise<BatchRowOutcome | null>
  /** What a call came to, by name, for an export. */
  toOutputs(call: Pick<CallRow, 'answer' | 'reply'>): Record<string, unknown>
}
