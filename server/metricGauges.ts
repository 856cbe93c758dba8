import type { BatchQueue } from './batches/batchQueue.ts'
import type { Database } from './db/database.ts'
import { listSnapshots } from './db/snapshots/snapshots.ts'
import type { Metrics } from './http/metrics.ts'
import type { RunSubscriptions } from './runs/subscriptions/runSubscriptions.ts'
import type { RemoteRunReader } from './runs/subscriptions/remoteRunReader.ts'
import type { FrameWriter } from './runs/streaming/frameWriter.ts'
import type { RunExecutor } from './runs/runExecutor.ts'

interface GaugeDeps {
  database: Database
  /** `DATA_DIR`. */
  folder: string
  executor: RunExecutor
  subscriptions: RunSubscriptions
  remoteRuns: RemoteRunReader
  frameWriter: FrameWriter
  batchQueue: BatchQueue
}

/** Gauges of this server's state, read on each rendering. */
export function registerGauges(metrics: Metrics, deps: GaugeDeps): void {
  const { database, folder, executor, subscriptions, remoteRuns, frameWriter, batchQueue } = deps
  metrics.addGauge('loupe_runs_live', 'Runs that this server reads from a platform', () => executor.liveRuns.size)
  metrics.addGauge(
    'loupe_runs_followed',
    'Runs that this server reads from the table for browsers',
    () => remoteRuns.size,
  )
  metrics.addGauge('loupe_streams_open', 'Streams that are open to browsers', () => subscriptions.size)
  metrics.addGauge('loupe_frames_waiting', 'Frames that wait for the database', () => frameWriter.pendingFrames)
  metrics.addGauge('loupe_batches_under_way', 'Batches and imports that this server works on', () => batchQueue.size)
  metrics.addGauge(
    'loupe_database_waiting',
    'Queries that wait for a connection to the database',
    () => database.pool.waitingCount,
  )
  if (database.kind === 'pglite')
    metrics.addGauge(
      'loupe_snapshot_taken_seconds',
      'When the newest snapshot was taken, in Unix time; 0 without one',
      () => Math.round((listSnapshots(folder)[0]?.taken.getTime() ?? 0) / 1000),
    )
  else
    metrics.addGauge('loupe_post_open', 'Whether the words of other servers arrive: 1 or 0', () =>
      Number(database.messageBus.isConnected),
    )
}
