import './umask.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { FolderError, takeLock } from './database/guard.ts'
import { SNAPSHOT_SIGNAL } from './database/hourly.ts'
import { restoreSnapshot } from './database/restore.ts'
import { copyDatabase, listSnapshots, type Snapshot, takeSnapshot } from './database/snapshots.ts'
import { readEnv } from './env.ts'

const USAGE = `npm run snapshots                   lists the snapshots of the embedded database, newest first
npm run snapshots -- take           takes one now, also while Loupe runs
npm run snapshots -- restore NAME   puts one in the place of the database; Loupe must be stopped`
/** A running server is given this long to take one. Milliseconds. */
const PATIENCE = 10 * 60_000

const env = readEnv(process.env)
/** One that somebody asks for is kept, also where none are taken by themselves. */
const keep = Math.max(env.SNAPSHOTS, 1)
const [deed = 'list', name = ''] = process.argv.slice(2)
try {
  if (deed === 'list') list()
  else if (deed === 'take') console.log(line(await take()))
  else if (deed === 'restore') console.log(await restore())
  else throw new Error(USAGE)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = error instanceof FolderError ? error.exitCode : 1
}

function list(): void {
  const all = listSnapshots(env.DATA_DIR)
  if (all.length === 0) console.log(`There is no snapshot in ${env.DATA_DIR}.`)
  for (const snapshot of all) console.log(line(snapshot))
}

function line({ name: file, size }: Snapshot): string {
  return `${file}  ${(size / 1024 / 1024).toFixed(1)} MiB`
}

/** By the server that holds the folder, else by ourselves. */
async function take(): Promise<Snapshot> {
  try {
    const lock = takeLock(env.DATA_DIR)
    try {
      return await takeSnapshot(env.DATA_DIR, (to) => copyDatabase(env.DATA_DIR, to), keep, new Date())
    } finally {
      lock.close()
    }
  } catch (error) {
    if (!(error instanceof FolderError && error.exitCode === 73)) throw error
    return signal()
  }
}

async function signal(): Promise<Snapshot> {
  const { pid } = JSON.parse(readFileSync(join(env.DATA_DIR, 'lock.json'), 'utf8')) as { pid: number }
  const before = listSnapshots(env.DATA_DIR)[0]?.name
  process.kill(pid, SNAPSHOT_SIGNAL)
  for (const began = Date.now(); Date.now() - began < PATIENCE; await wait(200)) {
    const newest = listSnapshots(env.DATA_DIR)[0]
    if (newest && newest.name !== before) return newest
  }
  throw new Error(`Process ${pid} took no snapshot. Its log says why.`)
}

async function restore(): Promise<string> {
  const snapshot = listSnapshots(env.DATA_DIR).find((one) => one.name === name)
  if (!snapshot) throw new Error(`There is no snapshot named "${name}".\n\n${USAGE}`)
  const aside = await restoreSnapshot(env.DATA_DIR, snapshot, new Date())
  return `${snapshot.name} is in place.${aside ? ` What was there stands in ${aside}.` : ''} Start Loupe.`
}
