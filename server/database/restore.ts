import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { extract } from 'tar'
import { openCluster } from './cluster.ts'
import { FolderError, takeLock, writeMarker } from './guard.ts'
import { type Snapshot, snapshotFolder } from './snapshots.ts'

/**
 * Puts a snapshot in the place of the embedded database, after it has been opened and read elsewhere. What was there is
 * moved aside, never deleted; returns where it stands, or null when nothing was there.
 * @throws FolderError when a process holds the folder, or the snapshot does not open: nothing was changed then.
 */
export async function restoreSnapshot(folder: string, snapshot: Snapshot, now: Date): Promise<string | null> {
  const lock = takeLock(folder)
  const trial = join(snapshotFolder(folder), 'restoring')
  try {
    rmSync(trial, { recursive: true, force: true })
    mkdirSync(trial, { mode: 0o700 })
    await tryOut(snapshot, trial)
    const database = join(folder, 'database')
    const aside = `${database}.before-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
    const had = existsSync(database)
    if (had) renameSync(database, aside)
    renameSync(join(trial, 'database'), database)
    writeMarker(folder, 'ready')
    return had ? aside : null
  } finally {
    rmSync(trial, { recursive: true, force: true })
    lock.close()
  }
}

async function tryOut({ name, path }: Snapshot, trial: string): Promise<void> {
  try {
    await extract({ file: path, cwd: trial, strict: true })
    const cluster = await openCluster(join(trial, 'database'))
    await cluster.query('SELECT count(*) FROM drizzle.__drizzle_migrations')
    await cluster.close()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new FolderError(`The snapshot ${name} does not open: ${why}. Nothing was changed.`)
  }
}
