import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  readdirSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { StartupError } from '../startupError.ts'

/**
 * Guards the embedded database's folder. PGlite takes no lock (two processes overwrite each other and lose rows
 * without an error) and starts empty over a folder that has lost PG_VERSION, so both are checked before it is opened.
 *
 * `DATA_DIR/lock.sqlite` is locked by the operating system for the life of the process, `DATA_DIR/lock.json` names
 * the owner, and `DATA_DIR/marker.json` says that `DATA_DIR/database` is complete and, while it is closed, what it
 * contained when it was closed.
 */
export class FolderError extends StartupError {
  constructor(message: string, exitCode = 74) {
    super(message, exitCode)
    this.name = 'FolderError'
  }
}

export interface FolderGuard {
  /** The folder for PGlite. */
  database: string
  /** True if the folder is empty: the caller creates the database and then calls `ready`. */
  isNew: boolean
  markReady: () => void
  /** The database must be closed: its folder must be unchanged when it is opened next. */
  release: () => void
}

/** Keeps a reference to the lock: garbage collection would release it. */
const heldLocks = new Set<DatabaseSync>()

export function guardFolder(folder: string): FolderGuard {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = acquireFolderLock(folder)
  try {
    const database = join(folder, 'database')
    const isNew = isNewFolder(folder, database)
    let isOpen = false
    return {
      database,
      isNew,
      markReady: () => {
        isOpen = true
        if (isNew) writeMarker(folder, 'ready')
      },
      release: () => {
        if (isOpen) writeInventory(folder, database)
        releaseLock(lock)
      },
    }
  } catch (error) {
    releaseLock(lock)
    throw error
  }
}

function releaseLock(lock: DatabaseSync): void {
  heldLocks.delete(lock)
  lock.close()
}

/** An SQLite file in exclusive mode is a lock that the operating system releases when the process dies. */
export function acquireFolderLock(folder: string): DatabaseSync {
  const lock = tryLockFile(join(folder, 'lock.sqlite'))
  if (!lock)
    throw new FolderError(
      `The folder ${folder} is in use by ${describeLockHolder(folder)}. Stop it first, or set DATA_DIR to another folder.`,
      73,
    )
  heldLocks.add(lock)
  try {
    writeFileSync(join(folder, 'lock.json'), JSON.stringify({ pid: process.pid, since: new Date().toISOString() }))
  } catch {
    // On a full disk; the owner is informational only.
  }
  return lock
}

/** SQLite's error codes for the lock file. It reads the file only when nobody holds it. */
const SQLITE_CODES = { busy: 5, readonly: 8, corrupt: 11, none: 26 }

/** Null when another process holds it. A damaged file is recreated: it locks nothing. */
function tryLockFile(path: string, isRetry = false): DatabaseSync | null {
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (pid INTEGER); COMMIT',
    )
    return lock
  } catch (error) {
    lock.close()
    // The lowest byte: extended codes use the others.
    const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff
    if (code === SQLITE_CODES.busy) return null
    if (!isRetry && [SQLITE_CODES.readonly, SQLITE_CODES.corrupt, SQLITE_CODES.none].includes(code)) {
      truncateSync(path)
      return tryLockFile(path, true)
    }
    throw new FolderError(`The folder cannot be locked: ${path}: ${String((error as Error).message)}.`)
  }
}

function describeLockHolder(folder: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(join(folder, 'lock.json'), 'utf8')) as { pid: number; since: string }
    return `process ${pid}, running since ${since}`
  } catch {
    return 'another process'
  }
}

/** @returns whether the folder must be created; throws when it is neither complete nor surely new */
function isNewFolder(folder: string, database: string): boolean {
  const { state, stood: inventory } = readMarker(folder)
  if (state === 'ready') {
    for (const file of ['PG_VERSION', join('global', 'pg_control')]) requireNonEmptyFile(database, file)
    const damage = inventory && findDamage(database, inventory)
    if (damage) throw toDamagedError(database, damage)
    // From here on the folder changes.
    if (inventory) writeMarker(folder, 'ready')
    return false
  }
  if (state === null && existsSync(database)) throw toDamagedError(database, 'its marker file (marker.json) is missing')
  // An interrupted first start: nothing in it was ever acknowledged.
  if (state === 'making') rmSync(database, { recursive: true, force: true })
  writeMarker(folder, 'making')
  return true
}

