import { useSearchParams } from 'react-router'
import { useSearchParamChange } from './useSearchParamChange.ts'

export interface SearchParamState {
  /** The unvalidated value of a URL parameter; the contract validates it. */
  get: (name: string) => string | undefined
  /** Sets URL parameters; an empty value removes one. A change of what the list holds resets to the first page. */
  set: (values: Record<string, string | number | null>, options?: { replace?: boolean }) => void
}

/** Parameters of what is open next to a list or above it: they do not change its page. */
const DETAIL_PARAMS = new Set(
  'add adopt annotation by call case drift frame import node rename setting source tab update'.split(' '),
)

/** Keeps the state of a list in the URL: Back undoes a filter, and a link restores the view. */
export function useSearchParamState(): SearchParamState {
  const [search] = useSearchParams()
  const changeParams = useSearchParamChange()
  return {
    get: (name) => search.get(name) ?? undefined,
    set: (values, options) =>
      changeParams((params) => {
        if (Object.keys(values).some((name) => !DETAIL_PARAMS.has(name)))
          for (const place of ['page', 'before']) if (!(place in values)) params.delete(place)
        for (const [name, value] of Object.entries(values)) {
          if (value === null || value === '') params.delete(name)
          else params.set(name, String(value))
        }
      }, options),
  }
}
