import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { invalidParam } from '../errors.ts'
import { extensionOf } from '../indexing/extension.ts'
import type { FileUpload } from './definition.ts'
import { FILE_TYPES, TRANSFER_METHODS, type FileType, type TransferMethod } from './form.ts'
import { files } from './schema.ts'

/** A file of a run as it is kept and shown. A remote one is recorded by its URL and never fetched. */
export interface RecordedFile {
  /** Upstream's mark of a file among the values of a run. */
  dify_model_identity: '__dify__file__'
  id: string
  type: FileType
  transfer_method: TransferMethod
  url: string | null
  upload_file_id: string | null
  filename: string
  extension: string
  mime_type: string | null
  /** Bytes; null for a remote file. */
  size: number | null
}

/** What an application lets in. */
export interface FileRule {
  types: readonly FileType[]
  extensions: readonly string[]
  methods: readonly TransferMethod[]
  /** The most files; without it the caller counts. */
  most?: number
}

export const ruleOfUpload = (upload: FileUpload): FileRule => ({
  types: upload.allowed_file_types,
  extensions: upload.allowed_file_extensions,
  methods: upload.allowed_file_upload_methods,
  most: upload.enabled ? upload.number_limits : 0,
})

/** Who sends the file: uploads are found only by the application and the end user that made them. */
export interface Sender {
  app: string
  user: string
}

const Given = z.object({
  type: z.enum(FILE_TYPES),
  transfer_method: z.enum(TRANSFER_METHODS),
  url: z.string().max(4096).nullish(),
  upload_file_id: z.string().nullish(),
})
const Uuid = z.guid()
const MARK = '__dify__file__'

/**
 * Checks file input objects and looks their uploads up.
 * @param at where the objects stand, as messages name it: `files`, `inputs.documents`
 * @throws PlatformError 400 `invalid_param`
 */
export async function recordFiles(
  database: Database,
  sender: Sender,
  given: readonly unknown[],
  rule: FileRule,
  at: string,
): Promise<RecordedFile[]> {
  const { most = given.length } = rule
  if (given.length > most) throw invalidParam(`${at} must have at most ${most} items`)
  const read = given.map((item, index) => readFile(item, rule, `${at}.${index}`))
  const ids = read.flatMap(({ upload_file_id }) => upload_file_id ?? [])
  const uploads = await findUploads(database, sender, ids)
  return read.map((file, index) => {
    if (!file.upload_file_id) return remoteFile(file)
    const upload = uploads.get(file.upload_file_id.toLowerCase())
    if (!upload) throw invalidParam(`${at}.${index}.upload_file_id names no file that this user has uploaded`)
    allowExtension(upload.extension, rule, `${at}.${index}`)
    const { id, name, extension, mime_type, size } = upload
    return { dify_model_identity: MARK, ...file, id, filename: name, extension, mime_type, size }
  })
}

export interface Upload {
  id: string
  name: string
  extension: string
  mime_type: string
  size: number
}

async function findUploads(database: Database, { app, user }: Sender, ids: string[]): Promise<Map<string, Upload>> {
  if (ids.length === 0) return new Map()
  const { id, name, extension, mime_type, size } = files
  const rows = await database.db
    .select({ id, name, extension, mime_type, size })
    .from(files)
    .where(and(eq(files.app, app), eq(files.end_user, user), inArray(files.id, ids)))
  return new Map(rows.map((row) => [row.id, row]))
}

type Read = Pick<RecordedFile, 'type' | 'transfer_method' | 'url' | 'upload_file_id'>

function readFile(item: unknown, { types, methods, extensions }: FileRule, at: string): Read {
  const result = Given.safeParse(item)
  if (!result.success) {
    const [issue] = result.error.issues
    const field = issue?.path[0]
    if (field === 'type') throw invalidParam(`${at}.type must be one of ${FILE_TYPES.join(', ')}`)
    if (field === 'transfer_method')
      throw invalidParam(`${at}.transfer_method must be one of ${TRANSFER_METHODS.join(', ')}`)
    throw invalidParam(field ? `${at}.${String(field)} must be a string` : `${at} must be a file object`)
  }
  const { type, transfer_method, url, upload_file_id } = result.data
  // `custom` lets a file of any type through by its extension, as upstream does.
  if (!types.includes(type) && !types.includes('custom'))
    throw invalidParam(`${at}.type must be one of ${types.join(', ')}`)
  if (!methods.includes(transfer_method))
    throw invalidParam(`${at}.transfer_method must be one of ${methods.join(', ')}`)
  if (transfer_method === 'local_file') {
    if (!upload_file_id || !Uuid.safeParse(upload_file_id).success)
      throw invalidParam(`${at}.upload_file_id must be the id of an uploaded file`)
    return { type, transfer_method, url: null, upload_file_id }
  }
  const extension = url && isWeb(url) ? extensionOf(new URL(url).pathname) : null
  if (!url || extension === null) throw invalidParam(`${at}.url must be an http or https URL`)
  allowExtension(extension, { types, methods, extensions }, at)
  return { type, transfer_method, url, upload_file_id: null }
}

/** A URL without an extension says nothing about the file, so nothing is held against it. */
function allowExtension(extension: string, { extensions }: FileRule, at: string): void {
  const allowed = extensions.map((item) => item.replace(/^\./, '').toLowerCase())
  if (allowed.length > 0 && extension && !allowed.includes(extension))
    throw invalidParam(`${at} has the extension ${extension}, allowed are ${allowed.join(', ')}`)
}

function remoteFile(file: Read): RecordedFile {
  const { pathname } = new URL(file.url ?? '')
  const filename = decode(pathname.split('/').at(-1) ?? '')
  const extension = extensionOf(filename)
  return {
    dify_model_identity: MARK,
    ...file,
    id: crypto.randomUUID(),
    filename,
    extension,
    mime_type: null,
    size: null,
  }
}

const isWeb = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
