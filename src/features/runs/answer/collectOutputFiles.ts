/** An output file of a workflow, with its URL. */
export interface OutputFile {
  name: string
  url: string
  type: string | null
}

/** Maximum search depth, and maximum number of files. */
const MAX_SEARCH_DEPTH = 6
const MAX_OUTPUT_FILES = 100

/** Collects the files in a workflow's output: records with a URL and a file name or type, each URL once. */
export function collectOutputFiles(...values: unknown[]): OutputFile[] {
  const filesByUrl = new Map<string, OutputFile>()
  for (const value of values) visit(value, 0)
  return [...filesByUrl.values()]

  function visit(value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > MAX_SEARCH_DEPTH || filesByUrl.size >= MAX_OUTPUT_FILES)
      return
    if (!Array.isArray(value)) {
      const file = toOutputFile(value as Record<string, unknown>)
      if (file && !filesByUrl.has(file.url)) filesByUrl.set(file.url, file)
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
}: Record<string, unknown>): OutputFile | null {
  const address = nonEmptyText(url) ?? nonEmptyText(remote_url)
  const fileName = nonEmptyText(filename) ?? nonEmptyText(name)
  const kind = nonEmptyText(mime_type) ?? nonEmptyText(type)
  if (address === null || (fileName === null && kind === null)) return null
  return { name: fileName ?? address, url: address, type: kind }
}

const nonEmptyText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
