import { useQuery } from '@tanstack/react-query'
import type { Run } from '#contract/console/runs.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { call } from '../../../client/http.ts'
import { runStore } from '../../../client/useRun.ts'

/** Maximum failed attempts of a first question to load. */
const MAX_EARLIER_RUNS = 20

/**
 * Failed runs without a conversation from which a run of this one was derived, oldest first. The turns of a
 * conversation do not include them.
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
    const run = await call(runEndpoints.readRun, { params: { run_id } }, { signal })
    // A run of another conversation is no attempt of this turn: it was replayed from there.
    if (run.conversation_id !== null) break
    ancestors.unshift(run)
    run_id = run.parent
  }
  return ancestors
}
