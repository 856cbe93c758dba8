import { useSearchParams } from 'react-router'
import { useSearchParamChange } from './useSearchParamChange.ts'

export interface SearchParamState {
  /** The unvalidated value of a URL parameter; the contract validates it. */
  get: (name: string) => string | undefined
  /** Sets URL parameters; an empty value removes one. Any change except of the page resets to the first page. */
  set: (values: Record<string, string | number | null>, options?: { replace?: boolean }) => void
}

/** Keeps the state of a list in the URL: Back undoes a filter, and a link restores the view. */
export function useSearchParamState(): SearchParamState {
  const [search] = useSearchParams()
  const changeParams = useSearchParamChange()
  return {
    get: (name) => search.get(name) ?? undefined,
    set: (values, options) =>
      changeParams((params) => {
        for (const place of ['page', 'before']) if (!(place in values)) params.delete(place)
        for (const [name, value] of Object.entries(values)) {
          if (value === null || value === '') params.delete(name)
          else params.set(name, String(value))
        }
      }, options),
  }
}
