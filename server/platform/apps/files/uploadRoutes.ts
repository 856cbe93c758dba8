import type { FastifyInstance } from 'fastify'
import { optionalEndpoints } from '#contract/platform/optionalEndpoints.ts'
import { toUnixSeconds, type PlatformContext } from '../../platformContext.ts'
import { toInvalidParamError, PlatformError } from '../../platformErrors.ts'
import { getExtension } from '#domain/documentReading/documentKinds.ts'
import type { UploadedFile } from '../../multipartBody.ts'
import { registerPlatformEndpoint } from '../../platformRoute.ts'
import { toEndUser } from '../chat/conversations.ts'
import { UPLOAD_LIMITS_MB } from '../appParameters.ts'
import { uploadedFiles } from '../schema.ts'
import { toEndUserId } from '../endUserId.ts'

const BYTES_PER_MB = 1024 * 1024

/** Images by their extension: media type and magic bytes. */
const IMAGE_TYPES: Record<string, { mime_type: string; signature: RegExp }> = {
  png: { mime_type: 'image/png', signature: /^\x89PNG\r\n\x1a\n/ },
  jpg: { mime_type: 'image/jpeg', signature: /^\xff\xd8\xff/ },
  jpeg: { mime_type: 'image/jpeg', signature: /^\xff\xd8\xff/ },
  gif: { mime_type: 'image/gif', signature: /^GIF8[79]a/ },
  webp: { mime_type: 'image/webp', signature: /^RIFF[\s\S]{4}WEBP/ },
}

const DOCUMENT_TYPES: Record<string, string> = {
  txt: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  mdx: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  vtt: 'text/vtt',
  properties: 'text/plain',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  html: 'text/html',
  htm: 'text/html',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

/** Uploads a file for a run by the same user. Unsupported files are rejected before anything is stored. */
export function registerUploadRoutes(app: FastifyInstance, context: PlatformContext): void {
  registerPlatformEndpoint(
    app,
    optionalEndpoints.uploadFile,
    async ({ caller, body, request, reply }) => {
      const { file, data } = body
      if (!file) throw new PlatformError(400, 'no_file_uploaded', 'The form field file is missing.')
      const endUser = toEndUser(caller, data.user)
      const uploadContent = await readUpload(context, file)
      const row = {
        id: crypto.randomUUID(),
        app: endUser.app,
        end_user: endUser.user,
        name: file.name.toWellFormed().replaceAll('\0', ''),
        extension: getExtension(file.name),
        size: file.bytes.length,
        created_at: new Date(context.clock()),
        ...uploadContent,
      }
      await context.database.db.insert(uploadedFiles).values(row)
      const { id, name, size, extension, mime_type, created_at } = row
      return reply.code(201).send({
        id,
        reference: null,
        name,
        size,
        extension,
        mime_type,
        created_by: toEndUserId(endUser),
        created_at: toUnixSeconds(created_at.getTime()),
        preview_url: null,
        source_url: context.fileLinks.create(request, id),
        original_url: null,
        user_id: null,
        conversation_id: null,
        file_key: null,
      })
    },
    { maxFileBytes: UPLOAD_LIMITS_MB.file_size_limit * BYTES_PER_MB },
  )
}

async function readUpload(context: PlatformContext, { name, bytes }: UploadedFile) {
  if (bytes.length === 0) throw toInvalidParamError('file is empty')
  const extension = getExtension(name)
  const image = IMAGE_TYPES[extension]
  if (image) {
    if (bytes.length > UPLOAD_LIMITS_MB.image_file_size_limit * BYTES_PER_MB)
      throw new PlatformError(
        413,
        'file_too_large',
        `The image is larger than ${UPLOAD_LIMITS_MB.image_file_size_limit} MB.`,
      )
    if (!image.signature.test(bytes.subarray(0, 16).toString('latin1')))
      throw new PlatformError(415, 'unsupported_file_type', `The file is named .${extension} but is not one.`)
    return { mime_type: image.mime_type, bytes, text: null }
  }
  const { text } = await context.extract({ name, bytes })
  return { mime_type: DOCUMENT_TYPES[extension] ?? 'application/octet-stream', bytes, text }
}
