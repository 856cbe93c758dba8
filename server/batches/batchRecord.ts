import type { Batch, BatchRow, PauseReason, RunAction } from '#contract/console/batches.ts'
import type { Problem } from '#contract/problem.ts'
import type { RunStop } from '#contract/console/runs.ts'
import { type BatchTotal, countRows } from './batchTotals.ts'
import { addPlainPrices } from '#domain/price.ts'

export interface BatchRecord {
  id: string
  kind: Batch['kind']
  state: Batch['state']
  pause: PauseReason | null
  problem: Problem | null
  waits_until: Date | null
  workspace_id: string
  /** Null where each row has its own, or none. */
  key_id: string | null
  entry: Batch['entry']
  name: string
  /** In the kind's own format: what all requests of runs share, which table rows were skipped for annotations, the suite of a sweep, or the action of a job. */
  settings:
    | (Partial<NonNullable<Batch['settings']>> &
        Partial<Pick<Batch, 'omitted'>> & { suite?: string; action?: RunAction })
    | null
  at_once: number
  per_minute: number | null
  max_rows: number | null
  max_tokens: number | null
  max_price: number | null
  stop_at: number | null
  total: number
  source: Batch['source']
  person_id: string | null
  started_by: string | null
  person: string | null
  server_id: string | null
  created_at: Date
  began_at: Date | null
  ended_at: Date | null
}

export interface BatchRowRecord extends Omit<
  BatchRow,
  'run' | 'stop' | 'began_at' | 'result' | 'file_row' | 'turn_runs'
> {
  file_row: number | null
  run_id: string | null
  turn_run_ids: string[]
  result: unknown
  began_at: Date | null
}

export function toBatch(record: BatchRecord, totals: readonly BatchTotal[]): Batch {
  const succeeded = totals.filter(({ state }) => state === 'succeeded')
  const timedRows = succeeded.filter(({ duration_ms }) => duration_ms !== null)
  const tokens_rows = sum(totals.map((sum) => sum.tokens_rows))
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
    settings: record.kind === 'run' ? (record.settings as Batch['settings']) : null,
    omitted: record.settings?.omitted ?? null,
    bounds: {
      at_once: record.at_once,
      per_minute: record.per_minute,
      max_rows: record.max_rows,
      max_tokens: record.max_tokens,
      max_price: record.max_price,
    },
    person: record.person,
    total: record.total,
    source: record.source,
    counts: {
      waiting: countRows(totals, 'waiting'),
      running: countRows(totals, 'running'),
      succeeded: countRows(totals, 'succeeded'),
      failed: countRows(totals, 'failed'),
      stopped: countRows(totals, 'stopped'),
      unknown: countRows(totals, 'unknown'),
    },
    tokens: tokens_rows > 0 ? sum(totals.map(({ tokens }) => tokens ?? 0)) : null,
    tokens_rows,
    prices: sumPrices(totals),
    row_ms:
      timedRows.length === 0
        ? null
        : Math.round(
            sum(timedRows.map(({ duration_ms }) => duration_ms ?? 0)) / sum(timedRows.map(({ rows }) => rows)),
          ),
    created_at: record.created_at.toISOString(),
    began_at: record.began_at?.toISOString() ?? null,
    ended_at: record.ended_at?.toISOString() ?? null,
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

/** By currency. */
function sumPrices(totals: readonly BatchTotal[]): Batch['prices'] {
  const priced = totals.filter(({ price_rows }) => price_rows > 0)
  return [...new Set(priced.map(({ currency }) => currency))].map((currency) => {
    const currencyTotals = priced.filter((sum) => sum.currency === currency)
    return {
      currency,
      total: currencyTotals.map(({ price }) => price ?? '0').reduce(addPlainPrices),
      rows: sum(currencyTotals.map(({ price_rows }) => price_rows)),
    }
  })
}

export const toBatchRow = (
  { run_id, turn_run_ids, file_row, result, began_at, ...row }: BatchRowRecord,
  stop: RunStop | null,
): BatchRow => ({
  ...row,
  stop,
  file_row: file_row ?? row.number,
  run: run_id ?? turn_run_ids.at(-1) ?? null,
  turn_runs: run_id ? turn_run_ids : turn_run_ids.slice(0, -1),
  result: typeof result === 'string' ? result : null,
  began_at: began_at?.toISOString() ?? null,
})
