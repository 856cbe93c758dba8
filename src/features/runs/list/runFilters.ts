import type { EndpointInput } from '#contract/endpoint.ts'
import type { contract } from '#contract/index.ts'
import type { CallFilterName, CallFilterValues } from '../callFilters/callFilterParams.ts'

/** The filters of the list of runs. */
export const RUN_FILTERS = [
  'q',
  'app',
  'entry',
  'status',
  'person',
  'user',
  'from',
  'to',
] as const satisfies CallFilterName[]

export type RunListQuery = NonNullable<EndpointInput<typeof contract.console.listRuns>['query']>

/** The filters as query parameters. The server rejects unknown ones by name. */
export function toRunListQuery(
  { app, ...rest }: CallFilterValues,
  workspace: string,
  before?: string,
  limit?: string,
): RunListQuery {
  return { ...rest, workspace, key: app, before, limit } as RunListQuery
}
