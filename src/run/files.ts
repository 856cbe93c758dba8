import type { Parameters } from '#contract/workflows.ts'

/** What an app lets in as files: of one variable, or beside the question. Empty lists say nothing and let everything through. */
export interface FileRule {
  types: readonly string[]
  extensions: readonly string[]
  methods: readonly string[]
  /** How many; null where the app does not say. */
  most: number | null
  /** Megabytes by type, the general limit under `file`. */
  sizes: Readonly<Record<string, number>>
}

/** A file as it stands in a form. `name`, `size` (bytes) and `by` (its user) are the console's own and are not sent. */
export interface FileEntry {
  type: string
  transfer_method: string
  url?: string
  upload_file_id?: string
  name?: string
  size?: number
  by?: string
}

export const FILE_TYPES = ['image', 'document', 'audio', 'video', 'custom']

type FileFault =
  'tooManyFiles' | 'notUrl' | 'notUploaded' | 'fileType' | 'fileMethod' | 'fileExtension' | 'fileTooLarge'
/** What is wrong with a file: what it is, and what is let in. */
export interface FilesFault {
  key: FileFault
  max?: number
  given?: string
  allowed?: string
}

/** The rule for files beside the question (`file_upload` of operation 13, both of its generations); null where none are let in. */
export function ruleOfUpload(parameters: Parameters | undefined): FileRule | null {
  const upload = parameters?.file_upload
  const image = upload?.image
  if (!upload || !(upload.enabled || image?.enabled)) return null
  return {
    types: upload.allowed_file_types ?? (upload.enabled ? [] : ['image']),
    extensions: extensionsOf(upload.allowed_file_extensions),
    methods: upload.allowed_file_upload_methods ?? image?.transfer_methods ?? [],
    most: upload.number_limits ?? image?.number_limits ?? null,
    sizes: sizesOf(parameters),
  }
}

/** The most megabytes of a file, by its type. */
export function sizesOf(parameters: Parameters | undefined): Record<string, number> {
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

export const extensionsOf = (given: readonly string[] | null | undefined): string[] =>
  (given ?? []).map((one) => one.replace(/^\./, '').toLowerCase())

/** The first thing that keeps these files from being sent; null where nothing does. */
export function faultOfFiles(rule: FileRule, entries: readonly FileEntry[]): FilesFault | null {
  if (rule.most !== null && entries.length > rule.most) return { key: 'tooManyFiles', max: rule.most }
  for (const entry of entries) {
    const fault = faultOfFile(rule, entry)
    if (fault) return fault
  }
  return null
}

export function faultOfFile(rule: FileRule, entry: FileEntry): FilesFault | null {
  const { type, transfer_method } = entry
  if (rule.types.length > 0 && !rule.types.includes(type) && !rule.types.includes('custom'))
    return { key: 'fileType', given: type, allowed: rule.types.join(', ') }
  if (rule.methods.length > 0 && !rule.methods.includes(transfer_method))
    return { key: 'fileMethod', given: transfer_method, allowed: rule.methods.join(', ') }
  if (transfer_method === 'remote_url' && !isWeb(entry.url)) return { key: 'notUrl', given: entry.url ?? '' }
  if (transfer_method === 'local_file' && !entry.upload_file_id) return { key: 'notUploaded', given: nameOf(entry) }
  const extension = extensionOf(entry)
  // A platform holds the list against files of type custom alone; a URL without an extension says nothing.
  if (type === 'custom' && extension !== '' && rule.extensions.length > 0 && !rule.extensions.includes(extension))
    return { key: 'fileExtension', given: extension, allowed: rule.extensions.join(', ') }
  const most = rule.sizes[type] ?? rule.sizes.file
  if (most !== undefined && entry.size !== undefined && entry.size > most * MEGABYTE)
    return { key: 'fileTooLarge', given: nameOf(entry), max: most }
  return null
}

const MEGABYTE = 1024 * 1024

export const nameOf = ({ name, url, upload_file_id }: FileEntry): string => name ?? url ?? upload_file_id ?? ''

const isWeb = (url: string | undefined): boolean =>
  url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

function extensionOf({ name, url }: FileEntry): string {
  const path = name ?? (url && URL.canParse(url) ? new URL(url).pathname : '')
  return /\.([a-z0-9]{1,12})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
}

const BY_EXTENSION: readonly [string, RegExp][] = [
  ['image', /^(png|jpe?g|gif|webp|svg|bmp|avif)$/],
  ['audio', /^(mp3|m4a|wav|amr|mpga|ogg|flac)$/],
  ['video', /^(mp4|mov|mpeg|webm)$/],
  ['document', /^(txt|md|markdown|mdx|pdf|html?|xlsx?|docx?|csv|eml|msg|pptx?|xml|epub)$/],
]

/** The type of a file by its name, among those that are let in; `custom` where that lets in what is none of them. */
export function typeOf(rule: FileRule, entry: Pick<FileEntry, 'name' | 'url'>): string {
  const extension = extensionOf({ type: '', transfer_method: '', ...entry })
  const guessed = BY_EXTENSION.find(([, pattern]) => pattern.test(extension))?.[0]
  const isOpen = rule.types.length === 0
  if (guessed && (isOpen || rule.types.includes(guessed))) return guessed
  if (rule.types.includes('custom') || (isOpen && extension !== '')) return 'custom'
  return (extension === '' ? rule.types[0] : guessed) ?? rule.types[0] ?? 'document'
}

/** The file input object of the interface. */
export const sentFile = ({ type, transfer_method, url, upload_file_id }: FileEntry) => ({
  type,
  transfer_method,
  ...(url === undefined ? {} : { url }),
  ...(upload_file_id === undefined ? {} : { upload_file_id }),
})

/** Files as a form keeps them; what is none is left out. */
export function readEntries(text: string): FileEntry[] {
  try {
    return entriesOf(JSON.parse(text))
  } catch {
    return []
  }
}

/** Files as a request had them: one, several or none. */
export const entriesOf = (value: unknown): FileEntry[] => (Array.isArray(value) ? value : [value]).filter(isEntry)

const isEntry = (value: unknown): value is FileEntry =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as FileEntry).type === 'string' &&
  typeof (value as FileEntry).transfer_method === 'string' &&
  [(value as FileEntry).url, (value as FileEntry).upload_file_id].every(
    (one) => one === undefined || typeof one === 'string',
  )
