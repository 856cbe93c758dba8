import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { z } from 'zod'
import { endpoint, Id } from '#contract/endpoint.ts'
import {
  type KeptFile,
  MAX_FILE_NAME_CHARS,
  MAX_FILE_URL_CHARS,
  LINKED_FILE_PATH,
} from '#contract/console/files/linkedFile.ts'
import { ProblemError } from '#contract/problem.ts'
import { checkRequest } from '../../http/endpointRoute.ts'
import { getRateLimit } from '../../http/rateLimit.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import {
  type FileHeaders,
  getInlineImageType,
  readFileBytes,
  sendFile,
  toAttachment,
  toInline,
  withHeaders,
} from '../../relay/fileReply.ts'
import { LARGE_REPLY_BYTES, sendBytes } from '../../relay/largeReplies.ts'
import { fetchLinkedFile } from '../../relay/linkedFile.ts'
import type { UpstreamClient } from '../../relay/upstream/upstream.ts'
import type { Vault } from '../../vault/vault.ts'
import { requireRunWithBody } from '../findRun.ts'
import { findKeptFile, readKeptBytes } from './keptFiles.ts'
import { requireNamedFile } from './namedFile.ts'

/** Maximum size of an image that is shown in an answer; a saved file may have 64 MiB. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024
/** Time limit in ms for a complete image. */
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
 * An image or a file that an answer links to: as saved with the run, or else the current target of the link. The
 * server loads it without the key, only if the stored answer names it, and passes the bytes on without storing them.
 * A browser shows only images of known types.
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
      // A saved file does not need the key of its app, which may be deleted.
      const sendKeptFile = async ({ id, type, bytes }: KeptFile) => {
        const headers = toFileHeaders(type, query.download)
        if (bytes > LARGE_REPLY_BYTES) await upstream.largeReplies.enter(reply)
        return sendBytes(withHeaders(reply, headers), await readKeptBytes(pool, id))
      }
      const kept = await findKeptFile(pool, run.id, query.url)
      if (kept) return sendKeptFile(kept)
      const credential = await vault.getCredential(run.key_id, httpRequest.accessScope)
      const url = requireNamedFile(run.answer, query.url, credential.base_url)
      const keptByUrl = await findKeptFile(pool, run.id, url.href)
      if (keptByUrl) return sendKeptFile(keptByUrl)
      const response = await fetchLinkedFile(upstream, credential, url, httpRequest)
      try {
        const headers = toFileHeaders(response.contentType, query.download)
        if (query.download !== undefined) return await sendFile(reply, response, headers)
        const onLarge = () => upstream.largeReplies.enter(reply)
        const limits = { timeoutMs: IMAGE_TIMEOUT_MS, maxBytes: MAX_IMAGE_BYTES, onLarge }
        return sendBytes(withHeaders(reply, headers), await readFileBytes(response, limits))
      } catch (error) {
        response.body.on('error', () => undefined).destroy()
        throw error
      }
    },
  )
}

/** @throws ProblemError `mismatch` for a file that a browser must not show */
function toFileHeaders(contentType: string, download: string | undefined): FileHeaders {
  if (download !== undefined) return toAttachment(download)
  const type = getInlineImageType(contentType)
  if (type === null) throw toNoImageError(contentType)
  return toInline(type)
}

const toNoImageError = (contentType: string): ProblemError =>
  new ProblemError({
    kind: 'mismatch',
    message: `The link does not return an image that can be shown (${contentType || 'no content type'}).`,
  })
