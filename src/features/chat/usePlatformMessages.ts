import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Key } from '#contract/console.ts'
import type { Reply } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { ProblemError } from '#contract/problem.ts'
import { call } from '../../wire/call.ts'

export type PlatformMessage = Reply<typeof contract.adjacent.listMessages>['data'][number]

/** As many as a platform gives at once. */
const PAGE = 100

/** The messages of a conversation as the platform has them, where it tells: the newest page, and older ones on demand. */
export function usePlatformMessages(app: Key, conversation: string | null, user: string) {
  const isTold = app.offers.includes('listMessages') && conversation !== null && user !== ''
  const read = useInfiniteQuery<
    Reply<typeof contract.adjacent.listMessages>,
    ProblemError,
    { pages: Reply<typeof contract.adjacent.listMessages>[] },
    unknown[],
    string | undefined
  >({
    queryKey: ['messages', app.id, conversation, user],
    queryFn: ({ pageParam, signal }) => {
      const query = { conversation_id: conversation ?? '', user, limit: PAGE, first_id: pageParam }
      return call(contract.adjacent.listMessages, { key: app.id, query }, { signal })
    },
    initialPageParam: undefined,
    getNextPageParam: (page) => (page.has_more ? page.data[0]?.id : undefined),
    meta: { shows: contract.adjacent.listMessages.shows },
    enabled: isTold,
  })
  const pages = read.data?.pages
  const messages = useMemo(() => (pages ?? []).toReversed().flatMap(({ data }) => data), [pages])
  return {
    /** Oldest first. */
    messages,
    ratings: useMemo(
      () => new Map(messages.flatMap(({ id, feedback }) => (feedback?.rating ? [[id, feedback.rating]] : []))),
      [messages],
    ),
    isLoading: isTold && read.isPending,
    error: read.error,
    retry: () => void read.refetch(),
    /** Null where there is nothing older. */
    readOlder: read.hasNextPage ? () => void read.fetchNextPage() : null,
    isReadingOlder: read.isFetchingNextPage,
  }
}

/**
 * The messages that came before the first turn this console has seen; all of them where it has seen none. `seen` are the
 * messages of its turns, `from` the moment of the first one in milliseconds since 1970.
 */
export const unseenOf = (messages: readonly PlatformMessage[], seen: ReadonlySet<string>, from: number | null) => {
  const at = messages.findIndex(
    ({ id, created_at }) => seen.has(id) || (from !== null && (created_at ?? 0) * 1000 >= from),
  )
  return at < 0 ? messages : messages.slice(0, at)
}
