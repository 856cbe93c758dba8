import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { contract } from '#contract/index.ts'
import { isLive, type Run } from '#contract/runs.ts'
import { call, urlOf } from './call.ts'
import { type Answered, answered } from './query.ts'
import { runs, useRunEnd } from './useRun.ts'

/** Milliseconds between looks at a run that goes on and that this page does not watch. */
const POLL = 2_500

/** Another page may have it still to send: it is looked for so often, and so long. */
const POLL_UNSENT = 5_000
const TRIES = 60

interface Asked {
  state: { data?: Run | undefined; errorUpdateCount: number }
}

const inputOf = (run_id: string) => ({ params: { run_id } })

/**
 * The server's rows of many runs, in the order of their ids. A run that has ended never changes and is read once; one that
 * this page watches is read when it has ended. Those of `unsent` are not asked for.
 */
export function useRunRows(ids: readonly string[], unsent: (run_id: string) => boolean): Answered<Run>[] {
  const client = useQueryClient()
  const [, draw] = useState(0)
  useRunEnd(
    useCallback(
      (run_id) => {
        void client.invalidateQueries({ queryKey: [urlOf(contract.console.readRun, inputOf(run_id))] })
        draw((count) => count + 1)
      },
      [client],
    ),
  )
  return useQueries({
    queries: ids.map((run_id) => ({
      queryKey: [urlOf(contract.console.readRun, inputOf(run_id))],
      queryFn: ({ signal }: { signal: AbortSignal }) => call(contract.console.readRun, inputOf(run_id), { signal }),
      enabled: !unsent(run_id) && runs.view(run_id)?.phase !== 'watching',
      staleTime: ({ state: { data } }: Asked) => (data && !isLive(data.status) ? Infinity : 0),
      refetchInterval: ({ state: { data, errorUpdateCount } }: Asked) =>
        data ? isLive(data.status) && POLL : errorUpdateCount < TRIES && POLL_UNSENT,
      refetchOnWindowFocus: ({ state: { data } }: Asked) => data !== undefined,
    })),
    combine: answered,
  }) as Answered<Run>[]
}
