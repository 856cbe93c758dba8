import { useQuery } from '@tanstack/react-query'
import { contract } from '#contract/index.ts'
import type { Run } from '#contract/runs.ts'
import { call } from '../../wire/call.ts'
import { runs } from '../../wire/useRun.ts'

/** So many failed tries of a first question are read again at most. */
const MOST = 20

/**
 * Runs that came to no conversation and that a run of this one was made from, oldest first: the first tries of a first
 * question. The turns of a conversation do not have them.
 */
export function useEarlier(told: readonly Run[]): readonly Run[] {
  const known = new Set(told.map(({ id }) => id))
  const orphan = told.find(({ parent }) => parent !== null && !known.has(parent) && !runs.view(parent))
  const from = orphan?.parent ?? null
  const read = useQuery({
    queryKey: ['earlier runs', from],
    queryFn: ({ signal }) => readBack(from, signal),
    enabled: from !== null,
    staleTime: Infinity,
  })
  return from === null ? [] : (read.data ?? [])
}

async function readBack(from: string | null, signal: AbortSignal): Promise<Run[]> {
  const found: Run[] = []
  for (let run_id = from; run_id !== null && found.length < MOST;) {
    const run = await call(contract.console.readRun, { params: { run_id } }, { signal })
    // One of another conversation is no try of this turn: it was played again from there.
    if (run.conversation_id !== null) break
    found.unshift(run)
    run_id = run.parent
  }
  return found
}
