import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Pool } from 'pg'
import { z } from 'zod'
import { endpoint, Id } from '#contract/endpoint.ts'
import { MAX_FILE_NAME_CHARS, MAX_FILE_URL_CHARS, LINKED_FILE_PATH } from '#contract/console/files/linkedFile.ts'
import { ProblemError } from '#contract/problem.ts'
import { checkRequest } from '../../http/endpointRoute.ts'
import { getRateLimit } from '../../http/rateLimit.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { getInlineImageType, readFileBytes, sendAttachment } from '../../relay/fileReply.ts'
import { isSuccess, toRefusal, type UpstreamClient } from '../../relay/upstream/upstream.ts'
import type { Vault } from '../../vault/vault.ts'
import { requireRunWithBody } from '../findRun.ts'
import { readKeptBytes } from './keptFiles.ts'
import { requireNamedFile } from './namedFile.ts'

/** An image that is shown in an answer; a file that is saved may have 64 MiB. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024
/** Milliseconds in which an image must be here as a whole. */
const IMAGE_TIMEOUT_MS = 20_000

const request = endpoint({
  method: 'GET',
  path: LINKED_FILE_PATH,
  key: 'none',
  permission: 'read',
  params: { run_id: Id },
  query: z.strictObject({
    url: z.string().min(1).max(MAX_FILE_URL_CHARS),
    download: z.string().min(1).max(MAX_FILE_NAME_CHARS).optional(),
  }),
  reply: z.unknown(),
})

/**
 * An image or a file that an answer links to: as it is kept with the run, or else as its link leads to it now. The server
 * loads it without the key, only if the stored answer of the run names it, and passes the bytes on without keeping them. A
 * browser shows images of known types alone.
 */
export function registerLinkedFileRoute(
  app: FastifyInstance,
  { ledger, vault, upstream, pool }: { ledger: Ledger; vault: Vault; upstream: UpstreamClient; pool: Pool },
): void {
  app.get(
    LINKED_FILE_PATH,
    { config: { permission: 'read', rateLimit: getRateLimit(request) } },
    async (httpRequest, reply) => {
      const { params, query } = checkRequest(request, httpRequest)
      const run = await requireRunWithBody(ledger, params.run_id, httpRequest.accessScope)
      // A kept file is there without the key of its app, which may be deleted.
      const kept = await readKeptBytes(pool, run.id, query.url)
      if (kept) return sendKeptFile(reply, kept, query.download)
      const credential = await vault.getCredential(run.key_id, httpRequest.accessScope)
      const url = requireNamedFile(run.answer, query.url, credential.base_url)
      const keptByUrl = await readKeptBytes(pool, run.id, url.href)
      if (keptByUrl) return sendKeptFile(reply, keptByUrl, query.download)
      const response = await upstream.fetchLink(credential, url, randomUUID())
      if (!isSuccess(response)) throw new ProblemError(await toRefusal(response))
      if (query.download !== undefined) return sendAttachment(reply, await readFileBytes(response), query.download)
      const type = getInlineImageType(response.contentType)
      if (type === null) {
        response.body.on('error', () => undefined).destroy()
        throw toNoImageError(response.contentType)
      }
      const limits = { timeoutMs: IMAGE_TIMEOUT_MS, maxBytes: MAX_IMAGE_BYTES }
      return sendImage(reply, type, await readFileBytes(response, limits))
    },
  )
}

function sendKeptFile(reply: FastifyReply, kept: { type: string; data: Buffer }, download: string | undefined) {
  if (download !== undefined) return sendAttachment(reply, kept.data, download)
  const type = getInlineImageType(kept.type)
  if (type === null) throw toNoImageError(kept.type)
  return sendImage(reply, type, kept.data)
}

const sendImage = (reply: FastifyReply, type: string, bytes: Buffer) =>
  reply.type(type).header('content-disposition', 'inline').send(bytes)

const toNoImageError = (contentType: string): ProblemError =>
  new ProblemError({
    kind: 'mismatch',
    message: `The link leads to ${contentType || 'something without a type'}, not to an image that can be shown.`,
  })
