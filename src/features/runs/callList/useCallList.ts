import type { Problem } from '#contract/problem.ts'
import { isActiveStatus } from '#contract/console/runs.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { type CallGroupBy, callEndpoints } from '#contract/console/calls.ts'
import { useRead } from '../../../client/query.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import type { CallFilterValues } from '../callFilters/callFilterParams.ts'
import { type CallListPreset, type CallOrder, toCallQuery } from './callListParams.ts'
import type { CallListRow } from './callListRow.ts'

/** Poll intervals (ms): active runs are polled more often. */
const IDLE_POLL_INTERVAL_MS = 5_000
const ACTIVE_POLL_INTERVAL_MS = 1_500

export interface CallListPage {
  data: readonly CallListRow[]
  total: number | null
  total_capped: boolean
  next: string | null
  sorted_among: number | null
}

interface CallList {
  read: {
    data: CallListPage | undefined
    isFetching: boolean
    isPlaceholderData: boolean
    dataUpdatedAt: number
    refetch: () => Promise<unknown>
  }
  problem: Problem | null
  isEmpty: boolean
  /** The total without filters, once a filtered list turned out to be empty. */
  all: CallListPage | undefined
}

/** The page of the list that the URL describes, polled while it is on the screen. */
export function useCallList(
  preset: CallListPreset,
  { workspace, filters, order }: { workspace: string | undefined; filters: CallFilterValues; order: CallOrder },
): CallList {
  const { get } = useSearchParamState()
  const { thing: _earlier, ...callQuery } = toCallQuery(filters, workspace ?? '')
  const page = { ...order, before: get('before'), limit: get('limit') }
  const poll = (reply: CallListPage | undefined) =>
    reply?.data.some(({ status }) => isActiveStatus(status)) ? ACTIVE_POLL_INTERVAL_MS : IDLE_POLL_INTERVAL_MS
  const hasWorkspace = workspace !== undefined
  const runs = useRead(
    runEndpoints.listRuns,
    { query: { ...callQuery, ...page } as RunListQuery },
    {
      enabled: hasWorkspace && preset === 'runs',
      pollIntervalMs: poll,
    },
  )
  const calls = useRead(
    callEndpoints.listCalls,
    { query: { ...callQuery, ...page } as CallListQuery },
    {
      enabled: hasWorkspace && preset === 'calls',
      pollIntervalMs: poll,
    },
  )
  const read = preset === 'runs' ? runs : calls
  const isEmpty = read.data?.total === 0 && read.data.next === null
  const isFiltered = Object.keys(filters).length > 0
  const unfiltered = useRead(
    runEndpoints.listRuns,
    { query: { workspace, limit: 1 } },
    { enabled: isEmpty && isFiltered && preset === 'runs' },
  )
  return { read, problem: read.error?.problem ?? null, isEmpty, all: unfiltered.data }
}

interface CallStatsFilters {
  workspace: string | undefined
  filters: CallFilterValues
  group: CallGroupBy | null
}

/** Totals and groups of all calls that pass the filters, not only of the page; days are those of this browser. */
export function useCallStats(preset: CallListPreset, { workspace, filters, group }: CallStatsFilters) {
  return useRead(
    callEndpoints.readCallStats,
    {
      query: {
        ...toCallQuery(filters, workspace ?? ''),
        kind: preset === 'runs' ? 'runs' : 'all',
        group: group ?? undefined,
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
    },
    { enabled: workspace !== undefined },
  )
}

/** The URL may hold anything: the contract checks it. */
type RunListQuery = NonNullable<Parameters<typeof useRead<typeof runEndpoints.listRuns>>[1]['query']>
type CallListQuery = NonNullable<Parameters<typeof useRead<typeof callEndpoints.listCalls>>[1]['query']>
