import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ProblemError } from '#contract/problem.ts'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import { reviewEndpoints } from '#contract/console/review.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { call } from '../../../client/http.ts'
import { mergeRatedMessages, type RatingPage } from './mergeRatings.ts'

const PAGE_SIZE_RATINGS = 20
const { listFeedbacks } = optionalMessageEndpoints
const { findRatedMessages } = reviewEndpoints

/** The ratings that the platform lists, newest first, a page at a time, merged with the ledger by their message. */
export function usePlatformRatings(app: Key) {
  const read = useInfiniteQuery<RatingPage, ProblemError, { pages: RatingPage[] }, unknown[], number>({
    queryKey: ['ratings', app.id],
    queryFn: async ({ pageParam, signal }) => {
      const query = { page: pageParam, limit: PAGE_SIZE_RATINGS }
      const { data: feedbacks } = await call(listFeedbacks, { key: app.id, query }, { signal })
      const message_ids = [...new Set(feedbacks.flatMap(({ message_id }) => message_id || []))]
      if (message_ids.length === 0) return { feedbacks, ledgerMessages: [] }
      const { data } = await call(findRatedMessages, { query: { key: app.id, message_ids } }, { signal })
      return { feedbacks, ledgerMessages: data }
    },
    initialPageParam: 1,
    // The list has neither a total nor `has_more`: a full page may have a next one.
    getNextPageParam: ({ feedbacks }, _pages, page) => (feedbacks.length < PAGE_SIZE_RATINGS ? undefined : page + 1),
    meta: { shows: [...listFeedbacks.tags, ...findRatedMessages.tags] },
    // Every loaded page would be read again.
    refetchOnWindowFocus: false,
  })
  const pages = read.data?.pages
  return {
    /** Undefined until the first page is loaded. */
    messages: useMemo(() => pages && mergeRatedMessages(pages), [pages]),
    problem: read.error?.problem ?? null,
    hasMore: read.hasNextPage,
    isLoadingMore: read.isFetchingNextPage,
    loadMore: () => void read.fetchNextPage(),
    retry: () => void read.refetch(),
  }
}
