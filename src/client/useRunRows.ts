import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { call, buildUrl } from './http.ts'
import { type ReadResult, toReadResults } from './parallelReads.ts'
import { runStore, useRunEnd } from './useRun.ts'

/** Poll interval of an active run that this page does not watch, in ms. */
const ACTIVE_POLL_INTERVAL_MS = 2_500

/** Another page may not have sent it yet: poll interval and limit. */
const UNSENT_POLL_INTERVAL_MS = 5_000
const MAX_UNSENT_ATTEMPTS = 60

interface RunRowQuery {
  state: { data?: Run | undefined; errorUpdateCount: number }
}

const toInput = (run_id: string) => ({ params: { run_id } })

/**
 * The server's rows of many runs, in the order of their ids. The row of an ended run is immutable and read once; that
 * of a run that this page watches is read after its end.
 */
export function useRunRows(ids: readonly string[]): ReadResult<Run>[] {
  const client = useQueryClient()
  const [, draw] = useState(0)
  useRunEnd(
    useCallback(
      (run_id) => {
        void client.invalidateQueries({ queryKey: [buildUrl(runEndpoints.readRun, toInput(run_id))] })
        draw((count) => count + 1)
      },
      [client],
    ),
  )
  return useQueries({
    queries: ids.map((run_id) => ({
      queryKey: [buildUrl(runEndpoints.readRun, toInput(run_id))],
      queryFn: ({ signal }: { signal: AbortSignal }) => call(runEndpoints.readRun, toInput(run_id), { signal }),
      enabled: runStore.view(run_id)?.phase !== 'watching',
      staleTime: ({ state: { data } }: RunRowQuery) => (data && !isActiveStatus(data.status) ? Infinity : 0),
      refetchInterval: ({ state: { data, errorUpdateCount } }: RunRowQuery) =>
        data
          ? isActiveStatus(data.status) && ACTIVE_POLL_INTERVAL_MS
          : errorUpdateCount < MAX_UNSENT_ATTEMPTS && UNSENT_POLL_INTERVAL_MS,
      refetchOnWindowFocus: ({ state: { data } }: RunRowQuery) => data !== undefined,
    })),
    combine: toReadResults,
  }) as ReadResult<Run>[]
}
