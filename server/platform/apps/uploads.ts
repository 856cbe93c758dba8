import type { FastifyInstance } from 'fastify'
import { adjacent } from '#contract/adjacent.ts'
import { seconds, type PlatformContext } from '../context.ts'
import { invalidParam, PlatformError } from '../errors.ts'
import { extensionOf } from '../indexing/extension.ts'
import type { Upload } from '../parts.ts'
import { route } from '../route.ts'
import { readerOf } from './conversations.ts'
import { LIMITS } from './parameters.ts'
import { files } from './schema.ts'
import { userIdOf } from './users.ts'

const MEGABYTE = 1024 * 1024
const NAME_LENGTH = 255

/** Images by their extension: what they are called on the wire, and with which bytes they begin. */
const IMAGES: Record<string, { mime_type: string; begins: RegExp }> = {
  png: { mime_type: 'image/png', begins: /^\x89PNG\r\n\x1a\n/ },
  jpg: { mime_type: 'image/jpeg', begins: /^\xff\xd8\xff/ },
  jpeg: { mime_type: 'image/jpeg', begins: /^\xff\xd8\xff/ },
  gif: { mime_type: 'image/gif', begins: /^GIF8[79]a/ },
  webp: { mime_type: 'image/webp', begins: /^RIFF[\s\S]{4}WEBP/ },
}

const DOCUMENTS: Record<string, string> = {
  txt: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  mdx: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  htm: 'text/html',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

/** Uploads a file for a run by the same user. What no run could use is refused at once and leaves nothing behind. */
export function uploads(app: FastifyInstance, context: PlatformContext): void {
  route(
    app,
    adjacent.uploadFile,
    async ({ caller, body, reply }) => {
      const { file, data } = body
      if (!file) throw new PlatformError(400, 'no_file_uploaded', 'The part file is missing.')
      const reader = readerOf(caller, data.user)
      const read = await readUpload(context, file)
      const row = {
        id: crypto.randomUUID(),
        app: reader.app,
        end_user: reader.user,
        name: file.name.toWellFormed().replaceAll('\0', ''),
        extension: extensionOf(file.name),
        size: file.bytes.length,
        created_at: new Date(context.clock()),
        ...read,
      }
      await context.database.db.insert(files).values(row)
      const { id, name, size, extension, mime_type, created_at } = row
      return reply.code(201).send({
        id,
        name,
        size,
        extension,
        mime_type,
        created_by: userIdOf(reader),
        created_at: seconds(created_at.getTime()),
        preview_url: null,
        source_url: null,
      })
    },
    { fileLimit: LIMITS.file_size_limit * MEGABYTE },
  )
}

async function readUpload(context: PlatformContext, { name, bytes }: Upload) {
  if (name.length > NAME_LENGTH) throw invalidParam(`file has a name of more than ${NAME_LENGTH} characters`)
  if (bytes.length === 0) throw invalidParam('file is empty')
  const extension = extensionOf(name)
  const image = IMAGES[extension]
  if (image) {
    if (bytes.length > LIMITS.image_file_size_limit * MEGABYTE)
      throw new PlatformError(413, 'file_too_large', `The image is larger than ${LIMITS.image_file_size_limit} MB.`)
    if (!image.begins.test(bytes.subarray(0, 16).toString('latin1')))
      throw new PlatformError(415, 'unsupported_file_type', `The file is named .${extension} but is not one.`)
    return { mime_type: image.mime_type, image: bytes, text: null }
  }
  const text = await context.extract({ name, bytes })
  return { mime_type: DOCUMENTS[extension] ?? 'application/octet-stream', image: null, text }
}
