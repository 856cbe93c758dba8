/** The kinds of documents that Loupe reads, in its platform and in the chunk lab, by extension. */
export const DOCUMENT_KINDS = [
  'txt',
  'md',
  'markdown',
  'mdx',
  'html',
  'htm',
  'csv',
  'tsv',
  'xlsx',
  'pdf',
  'docx',
  'vtt',
  'properties',
] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** The extension of a file's name, in lower case and without its dot; empty for none. */
export const getExtension = (name: string): string => /[^/]\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
