import { type DocumentRecord, isFinal } from '#contract/records.ts'

/** The way of a document through the indexing, in the platform's words. */
export const STEPS = ['waiting', 'parsing', 'cleaning', 'splitting', 'indexing', 'completed'] as const

export interface Watched {
  id: string
  name: string | null
  status: string
  error: string | null
  /** When each status was first seen, in the order of seeing; milliseconds since 1970. */
  seen: { status: string; at: number }[]
  /** When it was last looked at while not final. */
  at: number
}

export interface Watch {
  readonly documents: readonly Watched[]
  /** The look that was folded last. */
  readonly at: number
}
export const nothingWatched: Watch = { documents: [], at: 0 }

/**
 * Folds one look at a list into what was seen before. A document is watched from the first look that finds it on its way,
 * so what was finished before this page was opened is not in it.
 */
export function look(watch: Watch, documents: readonly DocumentRecord[], at: number): Watch {
  if (at === watch.at) return watch
  const before = new Map(watch.documents.map((watched) => [watched.id, watched]))
  for (const document of documents) {
    const watched = before.get(document.id)
    if (watched || !isFinal(document)) before.set(document.id, seeing(watched, document, at))
  }
  return { documents: [...before.values()], at }
}

function seeing(watched: Watched | undefined, document: DocumentRecord, at: number): Watched {
  const status = document.indexing_status ?? 'waiting'
  // A document that is indexed anew begins its way again.
  const isAgain = watched && isFinal({ id: watched.id, indexing_status: watched.status }) && !isFinal(document)
  const seen = isAgain ? [] : (watched?.seen ?? [])
  return {
    id: document.id,
    name: document.name ?? null,
    status,
    error: document.error ?? null,
    seen: watched?.status === status ? seen : [...seen, { status, at }],
    at: watched?.status === status && isFinal(document) ? watched.at : at,
  }
}

/** How long a status was seen, in milliseconds; null where it came and went between two looks. */
export function tookOf({ seen, at }: Watched, status: string): number | null {
  const index = seen.findIndex((one) => one.status === status)
  const from = seen[index]
  return from ? (seen[index + 1]?.at ?? at) - from.at : null
}

export type Place = 'behind' | 'now' | 'ahead' | 'error' | 'paused'

/** One step of a document's way. `took` is in milliseconds; null where the step was not seen, or is still to come. */
export interface WayStep {
  step: string
  place: Place
  took: number | null
}

/** The whole way of a document: the steps behind it, the one it is at, those to come. */
export function wayOf(watched: Watched): WayStep[] {
  const steps = stepsOf(watched)
  const at = steps.indexOf(watched.status)
  return steps.map((step, index) => {
    const place = placeOf(index, at, watched.status)
    return { step, place, took: place === 'behind' || place === 'now' ? tookOf(watched, step) : null }
  })
}

/** A status that is no step of the usual way stands where it was seen. */
function stepsOf({ status, seen }: Watched): readonly string[] {
  if ((STEPS as readonly string[]).includes(status)) return STEPS
  const last = seen.findLast((one) => (STEPS as readonly string[]).includes(one.status))?.status
  const behind = STEPS.findIndex((step) => step === last) + 1
  return [...STEPS.slice(0, behind), status, ...STEPS.slice(behind)]
}

function placeOf(index: number, at: number, status: string): Place {
  if (index > at) return 'ahead'
  if (index < at || status === 'completed') return 'behind'
  return status === 'error' || status === 'paused' ? status : 'now'
}
