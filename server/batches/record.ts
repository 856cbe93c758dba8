import type { Batch, BatchRow, Pause, RowState } from '#contract/batches.ts'
import type { Problem } from '#contract/problem.ts'
import type { Sum } from './sums.ts'

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
  started_by: string | null
  person: string | null
  server_id: string | null
  created_at: Date
  began_at: Date | null
  ended_at: Date | null
}

export interface RowRecord extends Omit<BatchRow, 'run' | 'began_at' | 'result'> {
  run_id: string | null
  result: unknown
  began_at: Date | null
}

/** The batch as the console's API shows it. */
export function batchOf(record: BatchRecord, sums: readonly Sum[]): Batch {
  const rowsOf = (state: RowState) => total(sums.filter((sum) => sum.state === state).map(({ rows }) => rows))
  const succeeded = sums.filter(({ state }) => state === 'succeeded')
  const timed = succeeded.filter(({ duration_ms }) => duration_ms !== null)
  const tokens_rows = total(sums.map((sum) => sum.tokens_rows))
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
      waiting: rowsOf('waiting'),
      running: rowsOf('running'),
      succeeded: rowsOf('succeeded'),
      failed: rowsOf('failed'),
      stopped: rowsOf('stopped'),
      unknown: rowsOf('unknown'),
    },
    tokens: tokens_rows > 0 ? total(sums.map(({ tokens }) => tokens ?? 0)) : null,
    tokens_rows,
    prices: pricesOf(sums),
    row_ms:
      timed.length === 0
        ? null
        : Math.round(total(timed.map(({ duration_ms }) => duration_ms ?? 0)) / total(timed.map(({ rows }) => rows))),
    created_at: record.created_at.toISOString(),
    began_at: record.began_at?.toISOString() ?? null,
    ended_at: record.ended_at?.toISOString() ?? null,
  }
}

const total = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

/** By currency. Where rows of one state alone have a price, its digits are the database's own. */
function pricesOf(sums: readonly Sum[]): Batch['prices'] {
  const priced = sums.filter(({ price_rows }) => price_rows > 0)
  return [...new Set(priced.map(({ currency }) => currency))].map((currency) => {
    const its = priced.filter((sum) => sum.currency === currency)
    return {
      currency,
      total: its.length === 1 ? (its[0]?.price ?? '0') : String(total(its.map(({ price }) => Number(price)))),
      rows: total(its.map(({ price_rows }) => price_rows)),
    }
  })
}

export const rowOf = ({ run_id, result, began_at, ...row }: RowRecord): BatchRow => ({
  ...row,
  run: run_id,
  result: typeof result === 'string' ? result : null,
  began_at: began_at?.toISOString() ?? null,
})
