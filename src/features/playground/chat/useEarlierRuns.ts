import { useQuery } from '@tanstack/react-query'
import { contract } from '#contract/index.ts'
import type { Run } from '#contract/console/runs.ts'
import { call } from '../../../client/http.ts'
import { runStore } from '../../../client/useRun.ts'

/** So many failed tries of a first question are read again at most. */
const MAX_EARLIER_RUNS = 20

/**
 * Runs that came to no conversation and that a run of this one was made from, oldest first: the first tries of a first
 * question. The turns of a conversation do not have them.
 */
export function useEarlierRuns(serverRuns: readonly Run[]): readonly Run[] {
  const knownRunIds = new Set(serverRuns.map(({ id }) => id))
  const orphan = serverRuns.find(({ parent }) => parent !== null && !knownRunIds.has(parent) && !runStore.view(parent))
  const from = orphan?.parent ?? null
  const read = useQuery({
    queryKey: ['earlier runs', from],
    queryFn: ({ signal }) => readAncestors(from, signal),
    enabled: from !== null,
    staleTime: Infinity,
  })
  return from === null ? [] : (read.data ?? [])
}

async function readAncestors(from: string | null, signal: AbortSignal): Promise<Run[]> {
  const ancestors: Run[] = []
  for (let run_id = from; run_id !== null && ancestors.length < MAX_EARLIER_RUNS;) {
    const run = await call(contract.console.readRun, { params: { run_id } }, { signal })
    // One of another conversation is no try of this turn: it was played again from there.
    if (run.conversation_id !== null) break
    ancestors.unshift(run)
    run_id = run.parent
  }
  return ancestors
}
