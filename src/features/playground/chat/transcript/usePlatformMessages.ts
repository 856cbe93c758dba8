import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { EndpointReply } from '#contract/endpoint.ts'
import type { ProblemError } from '#contract/problem.ts'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { call } from '../../../../client/http.ts'

export type PlatformMessage = EndpointReply<typeof optionalMessageEndpoints.listMessages>['data'][number]

/** The maximum page size of the platform. */
const PAGE_SIZE_MESSAGES = 100

/** The messages of a conversation from the platform, if it lists them: the newest page, and older ones on demand. */
export function usePlatformMessages(app: Key, conversation: string | null, user: string) {
  const isFromPlatform = app.offers.includes('listMessages') && conversation !== null && user !== ''
  const read = useInfiniteQuery<
    EndpointReply<typeof optionalMessageEndpoints.listMessages>,
    ProblemError,
    { pages: EndpointReply<typeof optionalMessageEndpoints.listMessages>[] },
    unknown[],
    string | undefined
  >({
    queryKey: ['messages', app.id, conversation, user],
    queryFn: ({ pageParam, signal }) => {
      const query = { conversation_id: conversation ?? '', user, limit: PAGE_SIZE_MESSAGES, first_id: pageParam }
      return call(optionalMessageEndpoints.listMessages, { key: app.id, query }, { signal })
    },
    initialPageParam: undefined,
    getNextPageParam: (page) => (page.has_more ? page.data[0]?.id : undefined),
    meta: { shows: optionalMessageEndpoints.listMessages.tags },
    enabled: isFromPlatform,
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
    isLoading: isFromPlatform && read.isPending,
    error: read.error,
    retry: () => void read.refetch(),
    /** Null if there are no older messages. */
    readOlder: read.hasNextPage ? () => void read.fetchNextPage() : null,
    isReadingOlder: read.isFetchingNextPage,
  }
}

/**
 * The messages before the first turn in the ledger; all of them if it has no turns. `seen` are the message ids of its
 * turns, `from` the time of the first one (Unix ms).
 */
export const listMessagesBefore = (
  messages: readonly PlatformMessage[],
  seenMessageIds: ReadonlySet<string>,
  from: number | null,
) => {
  const at = messages.findIndex(
    ({ id, created_at }) => seenMessageIds.has(id) || (from !== null && (created_at ?? 0) * 1000 >= from),
  )
  return at < 0 ? messages : messages.slice(0, at)
}
