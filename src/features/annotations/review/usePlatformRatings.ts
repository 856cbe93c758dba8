import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { EndpointReply } from '#contract/endpoint.ts'
import { type AppFeedback, optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import type { Run } from '#contract/console/runs.ts'
import { reviewEndpoints } from '#contract/console/review.ts'
import type { ProblemError } from '#contract/problem.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { call } from '../../../client/http.ts'

export type LedgerMessage = EndpointReply<typeof reviewEndpoints.findRatedMessages>['data'][number]

/** One page of the platform's ratings, and what the ledger knows of their messages. */
interface RatingPage {
  feedbacks: AppFeedback[]
  ledgerMessages: LedgerMessage[]
}

/** Who gave a rating: a person through this console, an end user at the platform, or an operator at the platform. */
type RatingOrigin = 'here' | 'endUser' | 'operator'

interface MessageRating {
  id: string
  rating: string
  comment: string
  /** ISO 8601; null if the platform names no time. */
  at: string | null
  origin: RatingOrigin
}

export interface RatedMessage {
  /** Null if the platform names no message. */
  message_id: string | null
  conversation_id: string | null
  /** The platform's id of the end user who asked. */
  end_user_id: string | null
  run: Run | null
  /** In the order of the platform. */
  ratings: MessageRating[]
}

/**
 * The rated messages of all loaded pages in the order of the platform. Each message appears once, with all its ratings: a
 * user and an operator may both have rated it. A rating that moved to the next page while pages were loaded counts once.
 */
export function mergeRatedMessages(pages: readonly RatingPage[]): RatedMessage[] {
  const known = new Map(pages.flatMap(({ ledgerMessages }) => ledgerMessages.map((one) => [one.message_id, one])))
  const merged = new Map<string, RatedMessage>()
  const seenIds = new Set<string>()
  for (const feedback of pages.flatMap(({ feedbacks }) => feedbacks)) {
    if (!feedback.rating || seenIds.has(feedback.id)) continue
    seenIds.add(feedback.id)
    const message_id = feedback.message_id ?? null
    const ledgerMessage = message_id === null ? undefined : known.get(message_id)
    const key = message_id ?? `feedback ${feedback.id}`
    const message = merged.get(key) ?? {
      message_id,
      conversation_id: feedback.conversation_id ?? ledgerMessage?.run?.conversation_id ?? null,
      end_user_id: null,
      run: ledgerMessage?.run ?? null,
      ratings: [],
    }
    message.end_user_id ??= feedback.from_end_user_id ?? null
    message.ratings.push({
      id: feedback.id,
      rating: feedback.rating,
      comment: feedback.content?.trim() ?? '',
      at: feedback.updated_at ?? feedback.created_at ?? null,
      origin: getOrigin(feedback, ledgerMessage),
    })
    merged.set(key, message)
  }
  return [...merged.values()]
}

/** A rating through this console comes back as one of the end user whom the console named. */
const getOrigin = (feedback: AppFeedback, known: LedgerMessage | undefined): RatingOrigin =>
  feedback.from_source === 'admin' ? 'operator' : known?.rating === feedback.rating ? 'here' : 'endUser'

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
