import type { Queue } from './batches/queue.ts'
import type { Database } from './database/database.ts'
import { listSnapshots } from './database/snapshots.ts'
import type { Meters } from './plugins/metrics.ts'
import type { Attachments } from './runs/attach.ts'
import type { Elsewhere } from './runs/elsewhere.ts'
import type { FrameWriter } from './runs/frames.ts'
import type { Runner } from './runs/runner.ts'

interface Parts {
  database: Database
  /** `DATA_DIR`. */
  folder: string
  runner: Runner
  attachments: Attachments
  elsewhere: Elsewhere
  writer: FrameWriter
  queue: Queue
}

/** How this server stands, in figures that are read when somebody asks. */
export function gauges(meters: Meters, parts: Parts): void {
  const { database, folder, runner, attachments, elsewhere, writer, queue } = parts
  meters.gauge('loupe_runs_live', 'Runs that this server reads from a platform', () => runner.live.size)
  meters.gauge('loupe_runs_followed', 'Runs that this server reads from the table for browsers', () => elsewhere.size)
  meters.gauge('loupe_streams_open', 'Streams that are open to browsers', () => attachments.size)
  meters.gauge('loupe_frames_waiting', 'Frames that wait for the database', () => writer.waiting)
  meters.gauge('loupe_batches_under_way', 'Batches and imports that this server works on', () => queue.size)
  meters.gauge(
    'loupe_database_waiting',
    'Queries that wait for a connection to the database',
    () => database.pool.waitingCount,
  )
  if (database.kind === 'pglite')
    meters.gauge(
      'loupe_snapshot_taken_seconds',
      'When the newest snapshot was taken, in Unix time; 0 without one',
      () => Math.round((listSnapshots(folder)[0]?.taken.getTime() ?? 0) / 1000),
    )
  else
    meters.gauge('loupe_post_open', 'Whether the words of other servers arrive: 1 or 0', () =>
      Number(database.post.isOpen),
    )
}
