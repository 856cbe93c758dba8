import type { MessageFile } from '#domain/answer/answerParts.ts'

/** Maximum search depth, and maximum number of files. */
const MAX_SEARCH_DEPTH = 6
const MAX_OUTPUT_FILES = 100

/** Collects the files in a workflow's output: records with a URL and a file name or type, each URL once. */
export function collectOutputFiles(...values: unknown[]): MessageFile[] {
  const filesByUrl = new Map<string, MessageFile>()
  for (const value of values) visit(value, 0)
  return [...filesByUrl.values()]

  function visit(value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > MAX_SEARCH_DEPTH || filesByUrl.size >= MAX_OUTPUT_FILES)
      return
    if (!Array.isArray(value)) {
      const file = toOutputFile(value as Record<string, unknown>)
      if (file?.url && !filesByUrl.has(file.url)) filesByUrl.set(file.url, file)
    }
    for (const part of Object.values(value)) visit(part, depth + 1)
  }
}

function toOutputFile({
  url,
  remote_url,
  filename,
  name,
  type,
  mime_type,
  size,
}: Record<string, unknown>): MessageFile | null {
  const address = nonEmptyText(url) ?? nonEmptyText(remote_url)
  const fileName = nonEmptyText(filename) ?? nonEmptyText(name)
  const mediaType = nonEmptyText(mime_type)
  const kind = nonEmptyText(type)
  if (address === null || (fileName === null && mediaType === null && kind === null)) return null
  return {
    id: null,
    type: kind,
    belongs_to: null,
    url: address,
    ...(fileName === null ? {} : { filename: fileName }),
    ...(mediaType === null ? {} : { mime_type: mediaType }),
    ...(typeof size === 'number' ? { size } : {}),
  }
}

const nonEmptyText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
