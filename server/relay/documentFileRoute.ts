import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { z } from 'zod'
import { DOCUMENT_FILE_PATH } from '#contract/console/files/documentFile.ts'
import { endpoint, fillPath } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import { requirePartsInScope } from '../auth/resourceScope.ts'
import { checkRequest } from '../http/endpointRoute.ts'
import { getRateLimit } from '../http/rateLimit.ts'
import type { PlatformCredential, Vault } from '../vault/vault.ts'
import { sendFile, toAttachment } from './fileReply.ts'
import { fetchLinkedFile } from './linkedFile.ts'
import {
  isSuccess,
  parseJson,
  readRedactedText,
  TIMEOUTS_MS,
  toMismatchProblem,
  toRefusal,
  type UpstreamClient,
} from './upstream/upstream.ts'

const request = endpoint({
  method: 'GET',
  path: DOCUMENT_FILE_PATH,
  key: 'none',
  permission: 'read',
  query: z.strictObject({ name: z.string().min(1).max(255) }),
  reply: z.unknown(),
})

/**
 * Downloads the file of a document: the server gets a fresh link from the platform, follows it without the key, and
 * passes the bytes on without storing them.
 */
export function registerDocumentFileRoute(
  app: FastifyInstance,
  { vault, upstream, pool }: { vault: Vault; upstream: UpstreamClient; pool: Pool },
): void {
  app.get(
    DOCUMENT_FILE_PATH,
    { config: { permission: 'read', rateLimit: getRateLimit(request) } },
    async (httpRequest, reply) => {
      const { params, query } = checkRequest(request, httpRequest)
      await requirePartsInScope(pool, httpRequest.accessScope, { params, query })
      const { key_id, ...target } = params
      const credential = await vault.getCredential(key_id, httpRequest.accessScope)
      const url = await requestLink(upstream, credential, target)
      const linked = await fetchLinkedFile(upstream, credential, url, httpRequest)
      return sendFile(reply, linked, toAttachment(query.name))
    },
  )
}

/** @throws ProblemError `refused`, or `mismatch` where the reply has no link */
async function requestLink(
  upstream: UpstreamClient,
  credential: PlatformCredential,
  params: Record<string, string>,
): Promise<URL> {
  const { path, reply } = contract.adjacent.downloadDocument
  const answer = await upstream.send(
    credential,
    { method: 'GET', path: fillPath(path, params), accept: 'application/json', timeoutMs: TIMEOUTS_MS.read },
    randomUUID(),
  )
  if (!isSuccess(answer)) throw new ProblemError(await toRefusal(answer))
  const text = await readRedactedText(answer)
  const link = reply.safeParse(parseJson(text))
  // A platform without a public address of its own sends a link without an origin.
  if (!link.success || !URL.canParse(link.data.url, credential.base_url))
    throw new ProblemError(toMismatchProblem(answer, text, 'a link to the file'))
  return new URL(link.data.url, credential.base_url)
}
