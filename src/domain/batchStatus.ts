import type { Batch } from '#contract/console/batches.ts'
import { formatCount } from './metricFormat.ts'

export interface BatchStatus {
  status: string
  /** The badge state, if the text alone does not show it. */
  state?: 'failed' | 'unknown' | 'stopped'
}

/** The status of a batch for its badge; for a finished one how many rows have no result, and why. */
export function getBatchStatus({ state, pause, counts }: Pick<Batch, 'state' | 'pause' | 'counts'>): BatchStatus {
  if (state === 'paused' && pause === 'not_started') return { status: 'queued' }
  if (state !== 'ended') return { status: state }
  const [worst, ...others] = (['failed', 'unknown', 'stopped'] as const).filter((rowState) => counts[rowState] > 0)
  if (!worst) return { status: 'completed' }
  const rows = [worst, ...others].map((rowState) => `${formatCount(counts[rowState])} ${rowState}`)
  return { status: ['finished', ...rows].join(', '), state: worst }
}
