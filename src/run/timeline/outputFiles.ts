/** A file that a workflow gave, by its address. */
export interface OutputFile {
  name: string
  url: string
  type: string | null
}

/** Deeper than this no file is looked for, and more are not listed. */
const DEPTH = 6
const MOST = 100

/** The files in what a workflow gave: records with an address and a name or type of file, each address once. */
export function outputFiles(...values: unknown[]): OutputFile[] {
  const found = new Map<string, OutputFile>()
  for (const value of values) look(value, 0)
  return [...found.values()]

  function look(value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > DEPTH || found.size >= MOST) return
    if (!Array.isArray(value)) {
      const file = fileOf(value as Record<string, unknown>)
      if (file && !found.has(file.url)) found.set(file.url, file)
    }
    for (const part of Object.values(value)) look(part, depth + 1)
  }
}

function fileOf({ url, remote_url, filename, name, type, mime_type }: Record<string, unknown>): OutputFile | null {
  const address = text(url) ?? text(remote_url)
  const called = text(filename) ?? text(name)
  const kind = text(mime_type) ?? text(type)
  if (address === null || (called === null && kind === null)) return null
  return { name: called ?? address, url: address, type: kind }
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
