import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { EndpointReply } from '#contract/endpoint.ts'
import type { ProblemError } from '#contract/problem.ts'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { call } from '../../../../client/http.ts'
import { runStore } from '../../../../client/useRun.ts'
import type { TurnRow } from './transcriptTurns.ts'

export type PlatformMessage = EndpointReply<typeof optionalMessageEndpoints.listMessages>['data'][number]

/** The maximum page size of the platform. */
const PAGE_SIZE_MESSAGES = 100

/** Platforms store whole seconds, by their own clock. A message this close to the first turn belongs to that turn. */
const CLOCK_SKEW_MS = 5_000

export interface PlatformMessagesInput {
  app: Key
  /** Null while there is none, or while its turns load. */
  conversation: string | null
  /** The owner of the conversation, or the one in the composer. */
  user: string
  /** The turns of this console. */
  rows: readonly TurnRow[]
  /** There are older turns than these rows. */
  isTruncated: boolean
}

export type PlatformMessages = ReturnType<typeof usePlatformMessages>

/** The messages of a conversation from the platform, if it lists them: the newest page, and older ones on demand. */
export function usePlatformMessages({ app, conversation, user, rows, isTruncated }: PlatformMessagesInput) {
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
    user,
    /** Oldest first. */
    messages,
    /** Those before the first turn. */
    earlier: isTruncated ? [] : listMessagesBefore(messages, rows),
    /** The number of turns where older ones are not shown; null where all are. */
    newestTurnCount: isTruncated ? rows.length : null,
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

/** The messages before the first turn in the ledger; all of them if it has no turns. */
function listMessagesBefore(
  messages: readonly PlatformMessage[],
  rows: readonly TurnRow[],
): readonly PlatformMessage[] {
  const seenMessageIds = new Set(rows.flatMap((row) => getMessageId(row) ?? []))
  const first = rows[0]
  const from = first ? getStartedAtMs(first) - CLOCK_SKEW_MS : Infinity
  const at = messages.findIndex(({ id, created_at }) => seenMessageIds.has(id) || (created_at ?? 0) * 1000 >= from)
  return at < 0 ? messages : messages.slice(0, at)
}

const getMessageId = ({ run, run_id }: TurnRow): string | null =>
  run?.message_id ?? (runStore.view(run_id)?.state as { message_id?: string | null } | undefined)?.message_id ?? null

const getStartedAtMs = ({ run, run_id }: TurnRow): number =>
  run ? Date.parse(run.created_at) : (runStore.view(run_id)?.sent_at ?? Date.now())
