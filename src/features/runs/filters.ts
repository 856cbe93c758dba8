import type { Input } from '#contract/endpoint.ts'
import type { contract } from '#contract/index.ts'
import type { ListState } from '../../ui/useListState.ts'

/** The filters of the list, by the names that they have in the URL. */
export const FILTERS = ['q', 'app', 'entry', 'status', 'person', 'user', 'from', 'to'] as const
export type Filter = (typeof FILTERS)[number]
export type Filters = Partial<Record<Filter, string>>

export type RunsQuery = NonNullable<Input<typeof contract.console.listRuns>['query']>

export const filtersOf = (get: ListState['get']): Filters =>
  Object.fromEntries(FILTERS.flatMap((name) => (get(name) ? [[name, get(name)]] : [])))

/** The filters as the server takes them. What it does not know it refuses by name. */
export function queryOf({ app, ...rest }: Filters, workspace: string, page?: string, limit?: string): RunsQuery {
  return { ...rest, workspace, key: app, page, limit } as RunsQuery
}

export const noFilters = Object.fromEntries(FILTERS.map((name) => [name, null]))
