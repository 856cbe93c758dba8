import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { extract, type ReadEntry } from 'tar'
import { openPglite } from '../embedded/openPglite.ts'
import { FolderError, acquireFolderLock, writeMarker } from '../embedded/folderGuard.ts'
import { type Snapshot, snapshotFolder } from './snapshots.ts'

/**
 * Replaces the embedded database with a snapshot that was opened and read in another folder before. The previous
 * database is moved aside, never deleted.
 * @returns its new place; null if there was none
 * @throws FolderError when a process holds the folder, or the snapshot does not open: nothing has changed then
 */
export async function restoreSnapshot(folder: string, snapshot: Snapshot, now: Date): Promise<string | null> {
  const lock = acquireFolderLock(folder)
  const trialFolder = join(snapshotFolder(folder), 'restoring')
  try {
    rmSync(trialFolder, { recursive: true, force: true })
    mkdirSync(trialFolder, { mode: 0o700 })
    await verifySnapshot(snapshot, trialFolder)
    const database = join(folder, 'database')
    const previousFolder = `${database}.before-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
    const existedBefore = existsSync(database)
    if (existedBefore) renameSync(database, previousFolder)
    renameSync(join(trialFolder, 'database'), database)
    writeMarker(folder, 'ready')
    return existedBefore ? previousFolder : null
  } finally {
    // After an error, files in progress are still written.
    rmSync(trialFolder, { recursive: true, force: true, maxRetries: 10 })
    lock.close()
  }
}

async function verifySnapshot({ name, path }: Snapshot, trial: string): Promise<void> {
  try {
    await unpack(path, trial)
    const cluster = await openPglite(join(trial, 'database'))
    await cluster.query('SELECT count(*) FROM drizzle.__drizzle_migrations')
    await cluster.close()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new FolderError(`The snapshot ${name} cannot be opened: ${why}. Nothing was changed.`)
  }
}

/** Only files and folders of a database, and as far as there is space: a link would lead out of it after the move. */
async function unpack(file: string, cwd: string): Promise<void> {
  const { bavail, bsize } = await statfs(cwd)
  let bytes = 0
  let fault: string | null = null
  const findFault = (entry: string, { type, size }: ReadEntry): string | null => {
    if (!['File', 'Directory'].includes(type) || !/^database(\/|$)/.test(entry))
      return `“${entry}” (${type}) is no file of a database`
    bytes += size
    return bytes > bavail * bsize
      ? `unpacked, it does not fit on the disk, of which ${bavail * bsize} bytes are free`
      : null
  }
  await extract({
    file,
    cwd,
    strict: true,
    filter: (entry, header) => {
      fault ??= findFault(entry, header as ReadEntry)
      return fault === null
    },
  }).catch((error: unknown) => {
    if (fault === null) throw error
  })
  if (fault !== null) throw new Error(fault)
}
