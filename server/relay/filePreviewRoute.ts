import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { z } from 'zod'
import { endpoint, Id } from '#contract/endpoint.ts'
import { FILE_PREVIEW_PATH } from '#contract/console/files/filePreview.ts'
import { ProblemError } from '#contract/problem.ts'
import * as shape from '#contract/platform/schemas.ts'
import { Message } from '#contract/platform/optionalMessages.ts'
import { requirePartsInScope } from '../auth/resourceScope.ts'
import { checkRequest } from '../http/endpointRoute.ts'
import { getRateLimit } from '../http/rateLimit.ts'
import type { PlatformCredential, Vault } from '../vault/vault.ts'
import { getInlineImageType, sendFile, toAttachment, toInline } from './fileReply.ts'
import { fetchLinkedFile } from './linkedFile.ts'
import {
  isSuccess,
  parseJson,
  readRedactedText,
  TIMEOUTS_MS,
  toRefusal,
  type UpstreamClient,
} from './upstream/upstream.ts'
import { parseBySchema } from '#domain/losslessJson.ts'

const MAX_MESSAGES = 100

const request = endpoint({
  method: 'GET',
  path: FILE_PREVIEW_PATH,
  key: 'none',
  permission: 'read',
  params: { key_id: Id, file_id: Id },
  query: z.strictObject({
    user: shape.EndUser,
    /** The conversation whose messages link to the file, if the platform has no preview of its own. */
    conversation: Id.optional(),
    download: z.string().max(255).optional(),
  }),
  reply: z.unknown(),
})

/**
 * A file that was sent with a question. The browser loads it only from here: the server uses the platform's preview
 * of uploaded files, or a fresh link from the conversation's messages, and passes the bytes on without storing them.
 */
export function registerFilePreviewRoute(
  app: FastifyInstance,
  { vault, upstream, pool }: { vault: Vault; upstream: UpstreamClient; pool: Pool },
): void {
  app.get(
    FILE_PREVIEW_PATH,
    { config: { permission: 'read', rateLimit: getRateLimit(request) } },
    async (httpRequest, reply) => {
      const { params, query } = checkRequest(request, httpRequest)
      await requirePartsInScope(pool, httpRequest.accessScope, { params, query })
      const credential = await vault.getCredential(params.key_id, httpRequest.accessScope)
      const file = { ...query, file_id: params.file_id }
      const response = await loadFile(upstream, credential, file, httpRequest)
      const imageType = query.download === undefined ? getInlineImageType(response.contentType) : null
      const headers = imageType === null ? toAttachment(query.download || params.file_id) : toInline(imageType)
      return sendFile(reply, response, headers)
    },
  )
}

interface FileQuery {
  file_id: string
  user: string
  conversation?: string | undefined
}

async function loadFile(
  upstream: UpstreamClient,
  credential: PlatformCredential,
  file: FileQuery,
  httpRequest: FastifyRequest,
) {
  const path = `/files/${file.file_id}/preview?user=${encodeURIComponent(file.user)}`
  const preview = await sendGet(upstream, credential, path)
  if (isSuccess(preview)) return preview
  const refusal = await toRefusal(preview)
  const url = file.conversation ? await findFreshLink(upstream, credential, file, file.conversation) : null
  if (!url) throw new ProblemError(refusal)
  return fetchLinkedFile(upstream, credential, url, httpRequest)
}

const sendGet = (upstream: UpstreamClient, credential: PlatformCredential, path: string) =>
  upstream.send(
    credential,
    { method: 'GET', path, accept: 'application/json', timeoutMs: TIMEOUTS_MS.read },
    randomUUID(),
  )

/** The link to the file in the conversation's newest messages; platforms sign it again at each read. */
async function findFreshLink(
  upstream: UpstreamClient,
  credential: PlatformCredential,
  { file_id, user }: FileQuery,
  conversation_id: string,
): Promise<URL | null> {
  const search = new URLSearchParams({ conversation_id, user, limit: String(MAX_MESSAGES) })
  const answer = await sendGet(upstream, credential, `/messages?${search}`)
  const text = await readRedactedText(answer)
  const messages = parseBySchema(shape.pagedList(Message), parseJson(text))
  if (!isSuccess(answer) || !messages.success) return null
  const files = messages.data.data.flatMap(({ message_files }) => message_files ?? [])
  const url = files.find(({ id, upload_file_id }) => upload_file_id === file_id || id === file_id)?.['url']
  return typeof url === 'string' && URL.canParse(url, credential.base_url) ? new URL(url, credential.base_url) : null
}
