import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import { isLive, type Run } from '#contract/runs.ts'
import { refresh, useRead } from '../wire/query.ts'
import { useRun, useRunEnd, useRunPart } from '../wire/useRun.ts'
import { ENTRIES } from './entries.ts'
import { type Turn, turnOf } from './turn.ts'

export interface ReadTurn {
  turn: Turn | null
  /** The server's row, null while only this browser knows of the run. */
  run: Run | null
  isLoading: boolean
  problem: Problem | null
  retry: () => void
}

const POLL = 5_000
/** For so long the server asks the platform for the end of a workflow that broke off, milliseconds. */
const ASKED_FOR = 400_000

/** The server may still learn how the run ended. */
const isAsked = ({ entry, status, workflow_run_id, created_at, duration_ms }: Run): boolean =>
  entry === 'workflows.run' &&
  status === 'interrupted' &&
  workflow_run_id !== null &&
  Date.now() - Date.parse(created_at) - (duration_ms ?? 0) < ASKED_FOR

/** One run of any kind, from the server and from this browser's line; watched while it goes on. */
export function useTurn(run_id: string | null): ReadTurn {
  const client = useQueryClient()
  // A run that is on its way from here is not known to the server yet.
  const isHere = useRunPart(run_id, (view) => view !== null)
  const isLeaving = useRunPart(run_id, (view) => view?.phase === 'watching' && view.line.state === 'sending')
  const read = useRead(
    contract.console.readRun,
    { params: { run_id: run_id ?? '' } },
    { enabled: run_id !== null && !isLeaving, poll: (reply) => (reply && isAsked(reply) ? POLL : false) },
  )
  const run = read.data && read.data.id === run_id ? read.data : null
  const view = useRun(ENTRIES[run?.entry ?? 'chat.send'], run_id, run !== null && isLive(run.status))
  useRunEnd(useCallback(() => void refresh(client, ['runs']), [client]))
  return {
    turn: turnOf(run, view),
    run,
    isLoading: run_id !== null && !isHere && read.isFetching && !run,
    problem: run || isHere ? null : (read.error?.problem ?? null),
    retry: () => void read.refetch(),
  }
}
