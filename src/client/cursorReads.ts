import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ProblemError } from '#contract/problem.ts'
import { buildUrl, call, type CallTarget } from './http.ts'
import { keepReplyAbout } from './query.ts'

/** The rows of a cursor-paginated list; loads pages until there are enough rows or no more pages. */
export function useAllRows<Row>(
  entry: Endpoint & { reply: z.ZodType<{ data: Row[]; next: string | null }> },
  input: { query: Record<string, unknown> },
  isEnough: (rows: readonly Row[]) => boolean,
) {
  return useQuery<Row[], ProblemError>({
    queryKey: [buildUrl(entry, input as CallTarget<typeof entry>), 'rows'],
    queryFn: async ({ signal }) => {
      const rows: Row[] = []
      let before: string | null = null
      do {
        const query = { ...input.query, ...(before === null ? {} : { before }) }
        const page: { data: Row[]; next: string | null } = await call(entry, { query } as CallTarget<typeof entry>, {
          signal,
        })
        rows.push(...page.data)
        before = page.next
      } while (before !== null && !isEnough(rows))
      return rows
    },
    meta: { shows: entry.tags },
  })
}

/** An infinite query by cursor; `data` is undefined until the first page is loaded. */
export function useCursorPages<Page extends { next: string | null }>(
  entry: Endpoint & { reply: z.ZodType<Page> },
  input: { query: Record<string, unknown> },
  { enabled = true }: { enabled?: boolean } = {},
) {
  const url = buildUrl(entry, input as CallTarget<typeof entry>)
  return useInfiniteQuery<Page, ProblemError, InfiniteData<Page>, unknown[], string | undefined>({
    queryKey: [url, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(entry, { ...input, query: { ...input.query, before: pageParam } } as CallTarget<typeof entry>, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    meta: { shows: entry.tags },
    enabled,
    placeholderData: keepReplyAbout(url),
    // Every loaded page would be read again.
    refetchOnWindowFocus: false,
  })
}
