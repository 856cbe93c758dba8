import type { SearchParamState } from '../../../components/hooks/useSearchParamState.ts'

/** The filters that a list of calls may have, by the names that they have in the URL. */
export const CALL_FILTER_NAMES = ['q', 'app', 'entry', 'status', 'person', 'user', 'thing', 'from', 'to'] as const
export type CallFilterName = (typeof CALL_FILTER_NAMES)[number]
export type CallFilterValues = Partial<Record<CallFilterName, string>>

export const readCallFilters = (names: readonly CallFilterName[], get: SearchParamState['get']): CallFilterValues =>
  Object.fromEntries(names.flatMap((name) => (get(name) ? [[name, get(name)]] : [])))

export const emptyCallFilters = Object.fromEntries(CALL_FILTER_NAMES.map((name) => [name, null]))
