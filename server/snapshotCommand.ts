import './umask.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { FolderError, acquireFolderLock } from './db/embedded/folderGuard.ts'
import { SNAPSHOT_SIGNAL } from './db/snapshots/snapshotSchedule.ts'
import { restoreSnapshot } from './db/snapshots/restoreSnapshot.ts'
import { copyDatabase, listSnapshots, type Snapshot, takeSnapshot } from './db/snapshots/snapshots.ts'
import { parseEnv } from './env.ts'

const USAGE = `npm run snapshots                   lists the snapshots of the embedded database, newest first
npm run snapshots -- take           takes one now, also while Loupe runs
npm run snapshots -- restore NAME   puts one in the place of the database; Loupe must be stopped
npm run snapshots -- restore --before-upgrade   puts back the database from before the last upgrade`
/** Timeout for a snapshot by a running server (ms). */
const SNAPSHOT_TIMEOUT_MS = 10 * 60_000

const env = parseEnv(process.env)
/** A requested snapshot is stored even where automatic snapshots are off. */
const keep = Math.max(env.SNAPSHOTS, 1)
const [action = 'list', name = ''] = process.argv.slice(2)
try {
  if (action === 'list') printSnapshots()
  else if (action === 'take') console.log(toLine(await createSnapshot()))
  else if (action === 'restore') console.log(await restoreNamedSnapshot())
  else throw new Error(USAGE)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = error instanceof FolderError ? error.exitCode : 1
}

function printSnapshots(): void {
  const all = listSnapshots(env.DATA_DIR)
  if (all.length === 0) console.log(`No snapshots in ${env.DATA_DIR}.`)
  for (const snapshot of all) console.log(toLine(snapshot))
}

function toLine({ name: file, size }: Snapshot): string {
  return `${file}  ${(size / 1024 / 1024).toFixed(1)} MiB`
}

/** Taken by the server that owns the folder, or by this process if none is running. */
async function createSnapshot(): Promise<Snapshot> {
  try {
    const lock = acquireFolderLock(env.DATA_DIR)
    try {
      return await takeSnapshot(env.DATA_DIR, (to) => copyDatabase(env.DATA_DIR, to), keep, new Date())
    } finally {
      lock.close()
    }
  } catch (error) {
    if (!(error instanceof FolderError && error.exitCode === 73)) throw error
    return requestSnapshot()
  }
}

async function requestSnapshot(): Promise<Snapshot> {
  const { pid } = JSON.parse(readFileSync(join(env.DATA_DIR, 'lock.json'), 'utf8')) as { pid: number }
  const before = listSnapshots(env.DATA_DIR)[0]?.name
  process.kill(pid, SNAPSHOT_SIGNAL)
  for (const began = Date.now(); Date.now() - began < SNAPSHOT_TIMEOUT_MS; await wait(200)) {
    const newest = listSnapshots(env.DATA_DIR)[0]
    if (newest && newest.name !== before) return newest
  }
  throw new Error(`Process ${pid} took no snapshot. See its log.`)
}

async function restoreNamedSnapshot(): Promise<string> {
  const isUpgrade = name === '--before-upgrade'
  const snapshot = listSnapshots(env.DATA_DIR).find((one) =>
    isUpgrade ? one.kind === 'before_upgrade' : one.name === name,
  )
  if (!snapshot)
    throw new Error(
      isUpgrade
        ? `No snapshots from before an upgrade in ${env.DATA_DIR}.`
        : `There is no snapshot named "${name}".\n\n${USAGE}`,
    )
  const aside = await restoreSnapshot(env.DATA_DIR, snapshot, new Date())
  return `${snapshot.name} is in place.${aside ? ` What was there stands in ${aside}.` : ''} Start ${snapshot.kind === 'before_upgrade' ? 'the Loupe from before the upgrade' : 'Loupe'}.`
}
