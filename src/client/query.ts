import {
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Endpoint, EndpointReply, CacheTag } from '#contract/endpoint.ts'
import { ProblemError } from '#contract/problem.ts'
import { call, type CallTarget, buildUrl } from './http.ts'

/**
 * The app's query client: refusals are final, network errors are retried twice. A 401 of the console invalidates the
 * session query, so that components that show the session see its end.
 */
export function newQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (isSignedOut(error) && !(query.meta?.shows as CacheTag[] | undefined)?.includes('session'))
          void invalidateTags(client, ['session'])
        if (isKeyRefused(error)) void invalidateTags(client, ['workspaces'])
      },
    }),
    mutationCache: new MutationCache({
      onError: (error) => {
        if (isSignedOut(error)) void invalidateTags(client, ['session'])
        if (isKeyRefused(error)) void invalidateTags(client, ['workspaces'])
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        refetchOnWindowFocus: true,
        retry: (failures, error) =>
          failures < 2 && error instanceof ProblemError && ['unreachable', 'cut'].includes(error.problem.kind),
      },
    },
  })
  return client
}

const isSignedOut = (error: unknown): boolean =>
  error instanceof ProblemError && error.problem.kind === 'denied' && error.problem.status === 401

/** The server records the key's status; the console reads it with the workspaces. */
const isKeyRefused = (error: unknown): boolean =>
  error instanceof ProblemError && error.problem.kind === 'refused' && error.problem.upstream?.status === 401

export interface ReadOptions<E extends Endpoint> {
  enabled?: boolean
  /** Poll interval in ms, false for none; may depend on the last reply. */
  pollIntervalMs?: number | false | ((reply: EndpointReply<E> | undefined) => number | false)
}

/** Reads an entry. The key is the URL, so equal reads are one request. While another part of the same list loads, the old one stays. */
export function useRead<E extends Endpoint>(entry: E, input: CallTarget<E>, options: ReadOptions<E> = {}) {
  const { pollIntervalMs } = options
  const url = buildUrl(entry, input)
  return useQuery<EndpointReply<E>, ProblemError>({
    queryKey: [url],
    queryFn: ({ signal }) => call(entry, input, { signal }),
    meta: { shows: entry.tags },
    enabled: (options.enabled ?? true) && (entry.key === 'none' || Boolean(input.key)),
    placeholderData: keepReplyAbout(url),
    refetchInterval:
      typeof pollIntervalMs === 'function' ? (query) => pollIntervalMs(query.state.data) : (pollIntervalMs ?? false),
  })
}

/** What a list is about. Its other parameters say which part of it is shown. */
const SUBJECT_PARAMS = ['workspace', 'about', 'id', 'resource']

const getSubject = (url: unknown): string => {
  const [path, search] = String(url).split('?')
  const params = new URLSearchParams(search)
  return [path, ...SUBJECT_PARAMS.map((name) => params.get(name))].join(' ')
}

/** Placeholder data: the previous reply, unless it is about another resource or workspace. */
export const keepReplyAbout =
  (url: string) =>
  <Reply>(previous: Reply | undefined, query: Pick<Query, 'queryKey'> | undefined): Reply | undefined =>
    getSubject(query?.queryKey[0]) === getSubject(url) ? previous : undefined

/** Prefetches a read. Settles when it has succeeded or failed: the component reads it again. */
export function prefetchRead<E extends Endpoint>(client: QueryClient, entry: E, input: CallTarget<E>): Promise<void> {
  return client.prefetchQuery({
    queryKey: [buildUrl(entry, input)],
    queryFn: ({ signal }) => call(entry, input, { signal }),
    meta: { shows: entry.tags },
  })
}

/**
 * Calls a writing entry; on success the reads with its cache tags are invalidated, and the ledger's calls. `onDone` is
 * called before that, also where the invalidation unmounts the component.
 */
export function useWrite<E extends Endpoint>(
  entry: E,
  { onDone }: { onDone?: (reply: EndpointReply<E>, target: CallTarget<E>) => void } = {},
) {
  const client = useQueryClient()
  return useMutation<EndpointReply<E>, ProblemError, CallTarget<E>>({
    mutationFn: (input) => call(entry, input),
    onSuccess: (reply, input) => {
      onDone?.(reply, input)
      const deleted = entry.method === 'DELETE' ? buildUrl(entry, input) : null
      return invalidateTags(client, [...entry.invalidates, 'calls'], deleted)
    },
  })
}

/** Invalidates the reads with one of these tags; what lies at or below the URL of a deleted resource is not read again. */
export async function invalidateTags(
  client: QueryClient,
  tags: readonly CacheTag[],
  deletedUrl: string | null = null,
): Promise<void> {
  const stale = new Set<unknown>(tags)
  const isDeleted = ({ queryKey: [url] }: Query) =>
    deletedUrl !== null && typeof url === 'string' && `${url}/`.replace('?', '/').startsWith(`${deletedUrl}/`)
  const hasStaleTag = (query: Query) =>
    !isDeleted(query) && ((query.meta?.shows as CacheTag[] | undefined) ?? []).some((shown) => stale.has(shown))
  // A pending first read may return the old state, and the client would not start a second one.
  await client.cancelQueries({ predicate: (query) => query.state.data === undefined && hasStaleTag(query) })
  await client.invalidateQueries({ predicate: hasStaleTag })
}
