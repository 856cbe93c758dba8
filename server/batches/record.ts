import type { Batch, BatchRow, Pause, RowState } from '#contract/batches.ts'
import type { Problem } from '#contract/problem.ts'

/** A batch as its row has it. */
export interface BatchRecord {
  id: string
  kind: Batch['kind']
  state: Batch['state']
  pause: Pause | null
  problem: Problem | null
  waits_until: Date | null
  workspace_id: string
  key_id: string
  entry: Batch['entry']
  name: string
  settings: Batch['settings']
  at_once: number
  per_minute: number | null
  max_rows: number | null
  max_tokens: number | null
  stop_at: number | null
  total: number
  person_id: string | null
  person: string | null
  server_id: string | null
  created_at: Date
  began_at: Date | null
  ended_at: Date | null
}

/** What the rows of one state come to. */
export interface Sum {
  batch_id: string
  state: RowState
  rows: number
  tokens: number | null
  tokens_rows: number
  /** The most that one row took. */
  largest: number | null
  duration_ms: number | null
}
export interface PriceSum {
  batch_id: string
  currency: string | null
  total: string
  rows: number
}

export interface RowRecord extends Omit<BatchRow, 'run' | 'began_at' | 'result'> {
  run_id: string | null
  result: unknown
  began_at: Date | null
}

/** The batch as the console's API shows it. */
export function batchOf(record: BatchRecord, sums: readonly Sum[], prices: readonly PriceSum[]): Batch {
  const of = (state: RowState) => sums.find((sum) => sum.state === state)
  const succeeded = of('succeeded')
  const tokens_rows = sums.reduce((all, sum) => all + sum.tokens_rows, 0)
  return {
    id: record.id,
    kind: record.kind,
    state: record.state,
    pause: record.pause,
    problem: record.problem,
    waits_until: record.waits_until?.toISOString() ?? null,
    workspace: record.workspace_id,
    key: record.key_id,
    entry: record.entry,
    name: record.name,
    settings: record.settings,
    bounds: {
      at_once: record.at_once,
      per_minute: record.per_minute,
      max_rows: record.max_rows,
      max_tokens: record.max_tokens,
    },
    person: record.person,
    total: record.total,
    counts: {
      waiting: of('waiting')?.rows ?? 0,
      running: of('running')?.rows ?? 0,
      succeeded: succeeded?.rows ?? 0,
      failed: of('failed')?.rows ?? 0,
      stopped: of('stopped')?.rows ?? 0,
      unknown: of('unknown')?.rows ?? 0,
    },
    tokens: tokens_rows > 0 ? sums.reduce((all, sum) => all + (sum.tokens ?? 0), 0) : null,
    tokens_rows,
    prices: prices.map(({ currency, total, rows }) => ({ currency, total, rows })),
    row_ms: succeeded?.duration_ms == null ? null : Math.round(succeeded.duration_ms / succeeded.rows),
    created_at: record.created_at.toISOString(),
    began_at: record.began_at?.toISOString() ?? null,
    ended_at: record.ended_at?.toISOString() ?? null,
  }
}

export const rowOf = ({ run_id, result, began_at, ...row }: RowRecord): BatchRow => ({
  ...row,
  run: run_id,
  result: typeof result === 'string' ? result : null,
  began_at: began_at?.toISOString() ?? null,
})
