import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Resource usage of a server, in bytes and counts. */
export interface Sample {
  /** Seconds since the first sample. */
  at: number
  rss: number
  heap: number
  external: number
  fds: number
  /** Handles of the event loop: timers, sockets, active requests. */
  handles: number
  runs: number
  database: number
}

export async function takeSample(url: string, folder: string, at: number): Promise<Sample> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  return {
    at,
    rss: read('process_resident_memory_bytes'),
    heap: read('nodejs_heap_size_used_bytes'),
    external: read('nodejs_external_memory_bytes'),
    fds: read('process_open_fds'),
    handles: read('nodejs_active_resources_total'),
    runs: read('loupe_runs_live'),
    database: getFolderBytes(join(folder, 'database')),
  }
}

function getFolderBytes(folder: string): number {
  let sum = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    // A file may be deleted while it is counted: the database is running.
    if (entry.isFile()) sum += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0
  return sum
}

/** What a figure gains in an hour, by the straight line that fits best; null of fewer than two samples. */
export function getHourlySlope(samples: readonly Sample[], metric: keyof Sample): number | null {
  if (samples.length < 2) return null
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, one) => sum + of(one), 0) / samples.length
  const [at, value] = [mean((one) => one.at), mean((one) => one[metric])]
  const spread = samples.reduce((sum, one) => sum + (one.at - at) ** 2, 0)
  if (spread === 0) return null
  return (samples.reduce((sum, one) => sum + (one.at - at) * (one[metric] - value), 0) / spread) * 3600
}
