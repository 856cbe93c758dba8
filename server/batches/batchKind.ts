import type { Batch, BatchRowInput } from '#contract/console/batches.ts'
import type { Problem } from '#contract/problem.ts'
import type { CallRow } from '../ledger/callRow.ts'
import type { BatchRecord } from './batchRecord.ts'

/** The input of a row as it is stored: one with a key of its own also says what it calls, and how. */
export type StoredRowInput = BatchRowInput & Partial<Pick<RowTarget, 'entry' | 'settings'>>

/** What a row calls. Its workspace is that of the key. */
export interface RowTarget {
  key_id: string
  entry: NonNullable<Batch['entry']>
  settings: BatchRecord['settings']
}

/** A row that is about to be handled. */
export interface BatchTask {
  batch: BatchRecord
  number: number
  input: StoredRowInput
  /** The key of this row alone; null for that of the batch. */
  key_id: string | null
  /** The id of its call in the ledger, if it makes one; the row already contains it. */
  run_id: string
  parent_id: string | null
  turn: BatchTurn
  /** Of a server that stops: a row that makes no call, and has not ended, is left to the next one as `unsent`. */
  signal: AbortSignal
}

/** Which question of a row is sent: each turn of a conversation is a run of its own. A row without turns has one. */
export interface BatchTurn {
  /** 0-based. */
  index: number
  count: number
  /** The conversation of the earlier turns; null for the first. */
  conversation_id: string | null
}

/** What the row calls: its own key, operation and settings, where it has them, else those of its batch. */
export function getRowTarget({ batch, key_id, input }: Pick<BatchTask, 'batch' | 'key_id' | 'input'>): RowTarget {
  const key = key_id ?? batch.key_id
  const entry = input.entry ?? batch.entry
  if (key === null || entry === null) throw new Error(`The rows of batch ${batch.id} call nothing.`)
  return { key_id: key, entry, settings: input.settings ?? batch.settings }
}

export interface BatchRowEnd {
  state: 'succeeded' | 'failed' | 'stopped' | 'unknown'
  problem: Problem | null
  result: unknown
  duration_ms: number | null
  tokens: number | null
  price: string | null
  currency: string | null
}

/** The outcome of a row. */
export type BatchRowOutcome =
  | ({ is: 'done' } & BatchRowEnd)
  /** A turn succeeded, and the row waits for its next one in that conversation. */
  | ({ is: 'next'; conversation_id: string } & BatchRowEnd)
  /** The platform did nothing and may accept it later; `wait` in seconds, if the platform gave a time. */
  | { is: 'again'; problem: Problem; wait: number | null }
  /** The platform did nothing, and every other row of the batch would fail as well; `sent` if the platform said so. */
  | { is: 'refused'; problem: Problem; sent: boolean }
  /** Nothing was sent, since this server is stopping. */
  | { is: 'unsent' }

/** The call continues, perhaps on another server; its end will be in the ledger. */
export interface LeftRow {
  is: 'left'
}

/**
 * How the rows of one kind of batch are handled. A new kind of batch implements this interface; the tables stay the same.
 *
 * A row that makes no call of the ledger has no `resolve` and no `toOutputs`. When its server dies it is executed again, so
 * it must be idempotent.
 */
export interface BatchRowHandler {
  /** The reason why such a row of a person's own table cannot be sent, found before it is stored; null for none. */
  validate?(target: RowTarget, input: BatchRowInput): Problem | null
  /** Handles one row, sends its call under its id, and waits for its end. It never throws for a failure of the platform. */
  execute(task: BatchTask): Promise<BatchRowOutcome | LeftRow>
  /**
   * The outcome of a call that another server, or this one before a crash, made for a row; null while it is running
   * or its outcome is not known yet.
   */
  resolve?(
    call: CallRow,
    turn: BatchTurn,
    row: { batch_id: string; number: number },
  ): BatchRowOutcome | null | Promise<BatchRowOutcome | null>
  /** Called once when no row of a batch is waiting any more. */
  onEnded?(batch_id: string): Promise<void>
  toOutputs?(call: Pick<CallRow, 'answer' | 'reply'>): Record<string, unknown>
}

/** Of a kind whose rows are calls of the ledger. */
export type CallRowHandler = BatchRowHandler & Required<Pick<BatchRowHandler, 'resolve' | 'toOutputs'>>
