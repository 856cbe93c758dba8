import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Endpoint } from '#contract/endpoint.ts'
import { ProblemError } from '#contract/problem.ts'
import { buildRequest, type CallTarget, toProblem, validateInput } from './http.ts'
import { invalidateTags } from './query.ts'

const URL_LIFETIME_MS = 60_000

/** Requests a file (an entry with a `mediaType`) and saves it under a name. @throws ProblemError */
async function downloadFile<E extends Endpoint>(entry: E, input: CallTarget<E>, name: string): Promise<void> {
  validateInput(entry, input)
  const { url, ...init } = buildRequest(entry, input)
  const response = await fetch(url, init).catch(() => {
    throw new ProblemError({ kind: 'unreachable', message: 'The Loupe server is not responding.' })
  })
  if (!response.ok) throw new ProblemError(toProblem(response.status, await response.json().catch(() => null)))
  const file = URL.createObjectURL(await response.blob())
  Object.assign(document.createElement('a'), { href: file, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(file), URL_LIFETIME_MS)
}

/** Downloads of one entry; the ledger's calls are read again afterwards. */
export function useFileDownload<E extends Endpoint>(entry: E) {
  const client = useQueryClient()
  return useMutation<void, ProblemError, { input: CallTarget<E>; name: string }>({
    mutationFn: ({ input, name }) => downloadFile(entry, input, name),
    onSuccess: () => invalidateTags(client, ['calls']),
  })
}
