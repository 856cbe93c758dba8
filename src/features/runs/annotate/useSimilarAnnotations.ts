import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ProblemError } from '#contract/problem.ts'
import type { EndpointReply } from '#contract/endpoint.ts'
import { reviewEndpoints } from '#contract/console/review.ts'
import { call } from '../../../client/http.ts'

/** Debounce delay (ms). */
const TYPING_DELAY_MS = 300
const MAX_COMPARED_CHARS = 100_000

/** The annotations of an app with a similar question; debounced. */
export function useSimilarAnnotations(
  key: string,
  draft: { question: string; answer: string },
  excludedId: string | undefined,
) {
  const [{ question, answer }] = useDebouncedValue(draft, TYPING_DELAY_MS)
  const body = {
    key,
    question: question.trim().slice(0, MAX_COMPARED_CHARS),
    answer: answer.trim().slice(0, MAX_COMPARED_CHARS),
    not: excludedId,
  }
  return useQuery<EndpointReply<typeof reviewEndpoints.findSimilarAnnotations>, ProblemError>({
    queryKey: ['alike', body],
    queryFn: ({ signal }) => call(reviewEndpoints.findSimilarAnnotations, { body }, { signal }),
    meta: { shows: reviewEndpoints.findSimilarAnnotations.tags },
    enabled: body.question !== '',
    placeholderData: keepPreviousData,
  })
}
