import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ProblemError } from '#contract/problem.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import type { RetrievalSettings } from './retrievalModelForm.ts'
import type { SearchFunction, SearchOutcome } from './retrievalSearch.ts'
import { formatTestSettings, parseTestSettings, type TestSettings } from './testSettings.ts'

export interface SearchQuery {
  query: string
  a: TestSettings
  /** The settings to compare with; null for none. */
  b: TestSettings | null
}

/** A requested search. Back and Forward find its result again. */
interface SearchRequest {
  /** Distinguishes it from an earlier request of the same search. */
  requestedAt: number
  scope: string
}

const toRequestKey = (...params: (string | undefined)[]): string => JSON.stringify(params.map((value) => value ?? ''))

/** The question and the settings of a test, which are in the URL, and the unfolded hit. */
export function useRetrievalTestState() {
  const { get, set } = useSearchParamState()
  const [requests, setRequests] = useState<Readonly<Record<string, SearchRequest>>>({})
  const b = get('b')
  const searchQuery: SearchQuery = {
    query: get('q') ?? '',
    a: parseTestSettings(get('a')),
    b: b === undefined ? null : parseTestSettings(b === SAME_SETTINGS ? '' : b),
  }
  return {
    searchQuery,
    /** How the search in the URL was last requested on this page; undefined if it came with the URL. */
    request: requests[toRequestKey(get('q'), get('a'), b)],
    search: ({ query, a, b: other }: SearchQuery, scope: string) => {
      const params = { a: formatTestSettings(a), b: other ? formatTestSettings(other) || SAME_SETTINGS : '' }
      setRequests({ ...requests, [toRequestKey(query, params.a, params.b)]: { requestedAt: Date.now(), scope } })
      set({ q: query, ...params, hit: null })
    },
    openHit: get('hit') ?? null,
    setOpenHit: (segment_id: string | null) => set({ hit: segment_id }, { replace: true }),
  }
}

/** In the URL, for a second column with the settings of the dataset. */
const SAME_SETTINGS = 'dataset'

interface SearchInput {
  query: string
  model: RetrievalSettings | undefined
  /** Null if it came with the URL. */
  requestedAt: number | null
  scope: string
  /** Whether it costs a run: its result is then cached for the life of the page. */
  isPaid: boolean
}

/** One column of a test. A search that costs a run waits until it is requested; any other starts with the page. */
export function useSearch(
  search: SearchFunction,
  { query, model, requestedAt, scope, isPaid }: SearchInput,
  isEnabled: boolean,
) {
  return useQuery<SearchOutcome, ProblemError>({
    queryKey: ['retrieval test', scope, query, JSON.stringify(model ?? null), requestedAt],
    queryFn: () => search(query, model),
    enabled: isEnabled && query !== '',
    retry: false,
    staleTime: Infinity,
    ...(isPaid ? { gcTime: Infinity } : {}),
    refetchOnWindowFocus: false,
  })
}
