import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { cp, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { FolderError } from '../embedded/folderGuard.ts'

/**
 * One copy of the embedded database: `DATA_DIR/snapshots/<when>.tar.gz`, or `<when>-before-upgrade.tar.gz`. Size in
 * bytes.
 */
export interface Snapshot {
  name: string
  path: string
  kind: SnapshotKind
  taken: Date
  size: number
}

/** Snapshots before an upgrade rotate separately, so that hourly ones do not replace them. */
type SnapshotKind = 'scheduled' | 'before_upgrade'
const NAME_SUFFIX: Record<SnapshotKind, string> = { scheduled: '', before_upgrade: '-before-upgrade' }
const SNAPSHOT_NAME = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)Z(-before-upgrade)?\.tar\.gz$/
const KEPT_UPGRADE_SNAPSHOTS = 3
/** Bytes that must stay free after the copy that is made before packing. */
const MIN_FREE_BYTES = 512 * 1024 * 1024

export const snapshotFolder = (folder: string): string => join(folder, 'snapshots')

/** Newest first. Incomplete and foreign files are ignored. */
export function listSnapshots(folder: string): Snapshot[] {
  const snapshotDir = snapshotFolder(folder)
  if (!existsSync(snapshotDir)) return []
  return readdirSync(snapshotDir)
    .filter((name) => SNAPSHOT_NAME.test(name))
    .sort()
    .reverse()
    .map((name) => {
      const path = join(snapshotDir, name)
      const kind = name.includes(NAME_SUFFIX.before_upgrade) ? 'before_upgrade' : 'scheduled'
      return { name, path, kind, taken: new Date(name.replace(SNAPSHOT_NAME, '$1:$2:$3Z')), size: statSync(path).size }
    })
}

/**
 * Takes a snapshot and deletes all but the newest `keep` of its kind. `copy` writes the database's files as a crash
 * at that moment would leave them; PostgreSQL's log repairs them when they are opened. Packing runs in a separate
 * process.
 * @throws FolderError when there is too little space: a backup must not fill the disk
 */
export async function takeSnapshot(
  folder: string,
  copy: (to: string) => Promise<void>,
  keep: number,
  now: Date,
  kind: SnapshotKind = 'scheduled',
): Promise<Snapshot> {
  const snapshotDir = snapshotFolder(folder)
  mkdirSync(snapshotDir, { recursive: true, mode: 0o700 })
  const tempFolder = join(snapshotDir, 'half-made')
  for (const leftover of readdirSync(snapshotDir).filter((one) => one === 'half-made' || one.endsWith('.part')))
    rmSync(join(snapshotDir, leftover), { recursive: true, force: true })
  await requireFreeSpace(folder)
  const name = `${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z${NAME_SUFFIX[kind]}.tar.gz`
  try {
    mkdirSync(tempFolder, { mode: 0o700 })
    await copy(join(tempFolder, 'database'))
    await packInChildProcess(tempFolder, join(snapshotDir, name))
  } finally {
    rmSync(tempFolder, { recursive: true, force: true })
  }
  const all = listSnapshots(folder).filter((one) => one.kind === kind)
  for (const { path } of all.slice(keep)) rmSync(path, { force: true })
  const newSnapshot = all.find((one) => one.name === name)
  if (!newSnapshot) throw new Error(`The snapshot ${name} is missing after it was written.`)
  return newSnapshot
}

/** @throws FolderError when there is too little space */
export async function takeUpgradeSnapshot(folder: string, copy: (to: string) => Promise<void>): Promise<Snapshot> {
  try {
    return await takeSnapshot(folder, copy, KEPT_UPGRADE_SNAPSHOTS, new Date(), 'before_upgrade')
  } catch (error) {
    if (!(error instanceof FolderError)) throw error
    throw new FolderError(
      `${error.message} The upgrade was not begun. Make room, or start with SNAPSHOTS=0 to upgrade without a snapshot.`,
      error.exitCode,
    )
  }
}

/** For a database that no process has open. */
export async function copyDatabase(folder: string, to: string): Promise<void> {
  const database = join(folder, 'database')
  if (!existsSync(join(database, 'PG_VERSION'))) throw new Error(`There is no database in ${folder}.`)
  await cp(database, to, { recursive: true })
}

async function requireFreeSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const needed = 2 * getFolderBytes(join(folder, 'database')) + MIN_FREE_BYTES
  if (bavail * bsize >= needed) return
  const mebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024)
  throw new FolderError(
    `No snapshot: ${mebibytes(bavail * bsize)} MiB are free where ${folder} is, and ${mebibytes(needed)} MiB are needed.`,
    75,
  )
}

function getFolderBytes(folder: string): number {
  if (!existsSync(folder)) return 0
  let sum = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    // A file may disappear while it is counted: the database is running.
    if (entry.isFile()) sum += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0
  return sum
}

async function packInChildProcess(from: string, to: string): Promise<void> {
  const script = fileURLToPath(new URL('./packSnapshot.ts', import.meta.url))
  await promisify(execFile)(process.execPath, [script, from, to])
}
