import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { contract } from '#contract/index.ts'
import type { ProblemError } from '#contract/problem.ts'
import type { Reply } from '#contract/endpoint.ts'
import { call } from '../../wire/call.ts'

/** Milliseconds of rest in the typing after which it is compared. */
const REST = 300
const MOST = 100_000

/** The annotations of an app whose question is like what is typed; asked anew when the typing rests. */
export function useAlike(key: string, typed: { question: string; answer: string }, not: string | undefined) {
  const [{ question, answer }] = useDebouncedValue(typed, REST)
  const body = { key, question: question.trim().slice(0, MOST), answer: answer.trim().slice(0, MOST), not }
  return useQuery<Reply<typeof contract.console.findAlike>, ProblemError>({
    queryKey: ['alike', body],
    queryFn: ({ signal }) => call(contract.console.findAlike, { body }, { signal }),
    meta: { shows: contract.console.findAlike.shows },
    enabled: body.question !== '',
    placeholderData: keepPreviousData,
  })
}
