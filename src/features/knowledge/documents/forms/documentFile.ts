/** What platforms of this kind read, by the end of the name. The platform has the last word. */
export const KNOWN_EXTENSIONS = [
  'txt',
  'md',
  'markdown',
  'mdx',
  'pdf',
  'html',
  'htm',
  'docx',
  'csv',
  'xlsx',
  'xls',
  'vtt',
  'properties',
]
/** The usual limit of a platform, in bytes ("system_parameters", in megabytes); a platform may have another. */
export const USUAL_MAX_FILE_BYTES = 15 * 1024 * 1024

export type FileErrorKind = 'empty' | 'kind' | 'size'

/** What is likely to be refused, so that it is asked about before its bytes are sent; null where nothing is. */
export function findDocumentFileError({ name, size }: { name: string; size: number }): FileErrorKind | null {
  if (size === 0) return 'empty'
  if (!KNOWN_EXTENSIONS.includes(getExtension(name))) return 'kind'
  return size > USUAL_MAX_FILE_BYTES ? 'size' : null
}

export const getExtension = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** Bytes for a person: `5.2 MB`. */
export function formatMegabytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} kB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
