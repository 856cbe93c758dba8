import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { Id } from '#contract/endpoint.ts'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import type { PlatformContext } from '../../platformContext.ts'
import { PlatformError, toNotFoundError } from '../../platformErrors.ts'
import { checkInput, registerPlatformEndpoint, UUID_PATTERN } from '../../platformRoute.ts'
import { findSourceFile } from '../../datasets/downloads/documentFile.ts'
import { uploadedFiles } from '../schema.ts'

const Params = z.object({ file_id: Id })
const Query = z.object({ as_attachment: z.enum(['true', 'false']).optional().catch(undefined) })

/** Types that a browser may show on its own origin without running them; anything else is offered for saving. */
const INLINE_TYPES = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'text/plain',
  'text/csv',
  'text/markdown',
])
const CACHE_SECONDS = 300

type FileRow = typeof uploadedFiles.$inferSelect
type SentFile = Pick<FileRow, 'name' | 'mime_type' | 'bytes'>

/** Clients also send other values for `as_attachment`: only `true` counts. */
const previewEntry = {
  ...optionalEndpoints.previewFile,
  query: optionalEndpoints.previewFile.query.extend({ as_attachment: z.string().optional() }),
}

/** The bytes of an uploaded file, for the keys of its application. */
export function registerFileContentRoute(app: FastifyInstance, { database }: PlatformContext): void {
  registerPlatformEndpoint(app, previewEntry, async ({ caller, params, query, reply }) => {
    const file = await findFile(database, params.file_id)
    if (file?.app !== caller.app) throw toNotFoundError('File')
    return sendFile(reply, file, query.as_attachment === 'true')
  })
}

/** The bytes of an uploaded file or of a document, for anyone who has a signed link to it. */
export function registerSignedFileRoute(app: FastifyInstance, { database, fileLinks }: PlatformContext): void {
  app.get(`/files/:file_id(^${UUID_PATTERN}$)/file-preview`, async (request, reply) => {
    const { file_id } = checkInput(Params, request.params)
    const file = fileLinks.isValid(file_id, request.query) ? await findAnyFile(database, file_id) : undefined
    if (!file) throw new PlatformError(404, 'not_found', 'File not found, or the link to it is wrong or has expired.')
    return sendFile(reply, file, checkInput(Query, request.query).as_attachment === 'true')
  })
}

async function findFile({ db }: PlatformContext['database'], id: string): Promise<FileRow | undefined> {
  const [file] = await db.select().from(uploadedFiles).where(eq(uploadedFiles.id, id))
  return file
}

const findAnyFile = async (database: PlatformContext['database'], id: string): Promise<SentFile | undefined> =>
  (await findFile(database, id)) ?? (await findSourceFile(database.pool, id)) ?? undefined

/** A file may come from anybody: its bytes must never run as a page of this origin. */
function sendFile(reply: FastifyReply, file: SentFile | undefined, asAttachment: boolean): FastifyReply {
  if (!file?.bytes) throw toNotFoundError('Content of the file')
  const isInline = !asAttachment && INLINE_TYPES.has(file.mime_type)
  const isText = file.mime_type.startsWith('text/')
  return reply
    .headers({
      'content-type': isText ? `${file.mime_type}; charset=utf-8` : file.mime_type,
      'content-disposition': `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeFileName(file.name)}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': `private, max-age=${CACHE_SECONDS}`,
    })
    .send(file.bytes)
}

/** Percent-encoding of RFC 5987, which leaves fewer characters alone than that of URLs. */
const encodeFileName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
