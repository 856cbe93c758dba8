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

/** The question and the settings of a test, which are in the URL, and the unfolded hit. */
export function useRetrievalTestState() {
  const { get, set } = useSearchParamState()
  const [round, setRound] = useState(0)
  const b = get('b')
  const searchQuery: SearchQuery = {
    query: get('q') ?? '',
    a: parseTestSettings(get('a')),
    b: b === undefined ? null : parseTestSettings(b === SAME_SETTINGS ? '' : b),
  }
  return {
    searchQuery,
    /** Counts the searches that were asked for on this page. */
    round,
    search: ({ query, a, b: other }: SearchQuery) => {
      setRound(round + 1)
      set({ q: query, a: formatTestSettings(a), b: other && (formatTestSettings(other) || SAME_SETTINGS), hit: null })
    },
    openHit: get('hit') ?? null,
    setOpenHit: (segment_id: string | null) => set({ hit: segment_id }, { replace: true }),
  }
}

/** In the URL, for a second column with the settings of the dataset. */
const SAME_SETTINGS = 'dataset'

/** One column of a test. A search that costs a run waits until it is asked for; any other comes with the page. */
export function useSearch(
  search: SearchFunction,
  { query, model, round, scope }: { query: string; model: RetrievalSettings | undefined; round: number; scope: string },
  isEnabled: boolean,
) {
  return useQuery<SearchOutcome, ProblemError>({
    queryKey: ['retrieval test', scope, query, JSON.stringify(model ?? null), round],
    queryFn: () => search(query, model),
    enabled: isEnabled && query !== '',
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
}
