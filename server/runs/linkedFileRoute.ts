import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { endpoint, Id } from '#contract/endpoint.ts'
import { isPlatformFile, LINKED_FILE_PATH, toLinkedFileUrl } from '#contract/console/linkedFile.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { checkRequest } from '../http/endpointRoute.ts'
import { getRateLimit } from '../http/rateLimit.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { getInlineImageType, readFileBytes, sendAttachment } from '../relay/fileReply.ts'
import { isSuccess, toRefusal, type UpstreamClient, type UpstreamResponse } from '../relay/upstream/upstream.ts'
import type { Vault } from '../vault/vault.ts'
import { requireRunWithBody } from './findRun.ts'

/** An image that is shown in an answer; a file that is saved may have 64 MiB. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024
/** Milliseconds in which an image must be here as a whole. */
const IMAGE_TIMEOUT_MS = 20_000
const MAX_URL_CHARS = 4_096

const request = endpoint({
  method: 'GET',
  path: LINKED_FILE_PATH,
  key: 'none',
  permission: 'read',
  params: { run_id: Id },
  query: z.strictObject({ url: z.string().min(1).max(MAX_URL_CHARS), download: z.string().min(1).max(255).optional() }),
  reply: z.unknown(),
})

/**
 * An image or a file that an answer links to. The server loads it without the key, only if the stored answer of the
 * run names it, and passes the bytes on without keeping them. A browser shows images of known types alone.
 */
export function registerLinkedFileRoute(
  app: FastifyInstance,
  { ledger, vault, upstream }: { ledger: Ledger; vault: Vault; upstream: UpstreamClient },
): void {
  app.get(
    LINKED_FILE_PATH,
    { config: { permission: 'read', rateLimit: getRateLimit(request) } },
    async (httpRequest, reply) => {
      const { params, query } = checkRequest(request, httpRequest)
      const run = await requireRunWithBody(ledger, params.run_id, httpRequest.accessScope)
      const credential = await vault.getCredential(run.key_id, httpRequest.accessScope)
      const url = toLinkedFileUrl(query.url, credential.base_url)
      if (!url || !isNamedIn(run.answer, listSpellings(query.url, url, credential.base_url)))
        throw new ProblemError(NOT_NAMED)
      const response = await upstream.fetchLink(credential, url, randomUUID())
      if (!isSuccess(response)) throw new ProblemError(await toRefusal(response))
      if (query.download !== undefined) return sendAttachment(reply, await readFileBytes(response), query.download)
      const type = requireImage(response)
      const limits = { timeoutMs: IMAGE_TIMEOUT_MS, maxBytes: MAX_IMAGE_BYTES }
      return reply
        .type(type)
        .header('content-disposition', 'inline')
        .send(await readFileBytes(response, limits))
    },
  )
}

const NOT_NAMED: Problem = {
  kind: 'invalid',
  status: 404,
  message: 'The answer of this run names no such file.',
  fields: [{ path: 'url', message: 'The answer of this run names no such file.' }],
}

/** A URL as it was sent and as a browser writes it. Without its origin, it names a file of the platform alone. */
function listSpellings(given: string, url: URL, base_url: string): string[] {
  const path = isPlatformFile(url, base_url) ? [`${url.pathname}${url.search}`] : []
  const spellings = [given, url.href, decodeSafely(url.href), ...path]
  return spellings.flatMap((one) => [one, one.replaceAll('&', '&amp;')])
}

const decodeSafely = (href: string): string => {
  try {
    return decodeURI(href)
  } catch {
    return href
  }
}

/** Whether a text of the answer has one of the spellings. */
function isNamedIn(answer: unknown, spellings: readonly string[]): boolean {
  if (typeof answer === 'string') return spellings.some((one) => answer.includes(one))
  if (typeof answer !== 'object' || answer === null) return false
  return Object.values(answer).some((part) => isNamedIn(part, spellings))
}

/** The type of an image that a browser may show. @throws ProblemError `mismatch` for anything else, unread */
function requireImage(response: UpstreamResponse): string {
  const type = getInlineImageType(response.contentType)
  if (type !== null) return type
  response.body.on('error', () => undefined).destroy()
  throw new ProblemError({
    kind: 'mismatch',
    message: `The link leads to ${response.contentType || 'something without a type'}, not to an image that can be shown.`,
  })
}
