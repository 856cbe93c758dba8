import type { SearchParamState } from '../../../components/hooks/useSearchParamState.ts'

/** The filters that a list of calls may have, by URL parameter. */
export const CALL_FILTER_NAMES = [
  'q',
  'app',
  'entry',
  'status',
  'origin',
  'tag',
  'rating',
  'person',
  'user',
  'version',
  'conversation',
  'error',
  'resource',
  'from',
  'to',
] as const
/** The parameter `resource` in links of earlier releases. */
const OLD_RESOURCE_PARAM = 'thing'
export type CallFilterName = (typeof CALL_FILTER_NAMES)[number]
export type CallFilterValues = Partial<Record<CallFilterName, string>>

export function readCallFilters(names: readonly CallFilterName[], get: SearchParamState['get']): CallFilterValues {
  const read = (name: CallFilterName) => get(name) ?? (name === 'resource' ? get(OLD_RESOURCE_PARAM) : undefined)
  return Object.fromEntries(names.flatMap((name) => (read(name) ? [[name, read(name)]] : [])))
}

/** Maps a change of the filters to a change of the URL. */
export const toFilterParams = (change: Record<string, string | null>): Record<string, string | null> =>
  'resource' in change ? { ...change, [OLD_RESOURCE_PARAM]: null } : change

export const emptyCallFilters = toFilterParams(Object.fromEntries(CALL_FILTER_NAMES.map((name) => [name, null])))
