import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Problem, ProblemError } from '#contract/problem.ts'
import { type BoardRounds, boardEndpoints } from '#contract/console/boards.ts'
import type { EndpointBody } from '#contract/endpoint.ts'
import { buildUrl, call } from '../../../client/http.ts'
import { useRead } from '../../../client/query.ts'
import { newRunId } from '../../../client/useRun.ts'

/** Milliseconds between reads while the server sends rounds, and while others may start some. */
const ACTIVE_POLL_INTERVAL_MS = 1_000
const IDLE_POLL_INTERVAL_MS = 5_000

type RequestBody<Entry extends 'createBoardRounds' | 'sendBoardRounds'> = Omit<
  EndpointBody<(typeof boardEndpoints)[Entry]>,
  'request_id'
>

/** The rounds of a board as the server has them, and what changes them. */
export interface BoardRoundsView {
  rounds: BoardRounds | undefined
  /** Why they could not be read, or were not changed. */
  problem: Problem | null
  changeProblem: Problem | null
  retry: () => void
  create: (body: RequestBody<'createBoardRounds'>) => void
  send: (body: RequestBody<'sendBoardRounds'>) => void
  pause: () => void
  /** Removes the rounds of cells. */
  remove: (cells: string[]) => void
}

export function useBoardRounds(board_id: string): BoardRoundsView {
  const client = useQueryClient()
  const params = { params: { board_id } }
  const queryKey = [buildUrl(boardEndpoints.readBoardRounds, params)]
  const read = useRead(boardEndpoints.readBoardRounds, params, {
    pollIntervalMs: (rounds) => (rounds?.state === 'running' ? ACTIVE_POLL_INTERVAL_MS : IDLE_POLL_INTERVAL_MS),
  })
  const change = useMutation<BoardRounds, ProblemError, () => Promise<BoardRounds>>({
    mutationFn: (request) => request(),
    onSuccess: async (rounds) => {
      // A read that started earlier would restore the old state.
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, rounds)
    },
  })
  const start = (request: (request_id: string) => Promise<BoardRounds>) => {
    const request_id = newRunId()
    if (!change.isPending) change.mutate(() => request(request_id))
  }
  return {
    rounds: read.data,
    problem: read.data ? null : (read.error?.problem ?? null),
    changeProblem: change.error?.problem ?? null,
    retry: () => void read.refetch(),
    create: (body) =>
      start((request_id) => call(boardEndpoints.createBoardRounds, { ...params, body: { request_id, ...body } })),
    send: (body) =>
      start((request_id) => call(boardEndpoints.sendBoardRounds, { ...params, body: { request_id, ...body } })),
    pause: () => change.mutate(() => call(boardEndpoints.pauseBoardRounds, params)),
    remove: (cells) => change.mutate(() => call(boardEndpoints.removeBoardRounds, { ...params, body: { cells } })),
  }
}
