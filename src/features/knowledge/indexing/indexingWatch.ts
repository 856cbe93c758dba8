import { type DocumentRecord, isIndexingFinal } from '#domain/documentRecord.ts'
import { INDEXING_STATUSES, isFinalIndexingStatus } from '#contract/statuses.ts'

/** The indexing statuses of a document, in order. */
export const INDEXING_STEPS: readonly string[] = INDEXING_STATUSES.filter(
  (status) => status === 'completed' || !isFinalIndexingStatus(status),
)

export interface WatchedDocument {
  id: string
  name: string | null
  status: string
  error: string | null
  /** When each status was first seen, in the order of seeing; milliseconds since 1970. */
  observedStatuses: { status: string; at: number }[]
  /** The last observation while it was not final. */
  observedAt: number
}

export interface IndexingWatch {
  readonly documents: readonly WatchedDocument[]
  /** The look that was folded last. */
  readonly observedAt: number
}
export const emptyWatch: IndexingWatch = { documents: [], observedAt: 0 }

/**
 * Folds one poll of a list into the earlier ones. A document is tracked from the first poll that finds it indexing,
 * so documents that finished before the page opened are not included.
 */
export function observeDocuments(
  watch: IndexingWatch,
  documents: readonly DocumentRecord[],
  at: number,
): IndexingWatch {
  if (at === watch.observedAt) return watch
  const before = new Map(watch.documents.map((watched) => [watched.id, watched]))
  for (const document of documents) {
    const watched = before.get(document.id)
    if (watched || !isIndexingFinal(document)) before.set(document.id, observeDocument(watched, document, at))
  }
  return { documents: [...before.values()], observedAt: at }
}

function observeDocument(watched: WatchedDocument | undefined, document: DocumentRecord, at: number): WatchedDocument {
  const status = document.indexing_status ?? 'waiting'
  // A document that is indexed again starts from the first step.
  const isAgain =
    watched && isIndexingFinal({ id: watched.id, indexing_status: watched.status }) && !isIndexingFinal(document)
  const seen = isAgain ? [] : (watched?.observedStatuses ?? [])
  return {
    id: document.id,
    name: document.name ?? null,
    status,
    error: document.error ?? null,
    observedStatuses: watched?.status === status ? seen : [...seen, { status, at }],
    observedAt: watched?.status === status && isIndexingFinal(document) ? watched.observedAt : at,
  }
}

/** When a status was first seen, in Unix ms. Null if it was not. */
export const getStatusTime = ({ observedStatuses }: WatchedDocument, status: string): number | null =>
  observedStatuses.find((one) => one.status === status)?.at ?? null

/** How long a status lasted (ms); null if it fell between two polls. */
export function getStatusDurationMs({ observedStatuses, observedAt }: WatchedDocument, status: string): number | null {
  const index = observedStatuses.findIndex((one) => one.status === status)
  const from = observedStatuses[index]
  return from ? (observedStatuses[index + 1]?.at ?? observedAt) - from.at : null
}

export type StepPosition = 'behind' | 'now' | 'ahead' | 'error' | 'paused'

/** One step of a document's way. `took` is in milliseconds; null where the step was not seen, or is still to come. */
export interface IndexingStep {
  step: string
  position: StepPosition
  durationMs: number | null
}

/** All steps of a document: completed ones, the current one, and those to come. */
export function toIndexingSteps(watched: WatchedDocument): IndexingStep[] {
  const steps = listSteps(watched)
  const at = steps.indexOf(watched.status)
  return steps.map((step, index) => {
    const position = getStepPosition(index, at, watched.status)
    return {
      step,
      position: position,
      // The last step is a state and takes no time.
      durationMs:
        step !== 'completed' && (position === 'behind' || position === 'now')
          ? getStatusDurationMs(watched, step)
          : null,
    }
  })
}

/** A status outside of the usual steps is placed where it was observed. */
function listSteps({ status, observedStatuses }: WatchedDocument): readonly string[] {
  if (INDEXING_STEPS.includes(status)) return INDEXING_STEPS
  const last = observedStatuses.findLast((one) => INDEXING_STEPS.includes(one.status))?.status
  const behind = INDEXING_STEPS.findIndex((step) => step === last) + 1
  return [...INDEXING_STEPS.slice(0, behind), status, ...INDEXING_STEPS.slice(behind)]
}

function getStepPosition(index: number, at: number, status: string): StepPosition {
  if (index > at) return 'ahead'
  if (index < at || status === 'completed') return 'behind'
  return status === 'error' || status === 'paused' ? status : 'now'
}

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
    const isWhole = first?.status === INDEXING_STATUSES[0] && last?.status === 'completed'
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
