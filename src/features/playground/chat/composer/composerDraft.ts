import { useCallback, useSyncExternalStore } from 'react'
import { Listeners } from '#domain/listeners.ts'
import type { FileEntry } from '../../../runs/inputs/inputFiles.ts'
import type { FormValues } from '../../../runs/inputs/inputFields.ts'

/** The unsent content of the composer. */
export interface ComposerDraft {
  query: string
  formValues: FormValues
  files: readonly FileEntry[]
  /** Null for the person's default user. */
  user: string | null
  response_mode: 'streaming' | 'blocking'
  /** Whether the platform names a conversation that this question starts. */
  auto_generate_name: boolean
  /** The question that is being edited, with its new text. */
  edit: { run_id: string; query: string } | null
}

export const emptyComposerDraft: ComposerDraft = {
  query: '',
  formValues: {},
  files: [],
  user: null,
  response_mode: 'streaming',
  auto_generate_name: true,
  edit: null,
}

export type ComposerDraftChange = Partial<ComposerDraft> | ((draft: ComposerDraft) => Partial<ComposerDraft>)

const draftsByKey = new Map<string, ComposerDraft>()
const draftListeners = new Listeners()
const getDraftKey = (app: string, conversation: string | null) => `loupe-draft:${app}:${conversation ?? 'new'}`

/**
 * A draft for each conversation of each app, stored until the browser tab closes. A change applies to the
 * conversation that it was made for, even after navigation: an upload may finish late.
 */
export function useComposerDraft(
  app: string,
  conversation: string | null,
): [ComposerDraft, (change: ComposerDraftChange) => void] {
  const draftKey = getDraftKey(app, conversation)
  const draft = useSyncExternalStore(draftListeners.subscribe, () => readDraft(draftKey))
  const change = useCallback(
    (change: ComposerDraftChange) => {
      const before = readDraft(draftKey)
      writeDraft(draftKey, { ...before, ...(typeof change === 'function' ? change(before) : change) })
    },
    [draftKey],
  )
  return [draft, change]
}

/** A new conversation has its id now: move its draft there. */
export function moveComposerDraft(app: string, conversation: string): void {
  const from = getDraftKey(app, null)
  if (isDraftEmpty(readDraft(from))) return
  writeDraft(getDraftKey(app, conversation), readDraft(from))
  writeDraft(from, emptyComposerDraft)
}

const isDraftEmpty = (draft: ComposerDraft): boolean => JSON.stringify(draft) === JSON.stringify(emptyComposerDraft)

function readDraft(draftKey: string): ComposerDraft {
  const draft = draftsByKey.get(draftKey) ?? readStoredDraft(draftKey)
  draftsByKey.set(draftKey, draft)
  return draft
}

function readStoredDraft(draftKey: string): ComposerDraft {
  try {
    return {
      ...emptyComposerDraft,
      ...(JSON.parse(sessionStorage.getItem(draftKey) ?? '{}') as Partial<ComposerDraft>),
    }
  } catch {
    return emptyComposerDraft
  }
}

/** Storage may be full or disabled; then a draft lasts as long as its page. */
function writeDraft(draftKey: string, draft: ComposerDraft): void {
  draftsByKey.set(draftKey, draft)
  draftListeners.notify()
  try {
    if (isDraftEmpty(draft)) sessionStorage.removeItem(draftKey)
    else sessionStorage.setItem(draftKey, JSON.stringify(draft))
  } catch {
    return
  }
}
