import { type DocumentRecord, isIndexingFinal } from '#domain/documentRecord.ts'

/** The indexing statuses of a document, in order. */
export const INDEXING_STEPS = ['waiting', 'parsing', 'cleaning', 'splitting', 'indexing', 'completed'] as const

export interface WatchedDocument {
  id: string
  name: string | null
  status: string
  error: string | null
  /** When each status was first seen, in the order of seeing; milliseconds since 1970. */
  observedStatuses: { status: string; at: number }[]
  /** When it was last looked at while not final. */
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

/** The whole way of a document: the steps behind it, the one it is at, those to come. */
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

/** A status that is no step of the usual way stands where it was seen. */
function listSteps({ status, observedStatuses }: WatchedDocument): readonly string[] {
  if ((INDEXING_STEPS as readonly string[]).includes(status)) return INDEXING_STEPS
  const last = observedStatuses.findLast((one) => (INDEXING_STEPS as readonly string[]).includes(one.status))?.status
  const behind = INDEXING_STEPS.findIndex((step) => step === last) + 1
  return [...INDEXING_STEPS.slice(0, behind), status, ...INDEXING_STEPS.slice(behind)]
}

function getStepPosition(index: number, at: number, status: string): StepPosition {
  if (index > at) return 'ahead'
  if (index < at || status === 'completed') return 'behind'
  return status === 'error' || status === 'paused' ? status : 'now'
}
