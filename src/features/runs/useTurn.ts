import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Problem } from '#contract/problem.ts'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { invalidateTags, useRead } from '../../client/query.ts'
import { useRun, useRunEnd, useRunPart } from '../../client/useRun.ts'
import { RUN_ENTRIES } from './runEntries.ts'
import { RECONCILIATION_WINDOW_MS, type Turn, toTurn } from './turn.ts'

export interface TurnRead {
  turn: Turn | null
  /** The server's row, null while only this browser knows of the run. */
  run: Run | null
  isLoading: boolean
  problem: Problem | null
  retry: () => void
}

const RECONCILIATION_POLL_INTERVAL_MS = 5_000

/** The server may still learn how the run ended. */
const isBeingReconciled = ({ status, workflow_run_id, created_at, duration_ms }: Run): boolean =>
  status === 'interrupted' &&
  workflow_run_id !== null &&
  Date.now() - Date.parse(created_at) - (duration_ms ?? 0) < RECONCILIATION_WINDOW_MS + RECONCILIATION_POLL_INTERVAL_MS

/** One run of any kind, from the server and this browser's connection; watched while it is active. */
export function useTurn(run_id: string | null): TurnRead {
  const client = useQueryClient()
  // A run that is on its way from here is not known to the server yet.
  const isLocal = useRunPart(run_id, (view) => view !== null)
  const isSending = useRunPart(run_id, (view) => view?.phase === 'watching' && view.connection.state === 'sending')
  const read = useRead(
    runEndpoints.readRun,
    { params: { run_id: run_id ?? '' } },
    {
      enabled: run_id !== null && !isSending,
      pollIntervalMs: (reply) => (reply && isBeingReconciled(reply) ? RECONCILIATION_POLL_INTERVAL_MS : false),
    },
  )
  const run = read.data ?? null
  const view = useRun(RUN_ENTRIES[run?.entry ?? 'chat.send'], run_id, run !== null && isActiveStatus(run.status))
  useRunEnd(useCallback(() => void invalidateTags(client, ['runs']), [client]))
  return {
    turn: toTurn(run, view),
    run,
    isLoading: run_id !== null && !isLocal && read.isFetching && !run,
    problem: run || isLocal ? null : (read.error?.problem ?? null),
    retry: () => void read.refetch(),
  }
}
