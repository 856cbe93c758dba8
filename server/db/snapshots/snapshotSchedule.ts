import type { Logger } from 'pino'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'
import type { Database } from '../database.ts'
import { listSnapshots, takeSnapshot, type Snapshot } from './snapshots.ts'

/** Milliseconds. */
const SNAPSHOT_INTERVAL_MS = 60 * 60_000
const CHECK_INTERVAL_MS = 5 * 60_000

/** The signal that makes the server take a snapshot immediately. */
export const SNAPSHOT_SIGNAL = 'SIGUSR2'

export interface SnapshotSchedule {
  /** Takes one now; null for the database of a server. */
  take: () => Promise<Snapshot | null>
  /** Starts no further snapshot; resolves when the current one is done. */
  stop: () => Promise<void>
}

/**
 * Takes a snapshot of the embedded database after every hour with writes, and when it is signalled; with `keep` 0
 * only then.
 */
export function startSnapshotSchedule(options: {
  database: Pick<Database, 'pool' | 'copy'>
  folder: string
  keep: number
  log: Pick<Logger, 'info' | 'error'>
}): SnapshotSchedule {
  const { database, folder, keep, log } = options
  const { copy, pool } = database
  if (!copy) {
    // Without a listener the signal would terminate the process.
    process.on(SNAPSHOT_SIGNAL, noop)
    return { take: () => Promise.resolve(null), stop: async () => void process.off(SNAPSHOT_SIGNAL, noop) }
  }

  let pendingSnapshot: Promise<unknown> = Promise.resolve()
  let lastSnapshotLsn = ''
  const position = async () =>
    (await pool.query<{ at: string }>('SELECT pg_current_wal_insert_lsn()::text AS at')).rows[0]?.at ?? ''
  const run = async (): Promise<Snapshot> => {
    const at = await position()
    const snapshot = await takeSnapshot(folder, copy, Math.max(keep, 1), new Date())
    lastSnapshotLsn = at
    log.info({ file: snapshot.path, bytes: snapshot.size }, 'snapshot created')
    return snapshot
  }
  const take = () => {
    const taken = pendingSnapshot.catch(() => undefined).then(run)
    pendingSnapshot = taken
    return taken
  }
  const logFailure = (err: unknown) => log.error({ err }, 'create snapshot failed')
  const checkAge = async () => {
    const newest = listSnapshots(folder)[0]
    if (newest && Date.now() - newest.taken.getTime() < SNAPSHOT_INTERVAL_MS) return
    if ((await position()) !== lastSnapshotLsn) await take()
  }
  const onSignal = () => void take().catch(logFailure)

  const job = new BackgroundJob({ run: checkAge, onError: logFailure, intervalMs: CHECK_INTERVAL_MS })
  if (keep > 0) job.start()
  process.on(SNAPSHOT_SIGNAL, onSignal)
  return {
    take,
    stop: async () => {
      job.stop()
      process.off(SNAPSHOT_SIGNAL, onSignal)
      await pendingSnapshot.catch(() => undefined)
    },
  }
}

const noop = () => undefined
