import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { extract } from 'tar'
import { openPglite } from '../embedded/openPglite.ts'
import { FolderError, acquireFolderLock, writeMarker } from '../embedded/folderGuard.ts'
import { type Snapshot, snapshotFolder } from './snapshots.ts'

/**
 * Puts a snapshot in the place of the embedded database, after it has been opened and read elsewhere. What was there is
 * moved aside, never deleted; returns where it stands, or null when nothing was there.
 * @throws FolderError when a process holds the folder, or the snapshot does not open: nothing was changed then.
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
    rmSync(trialFolder, { recursive: true, force: true })
    lock.close()
  }
}

async function verifySnapshot({ name, path }: Snapshot, trial: string): Promise<void> {
  try {
    await extract({ file: path, cwd: trial, strict: true })
    const cluster = await openPglite(join(trial, 'database'))
    await cluster.query('SELECT count(*) FROM drizzle.__drizzle_migrations')
    await cluster.close()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new FolderError(`The snapshot ${name} does not open: ${why}. Nothing was changed.`)
  }
}
