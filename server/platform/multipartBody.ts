import type { FastifyRequest } from 'fastify'
import { PlatformError } from './platformErrors.ts'
import { sanitizeText } from './sanitizeInput.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'

/** A complete file of a multipart body. `type` is the client's declared media type. */
export interface UploadedFile {
  name: string
  type: string
  bytes: Buffer
}

/** The interface's general file size limit, in bytes. */
export const MAX_FILE_BYTES = 15 * 1024 * 1024
/** As long as the name of a document. */
const MAX_NAME_CHARS = 255

/** Reads a multipart body: at most one `file`, and fields, which with `json` are one JSON object in the part `data`. */
export async function readMultipart(
  request: FastifyRequest,
  { json, fileLimit: maxFileBytes = MAX_FILE_BYTES }: { json: boolean; fileLimit?: number | undefined },
): Promise<{ fields: unknown; file: UploadedFile | null }> {
  if (!request.isMultipart())
    throw new PlatformError(415, 'unsupported_media_type', 'The body must be multipart/form-data.')
  const files: UploadedFile[] = []
  const fields = new Map<string, string>()
  try {
    for await (const part of request.parts({ limits: { fileSize: maxFileBytes, files: 2, fields: 32, parts: 34 } })) {
      if (part.type === 'field') fields.set(part.fieldname, String(part.value))
      else
        files.push({
          name: decodeFileName(sanitizeText(part.filename ?? '')),
          type: sanitizeText(part.mimetype),
          bytes: await part.toBuffer(),
        })
    }
  } catch (error) {
    throw toMultipartError(error, maxFileBytes)
  }
  if (files.length > 1) throw new PlatformError(400, 'too_many_files', 'Only one file is allowed.')
  const file = files[0] ?? null
  if (file && !file.name.trim())
    throw new PlatformError(400, 'filename_not_exists_error', 'The file part has no file name.')
  if (file && file.name.length > MAX_NAME_CHARS)
    throw new PlatformError(
      400,
      'invalid_param',
      `The file name has ${file.name.length} characters; at most ${MAX_NAME_CHARS} are allowed.`,
    )
  return { fields: json ? parseDataField(fields.get('data')) : Object.fromEntries(fields), file }
}

/** Browsers escape only quotes and line ends of file names (WHATWG, multipart/form-data). */
const decodeFileName = (name: string): string => name.replaceAll('%22', '"').replace(/(?:%0D|%0A)+/g, ' ')

function parseDataField(data: string | undefined): unknown {
  if (data === undefined || data.trim() === '') return {}
  try {
    return parseLosslessJson(data)
  } catch {
    throw new PlatformError(400, 'invalid_param', 'data must be a JSON object in a string.')
  }
}

function toMultipartError(error: unknown, maxFileBytes: number): PlatformError {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    const megabytes = Math.floor(maxFileBytes / (1024 * 1024))
    return new PlatformError(413, 'file_too_large', `The file is larger than ${megabytes} MB.`)
  }
  if (code === 'FST_FILES_LIMIT') return new PlatformError(400, 'too_many_files', 'Only one file is allowed.')
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FIELDS_LIMIT')
    return new PlatformError(413, 'request_entity_too_large', 'The body has too many parts.')
  return new PlatformError(400, 'bad_request', 'The multipart body is malformed.')
}
