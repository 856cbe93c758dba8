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
