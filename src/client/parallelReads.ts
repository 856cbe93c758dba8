import { useQueries } from '@tanstack/react-query'
import type { Endpoint, EndpointReply } from '#contract/endpoint.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { buildUrl, call, type CallTarget } from './http.ts'

/** Several reads of one entry, each as `useRead` has it, in the order of their inputs. */
export function useReads<E extends Endpoint>(
  entry: E,
  inputs: readonly CallTarget<E>[],
): ReadResult<EndpointReply<E>>[] {
  return useQueries({
    queries: inputs.map((input) => ({
      queryKey: [buildUrl(entry, input)],
      queryFn: ({ signal }: { signal: AbortSignal }) => call(entry, input, { signal }),
      meta: { shows: entry.tags },
    })),
    combine: toReadResults,
  }) as ReadResult<EndpointReply<E>>[]
}

/** The result of one of several reads: its reply, its problem, or neither yet. */
export interface ReadResult<Value> {
  data: Value | undefined
  problem: Problem | null
}

/** Shared function: unchanged results keep their identity. */
export const toReadResults = (results: readonly { data: unknown; error: Error | null }[]): ReadResult<unknown>[] =>
  results.map(({ data, error }) => ({ data, problem: error instanceof ProblemError ? error.problem : null }))
