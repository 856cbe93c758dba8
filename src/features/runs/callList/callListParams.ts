import { type CallQuery, CALL_SORTS, type CallSort } from '#contract/console/callQuery.ts'
import { type CallGroupBy, CALL_GROUPS } from '#contract/console/calls.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import type { SearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { CALL_FILTER_NAMES, type CallFilterValues } from '../callFilters/callFilterParams.ts'

/** The list has two defaults: the runs (`/runs`), and every recorded call (`/ledger`). */
export type CallListPreset = 'runs' | 'calls'

/** The operations that are recorded as calls; plain reads are not. */
export const LISTED_OPERATIONS = [...platformEntries].filter(([, { method }]) => method !== 'GET').map(([name]) => name)

/** The filters as query parameters of the lists and of their totals. The server rejects unknown values by name. */
export const toCallQuery = ({ app, conversation, ...rest }: CallFilterValues, workspace: string): CallQuery =>
  ({ ...rest, workspace, key: app, conversation_id: conversation }) as CallQuery

export interface CallOrder {
  sort: CallSort
  order: 'asc' | 'desc'
}

/** Newest first, unless the URL says otherwise. */
export function readCallOrder(get: SearchParamState['get']): CallOrder {
  const sort = CALL_SORTS.find((one) => one === get('sort')) ?? 'started'
  return { sort, order: get('order') === 'asc' ? 'asc' : 'desc' }
}

export const readCallGroup = (get: SearchParamState['get']): CallGroupBy | null =>
  CALL_GROUPS.find((one) => one === get('group')) ?? null

/** The URL parameters that make up a view of the list: filters, order, grouping and columns. */
export const VIEW_PARAMS = [...CALL_FILTER_NAMES, 'sort', 'order', 'group', 'columns', 'limit'] as const

/** The parameters of a view as a query string, in a fixed order, so that equal views are equal. */
export function toViewSearch(get: SearchParamState['get']): string {
  const search = new URLSearchParams()
  for (const name of VIEW_PARAMS) {
    const value = get(name)
    if (value) search.set(name, value)
  }
  return search.toString()
}
