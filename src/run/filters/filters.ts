import type { ListState } from '../../ui/useListState.ts'

/** The filters that a list of calls may have, by the names that they have in the URL. */
export const FILTERS = ['q', 'app', 'entry', 'status', 'person', 'user', 'thing', 'from', 'to'] as const
export type Filter = (typeof FILTERS)[number]
export type Filters = Partial<Record<Filter, string>>

export const filtersOf = (names: readonly Filter[], get: ListState['get']): Filters =>
  Object.fromEntries(names.flatMap((name) => (get(name) ? [[name, get(name)]] : [])))

export const noFilters = Object.fromEntries(FILTERS.map((name) => [name, null]))
