import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import { toInvalidParamError } from '../../platformErrors.ts'
import { sanitizeText } from '../../sanitizeInput.ts'
import { getExtension } from '#domain/documentReading/documentKinds.ts'
import type { FileUpload } from '../appDefinitions.ts'
import { FILE_TYPES, TRANSFER_METHODS, type FileType, type TransferMethod } from '../inputForm.ts'
import { uploadedFiles } from '../schema.ts'
import type { RecordedFile } from './fileRecord.ts'

export interface FileRule {
  types: readonly FileType[]
  extensions: readonly string[]
  methods: readonly TransferMethod[]
  /** Maximum number of files; if absent, the caller checks it. */
  maxFiles?: number
}

export const toFileRule = (upload: FileUpload): FileRule => ({
  types: upload.allowed_file_types,
  extensions: upload.allowed_file_extensions,
  methods: upload.allowed_file_upload_methods,
  maxFiles: upload.enabled ? upload.number_limits : 0,
})

/** The sender of the file: uploads are visible only to the application and the end user that made them. */
export interface FileOwner {
  app: string
  user: string
}

const FileInput = z.object({
  type: z.enum(FILE_TYPES),
  transfer_method: z.enum(TRANSFER_METHODS),
  url: z.string().max(4096).nullish(),
  upload_file_id: z.string().nullish(),
})
const UuidSchema = z.guid()
const FILE_IDENTITY = '__dify__file__'

/**
 * Validates file input objects and loads their uploads.
 * @param path location of the objects in error messages: `files`, `inputs.documents`
 * @throws PlatformError 400 `invalid_param`
 */
export async function recordFiles(
  database: Database,
  owner: FileOwner,
  fileInputs: readonly unknown[],
  rule: FileRule,
  path: string,
): Promise<RecordedFile[]> {
  const { maxFiles = fileInputs.length } = rule
  if (fileInputs.length > maxFiles) throw toInvalidParamError(`${path} must have at most ${maxFiles} items`)
  const checkedFiles = fileInputs.map((item, index) => checkFileInput(item, rule, `${path}.${index}`))
  const ids = checkedFiles.flatMap(({ upload_file_id }) => upload_file_id ?? [])
  const uploads = await findUploads(database, owner, ids)
  return checkedFiles.map((file, index) => {
    if (!file.upload_file_id) return toRemoteFile(file)
    const upload = uploads.get(file.upload_file_id.toLowerCase())
    if (!upload) throw toInvalidParamError(`${path}.${index}.upload_file_id names no file that this user has uploaded`)
    requireAllowedExtension(upload.extension, rule, `${path}.${index}`)
    const { id, name, extension, mime_type, size } = upload
    return { dify_model_identity: FILE_IDENTITY, ...file, id, filename: name, extension, mime_type, size }
  })
}

export type UploadRow = Pick<typeof uploadedFiles.$inferSelect, 'id' | 'name' | 'extension' | 'mime_type' | 'size'>

async function findUploads(
  database: Database,
  { app, user }: FileOwner,
  ids: string[],
): Promise<Map<string, UploadRow>> {
  if (ids.length === 0) return new Map()
  const { id, name, extension, mime_type, size } = uploadedFiles
  const rows = await database.db
    .select({ id, name, extension, mime_type, size })
    .from(uploadedFiles)
    .where(and(eq(uploadedFiles.app, app), eq(uploadedFiles.end_user, user), inArray(uploadedFiles.id, ids)))
  return new Map(rows.map((row) => [row.id, row]))
}

type CheckedFile = Pick<RecordedFile, 'type' | 'transfer_method' | 'url' | 'upload_file_id'>

function checkFileInput(item: unknown, { types, methods, extensions }: FileRule, path: string): CheckedFile {
  const result = FileInput.safeParse(item)
  if (!result.success) {
    const [issue] = result.error.issues
    const field = issue?.path[0]
    if (field === 'type') throw toInvalidParamError(`${path}.type must be one of ${FILE_TYPES.join(', ')}`)
    if (field === 'transfer_method')
      throw toInvalidParamError(`${path}.transfer_method must be one of ${TRANSFER_METHODS.join(', ')}`)
    throw toInvalidParamError(field ? `${path}.${String(field)} must be a string` : `${path} must be a file object`)
  }
  const { type, transfer_method, url, upload_file_id } = result.data
  // `custom` accepts a file of any type by its extension, as upstream does.
  if (!types.includes(type) && !types.includes('custom'))
    throw toInvalidParamError(`${path}.type must be one of ${types.join(', ')}`)
  if (!methods.includes(transfer_method))
    throw toInvalidParamError(`${path}.transfer_method must be one of ${methods.join(', ')}`)
  if (transfer_method === 'local_file') {
    if (!upload_file_id || !UuidSchema.safeParse(upload_file_id).success)
      throw toInvalidParamError(`${path}.upload_file_id must be the id of an uploaded file`)
    return { type, transfer_method, url: null, upload_file_id }
  }
  const extension = url && isHttpUrl(url) ? getExtension(new URL(url).pathname) : null
  if (!url || extension === null) throw toInvalidParamError(`${path}.url must be an http or https URL`)
  requireAllowedExtension(extension, { types, methods, extensions }, path)
  return { type, transfer_method, url, upload_file_id: null }
}

/** A URL without an extension does not show the file's type, so it is accepted. */
function requireAllowedExtension(extension: string, { extensions }: FileRule, path: string): void {
  const allowed = extensions.map((item) => item.replace(/^\./, '').toLowerCase())
  if (allowed.length > 0 && extension && !allowed.includes(extension))
    throw toInvalidParamError(`${path} has the extension ${extension}, allowed are ${allowed.join(', ')}`)
}

function toRemoteFile(file: CheckedFile): RecordedFile {
  const { pathname } = new URL(file.url ?? '')
  const filename = sanitizeText(decodeUri(pathname.split('/').at(-1) ?? ''))
  const extension = getExtension(filename)
  return {
    dify_model_identity: FILE_IDENTITY,
    ...file,
    id: crypto.randomUUID(),
    filename,
    extension,
    mime_type: null,
    size: null,
  }
}

const isHttpUrl = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
