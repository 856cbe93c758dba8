import { useSearchParams } from 'react-router'

export interface SearchParamState {
  /** What the URL says under a name, as it stands there: what it may be is for the contract to say. */
  get: (name: string) => string | undefined
  /** Puts values into the URL; a value that is empty leaves it. Any change but of the page goes to the first page. */
  set: (values: Record<string, string | number | null>, options?: { replace?: boolean }) => void
}

/** The state of a list is the URL: Back undoes a filter, and a link shows what was seen. */
export function useSearchParamState(): SearchParamState {
  const [search, setSearch] = useSearchParams()
  return {
    get: (name) => search.get(name) ?? undefined,
    set: (values, options = {}) =>
      setSearch((before) => {
        const after = new URLSearchParams(before)
        for (const place of ['page', 'before']) if (!(place in values)) after.delete(place)
        for (const [name, value] of Object.entries(values)) {
          if (value === null || value === '') after.delete(name)
          else after.set(name, String(value))
        }
        return after
      }, options),
  }
}
