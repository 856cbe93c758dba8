import { isIndexingFinal } from '#domain/documentRecord.ts'
import { INDEXING_STEPS, type IndexingWatch, type WatchedDocument } from './indexingWatch.ts'

/** How long whole indexings took that this console saw from their first step to their last, by document and moment. */
export type IndexingDurations = Readonly<Record<string, number>>

const MAX_MEASURED_DOCUMENTS = 50
/** Minimum duration before anything is called slow (ms). */
const MIN_STALL_MS = 30_000
/** The threshold while nothing has been measured yet. */
const UNMEASURED_STALL_MS = 120_000

/** Adds what a look has found finished; what was found half done has no measure. */
export function measureIndexing(durations: IndexingDurations, { documents }: IndexingWatch): IndexingDurations {
  const fresh = documents.flatMap(({ id, observedStatuses }): [string, number][] => {
    const first = observedStatuses[0]
    const last = observedStatuses.at(-1)
    const isWhole = first?.status === INDEXING_STEPS[0] && last?.status === 'completed'
    const name = `${id}.${last?.at}`
    return isWhole && !(name in durations) ? [[name, last.at - first.at]] : []
  })
  if (fresh.length === 0) return durations
  return Object.fromEntries([...Object.entries(durations), ...fresh].slice(-MAX_MEASURED_DOCUMENTS))
}

/** The median, in milliseconds; null before the first measure. */
export function getUsualDuration(durations: IndexingDurations): number | null {
  const sorted = Object.values(durations).sort((one, other) => one - other)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return null
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** Milliseconds since the last change, if that is longer than usual; otherwise null. */
export function getStalledMs(watched: WatchedDocument, usualDurationMs: number | null, now: number): number | null {
  const last = watched.observedStatuses.at(-1)
  if (!last || isIndexingFinal({ id: watched.id, indexing_status: watched.status })) return null
  const unchangedMs = now - last.at
  return unchangedMs > Math.max(MIN_STALL_MS, usualDurationMs === null ? UNMEASURED_STALL_MS : usualDurationMs * 3)
    ? unchangedMs
    : null
}
