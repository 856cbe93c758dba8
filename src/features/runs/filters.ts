import type { Input } from '#contract/endpoint.ts'
import type { contract } from '#contract/index.ts'
import type { Filter, Filters } from '../../run/filters/filters.ts'

/** The filters of the list of runs. */
export const RUN_FILTERS = ['q', 'app', 'entry', 'status', 'person', 'user', 'from', 'to'] as const satisfies Filter[]

export type RunsQuery = NonNullable<Input<typeof contract.console.listRuns>['query']>

/** The filters as the server takes them. What it does not know it refuses by name. */
export function queryOf({ app, ...rest }: Filters, workspace: string, before?: string, limit?: string): RunsQuery {
  return { ...rest, workspace, key: app, before, limit } as RunsQuery
}
