import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/** The files of a folder by relative path: size in bytes and, in a small folder, CRC-32. */
export type FileInventory = Record<string, [size: number, sum?: number]>

/** PostgreSQL's template databases hold no data of ours. */
const TEMPLATE_DATABASES = [join('base', '1'), join('base', '4')]

/** Up to this size all files are checksummed (0.25 s); above it only sizes are recorded. */
const MAX_CHECKSUM_BYTES = 256 * 1024 * 1024

/**
 * Of a folder that nobody writes to. PostgreSQL takes a table that has become shorter for one that never was longer, and
 * finds a changed byte when its page is read, which may be in a year: this finds both before the database is opened.
 */
export function takeInventory(folder: string): FileInventory {
  const sizes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !TEMPLATE_DATABASES.includes(entry.parentPath.slice(folder.length + 1)))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path): [string, number] => [path.slice(folder.length + 1), statSync(path).size])
  const isSmall = sizes.reduce((sum, [, size]) => sum + size, 0) <= MAX_CHECKSUM_BYTES
  return Object.fromEntries(
    sizes.map(([path, size]) => [path, isSmall ? [size, crc32(readFileSync(join(folder, path)))] : [size]]),
  )
}

/** What is no longer as it stood then, in words that follow "it is damaged: "; null when all is. Files that came since are no damage. */
export function findDamage(folder: string, inventory: FileInventory): string | null {
  for (const [path, [size, sum]] of Object.entries(inventory)) {
    const now = statSync(join(folder, path), { throwIfNoEntry: false })?.size
    if (now === undefined) return `${path} is missing`
    if (now !== size) return `${path} has ${now} bytes, and had ${size} when Loupe stopped`
    if (sum !== undefined && crc32(readFileSync(join(folder, path))) !== sum)
      return `${path} is not what it was when Loupe stopped`
  }
  return null
}