function requireNonEmptyFile(database: string, file: string): void {
  const path = join(database, file)
  if (!existsSync(path) || statSync(path).size === 0) throw toDamagedError(database, `${file} is missing or empty`)
}

export const toDamagedError = (database: string, why: string): FolderError =>
  new FolderError(
    `The database in ${database} is damaged: ${why}. Nothing was changed. ` +
      'Restore the folder from a backup, or move it away to start empty, or set DATA_DIR to another folder.',
  )

/** 75 means "try again later": a supervisor may restart it, unlike a damaged one. */
export const toDiskFullError = (folder: string, why: string): FolderError =>
  new FolderError(
    `The disk of ${folder} is full, and the database in it does not open: ${why}. Nothing was changed. Free some space and start again.`,
    75,
  )

/** `stood`: the contents of the database's folder when it was closed; null while it is open, or after it was opened. */
interface FolderMarker {
  state: 'making' | 'ready' | null
  stood: FileInventory | null
}

function readMarker(folder: string): FolderMarker {
  const path = join(folder, 'marker.json')
  if (!existsSync(path)) return { state: null, stood: null }
  try {
    const { state, stood: inventory = null } = JSON.parse(readFileSync(path, 'utf8')) as Partial<FolderMarker>
    if (state === 'making' || state === 'ready') return { state, stood: inventory }
  } catch {
    // Falls through: an unreadable marker is as bad as none.
  }
  throw toDamagedError(join(folder, 'database'), 'its marker file (marker.json) is unreadable')
}

/** Written atomically: to a temporary file that is then renamed. */
export function writeMarker(folder: string, state: 'making' | 'ready', inventory?: FileInventory): void {
  const path = join(folder, 'marker.json')
  try {
    writeFileSync(`${path}.new`, JSON.stringify({ state, since: new Date().toISOString(), stood: inventory }))
    renameSync(`${path}.new`, path)
  } catch (error) {
    rmSync(`${path}.new`, { force: true })
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC'
      ? toDiskFullError(folder, 'marker.json cannot be written')
      : error
  }
}

/** On a full disk the inventory cannot be written; the next start then checks less. */
function writeInventory(folder: string, database: string): void {
  try {
    writeMarker(folder, 'ready', takeInventory(database))
  } catch {
    // Only the inventory is lost, not data.
  }
}

/** The files of a folder by relative path: size in bytes and, in a small folder, CRC-32. */
type FileInventory = Record<string, [size: number, sum?: number]>

/** PostgreSQL's template databases, which contain no data of ours. */
const TEMPLATE_DATABASES = [join('base', '1'), join('base', '4')]

/** Up to this size all files are checksummed (0.25 s); above it only sizes are recorded. */
const MAX_CHECKSUM_BYTES = 256 * 1024 * 1024

/**
 * For a folder that nobody writes to. PostgreSQL does not notice that a table has become shorter, and finds a changed
 * byte only when its page is read: this finds both before the database is opened.
 */
function takeInventory(folder: string): FileInventory {
  const sizes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !TEMPLATE_DATABASES.includes(entry.parentPath.slice(folder.length + 1)))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path): [string, number] => [path.slice(folder.length + 1), statSync(path).size])
  const isSmall = sizes.reduce((sum, [, size]) => sum + size, 0) <= MAX_CHECKSUM_BYTES
  return Object.fromEntries(
    sizes.map(([path, size]) => [path, isSmall ? [size, crc32(readFileSync(join(folder, path)))] : [size]]),
  )
}

/** The first difference, as words that follow "it is damaged: "; null without one. Additional files are no damage. */
function findDamage(folder: string, inventory: FileInventory): string | null {
  for (const [path, [size, sum]] of Object.entries(inventory)) {
    const now = statSync(join(folder, path), { throwIfNoEntry: false })?.size
    if (now === undefined) return `${path} is missing`
    if (now !== size) return `${path} has ${now} bytes, and had ${size} when Loupe stopped`
    if (sum !== undefined && crc32(readFileSync(join(folder, path))) !== sum)
      return `${path} is not what it was when Loupe stopped`
  }
  return null
}
