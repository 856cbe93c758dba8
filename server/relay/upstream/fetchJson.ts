import { randomUUID } from 'node:crypto'
import { ProblemError } from '#contract/problem.ts'
import type { PlatformCredential } from '../../vault/vault.ts'
import { isSuccess, parseJson, readRedactedText, TIMEOUTS_MS, toRefusal, type UpstreamClient } from './upstream.ts'

/**
 * A request of this console itself to the platform. @returns the JSON of the reply; null if it is not JSON
 * @throws ProblemError where the platform refuses, or does not respond
 */
export async function fetchJson(
  upstream: UpstreamClient,
  credential: PlatformCredential,
  { path, body }: { path: string; body?: object },
  request_id: string = randomUUID(),
): Promise<unknown> {
  const answer = await upstream.send(
    credential,
    {
      method: body ? 'POST' : 'GET',
      path,
      accept: 'application/json',
      timeoutMs: body ? TIMEOUTS_MS.blocking : TIMEOUTS_MS.read,
      ...(body ? { body: JSON.stringify(body), contentType: 'application/json' } : {}),
    },
    request_id,
  )
  if (!isSuccess(answer)) throw new ProblemError(await toRefusal(answer))
  return parseJson(await readRedactedText(answer)) ?? null
}
