import { useCallback, useSyncExternalStore } from 'react'
import type { FileEntry } from '../../run/files.ts'
import type { Filled } from '../../run/inputs.ts'

/** What stands in the composer and is not sent yet. */
export interface Draft {
  query: string
  filled: Filled
  files: readonly FileEntry[]
  /** Null while the person's default stands. */
  user: string | null
  response_mode: 'streaming' | 'blocking'
  /** Whether the platform shall name a conversation that this question begins. */
  auto_generate_name: boolean
  /** A question of the transcript that is being edited, and its new wording. */
  edit: { run_id: string; query: string } | null
}

export const noDraft: Draft = {
  query: '',
  filled: {},
  files: [],
  user: null,
  response_mode: 'streaming',
  auto_generate_name: true,
  edit: null,
}

export type DraftChange = Partial<Draft> | ((draft: Draft) => Partial<Draft>)

const drafts = new Map<string, Draft>()
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const placeOf = (app: string, conversation: string | null) => `loupe-draft:${app}:${conversation ?? 'new'}`

/**
 * A draft for each conversation of each app, kept until the browser's tab is closed. The change is of the conversation
 * that it was made for, also when another one is looked at by then: an upload may end late.
 */
export function useDraft(app: string, conversation: string | null): [Draft, (change: DraftChange) => void] {
  const place = placeOf(app, conversation)
  const draft = useSyncExternalStore(subscribe, () => read(place))
  const change = useCallback(
    (change: DraftChange) => {
      const before = read(place)
      write(place, { ...before, ...(typeof change === 'function' ? change(before) : change) })
    },
    [place],
  )
  return [draft, change]
}

/** A new conversation has its id now: what was typed meanwhile goes with it. */
export function moveDraft(app: string, conversation: string): void {
  const from = placeOf(app, null)
  if (isEmpty(read(from))) return
  write(placeOf(app, conversation), read(from))
  write(from, noDraft)
}

const isEmpty = (draft: Draft): boolean => JSON.stringify(draft) === JSON.stringify(noDraft)

function read(place: string): Draft {
  const draft = drafts.get(place) ?? stored(place)
  drafts.set(place, draft)
  return draft
}

function stored(place: string): Draft {
  try {
    return { ...noDraft, ...(JSON.parse(sessionStorage.getItem(place) ?? '{}') as Partial<Draft>) }
  } catch {
    return noDraft
  }
}

/** Storage may be full or switched off; then a draft lives as long as its page. */
function write(place: string, draft: Draft): void {
  drafts.set(place, draft)
  for (const listener of listeners) listener()
  try {
    if (isEmpty(draft)) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(draft))
  } catch {
    return
  }
}
