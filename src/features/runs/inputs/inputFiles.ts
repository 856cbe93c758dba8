import type { AppParameters } from '#contract/platform/appParameters.ts'

/** The file rule of a variable or of the message. Empty lists allow everything. */
export interface FileRule {
  types: readonly string[]
  extensions: readonly string[]
  methods: readonly string[]
  /** The maximum number; null if the app sets none. */
  maxFiles: number | null
  /** Size limits in MB by type, the general limit under `file`. */
  maxMegabytesByType: Readonly<Record<string, number>>
}

/** A file without a rule of the app is sent unchanged. */
export const ANY_FILE_RULE: FileRule = {
  types: [],
  extensions: [],
  methods: [],
  maxFiles: null,
  maxMegabytesByType: {},
}

/** A file in a form. `name`, `size` (bytes) and `by` (its user) are internal and are not sent. */
export interface FileEntry {
  type: string
  transfer_method: string
  url?: string
  upload_file_id?: string
  name?: string
  size?: number
  uploadedBy?: string
}

export const FILE_TYPES = ['image', 'document', 'audio', 'video', 'custom']

type FileErrorKey =
  | 'tooManyFiles'
  | 'notUrl'
  | 'notUploaded'
  | 'fileType'
  | 'fileMethod'
  | 'fileExtension'
  | 'fileTooLarge'
/** A file error: the actual and the allowed value. */
export interface FileError {
  key: FileErrorKey
  max?: number
  given?: string
  allowed?: string
}

/** The rule for files of the message (`file_upload` of operation 13, both generations); null if none are allowed. */
export function toUploadRule(parameters: AppParameters | undefined): FileRule | null {
  const upload = parameters?.file_upload
  const image = upload?.image
  if (!upload || !(upload.enabled || image?.enabled)) return null
  return {
    types: upload.allowed_file_types ?? (upload.enabled ? [] : ['image']),
    extensions: normalizeExtensions(upload.allowed_file_extensions),
    methods: upload.allowed_file_upload_methods ?? image?.transfer_methods ?? [],
    maxFiles: upload.number_limits ?? image?.number_limits ?? null,
    maxMegabytesByType: getMaxMegabytesByType(parameters),
  }
}

/** The maximum file size in MB, by type. */
export function getMaxMegabytesByType(parameters: AppParameters | undefined): Record<string, number> {
  const { file_size_limit, image_file_size_limit, audio_file_size_limit, video_file_size_limit } =
    parameters?.system_parameters ?? {}
  const limits = {
    file: file_size_limit,
    image: image_file_size_limit,
    audio: audio_file_size_limit,
    video: video_file_size_limit,
  }
  return Object.fromEntries(Object.entries(limits).flatMap(([type, limit]) => (limit ? [[type, limit]] : [])))
}

export const normalizeExtensions = (given: readonly string[] | null | undefined): string[] =>
  (given ?? []).map((one) => one.replace(/^\./, '').toLowerCase())

/** The first error of these files; null without any. */
export function findFilesError(rule: FileRule, entries: readonly FileEntry[]): FileError | null {
  if (rule.maxFiles !== null && entries.length > rule.maxFiles) return { key: 'tooManyFiles', max: rule.maxFiles }
  for (const entry of entries) {
    const fault = findFileError(rule, entry)
    if (fault) return fault
  }
  return null
}

export function findFileError(rule: FileRule, entry: FileEntry): FileError | null {
  const { type, transfer_method } = entry
  if (rule.types.length > 0 && !rule.types.includes(type) && !rule.types.includes('custom'))
    return { key: 'fileType', given: type, allowed: rule.types.join(', ') }
  if (rule.methods.length > 0 && !rule.methods.includes(transfer_method))
    return { key: 'fileMethod', given: transfer_method, allowed: rule.methods.join(', ') }
  if (transfer_method === 'remote_url' && !isHttpUrl(entry.url)) return { key: 'notUrl', given: entry.url ?? '' }
  if (transfer_method === 'local_file' && !entry.upload_file_id)
    return { key: 'notUploaded', given: getFileName(entry) }
  const extension = getFileExtension(entry)
  // A platform checks the extension only for files of type custom; a URL without one is allowed.
  if (type === 'custom' && extension !== '' && rule.extensions.length > 0 && !rule.extensions.includes(extension))
    return { key: 'fileExtension', given: extension, allowed: rule.extensions.join(', ') }
  const maxMegabytes = rule.maxMegabytesByType[type] ?? rule.maxMegabytesByType.file
  if (maxMegabytes !== undefined && entry.size !== undefined && entry.size > maxMegabytes * MEGABYTE_BYTES)
    return { key: 'fileTooLarge', given: getFileName(entry), max: maxMegabytes }
  return null
}

const MEGABYTE_BYTES = 1024 * 1024

export const getFileName = ({ name, url, upload_file_id }: FileEntry): string => name ?? url ?? upload_file_id ?? ''

const isHttpUrl = (url: string | undefined): boolean =>
  url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

function getFileExtension({ name, url }: FileEntry): string {
  const path = name ?? (url && URL.canParse(url) ? new URL(url).pathname : '')
  return /\.([a-z0-9]{1,12})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}

const TYPE_BY_EXTENSION: readonly [string, RegExp][] = [
  ['image', /^(png|jpe?g|gif|webp|svg|bmp|avif)$/],
  ['audio', /^(mp3|m4a|wav|amr|mpga|ogg|flac)$/],
  ['video', /^(mp4|mov|mpeg|webm)$/],
  ['document', /^(txt|md|markdown|mdx|pdf|html?|xlsx?|docx?|csv|eml|msg|pptx?|xml|epub)$/],
]

/**
 * Guesses the type of a file from its name, among the allowed types; `custom` if no other matches and it is allowed.
 */
export function guessFileType(rule: FileRule, entry: Pick<FileEntry, 'name' | 'url'>): string {
  const extension = getFileExtension({ type: '', transfer_method: '', ...entry })
  const guessed = TYPE_BY_EXTENSION.find(([, pattern]) => pattern.test(extension))?.[0]
  const isOpen = rule.types.length === 0
  if (guessed && (isOpen || rule.types.includes(guessed))) return guessed
  if (rule.types.includes('custom') || (isOpen && extension !== '')) return 'custom'
  return (extension === '' ? rule.types[0] : guessed) ?? rule.types[0] ?? 'document'
}

/** The file input object of the API. */
export const toFileInput = ({ type, transfer_method, url, upload_file_id }: FileEntry) => ({
  type,
  transfer_method,
  ...(url === undefined ? {} : { url }),
  ...(upload_file_id === undefined ? {} : { upload_file_id }),
})

/** Parses stored file entries; invalid ones are dropped. */
export function parseFileEntries(text: string): FileEntry[] {
  try {
    return toFileEntries(JSON.parse(text))
  } catch {
    return []
  }
}

/** The files of a request: one, several or none. */
export const toFileEntries = (value: unknown): FileEntry[] =>
  (Array.isArray(value) ? value : [value]).filter(isFileEntry)

const isFileEntry = (value: unknown): value is FileEntry =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as FileEntry).type === 'string' &&
  typeof (value as FileEntry).transfer_method === 'string' &&
  [(value as FileEntry).url, (value as FileEntry).upload_file_id].every(
    (one) => one === undefined || typeof one === 'string',
  )
