import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const BuildRecord = z.object({
  inputs: z.string(),
  /** Whether the compressed files are there too. */
  isCompressed: z.boolean(),
  files: z.record(z.string(), z.number()),
})
export type BuildRecord = z.infer<typeof BuildRecord>

/** The server serves no file that begins with a dot. */
const RECORD_FILE = '.build.json'

/** Null where the folder is not a complete build, or has changed since. */
export function readBuildRecord(folder: string): BuildRecord | null {
  try {
    const record = BuildRecord.parse(JSON.parse(readFileSync(join(folder, RECORD_FILE), 'utf8')))
    const isWhole = Object.entries(record.files).every(([path, bytes]) => statSync(join(folder, path)).size === bytes)
    return isWhole ? record : null
  } catch {
    return null
  }
}

/** The last step of a build: an interrupted one has no record. */
export function writeBuildRecord(folder: string, record: Omit<BuildRecord, 'files'>): void {
  const files = Object.fromEntries(listFiles(folder).map((path) => [path, statSync(join(folder, path)).size]))
  replaceFile(join(folder, RECORD_FILE), JSON.stringify({ ...record, files }))
}

export const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

/** Atomic: a reader sees the old file or the new one, complete. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const aside = join(path, '..', `.${process.pid}.part`)
  try {
    writeFileSync(aside, content)
    renameSync(aside, path)
  } catch (error) {
    rmSync(aside, { force: true })
    throw error
  }
}
