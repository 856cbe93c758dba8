import { useCallback, useSyncExternalStore } from 'react'
import { Listeners } from '#domain/listeners.ts'
import type { FileEntry } from '../../../runs/inputs/inputFiles.ts'
import type { FormValues } from '../../../runs/inputs/inputFields.ts'
import { getChatRoute } from '../chatRoute.ts'

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
  /** The question that was sent last, until the server has taken it. */
  sent: { run_id: string; query: string; files: readonly FileEntry[] } | null
}

export const emptyComposerDraft: ComposerDraft = {
  query: '',
  formValues: {},
  files: [],
  user: null,
  response_mode: 'streaming',
  auto_generate_name: true,
  edit: null,
  sent: null,
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
      writeDraft(app, conversation, { ...before, ...(typeof change === 'function' ? change(before) : change) })
    },
    [app, conversation, draftKey],
  )
  return [draft, change]
}

/** By the key of a new conversation's draft: the id that the URL gets, until the draft has moved there. */
const namedConversations = new Map<string, string>()

/**
 * A new conversation gets its id in the URL. The router renders that in a transition, which may wait for code, and until
 * then the person types into the draft of the new conversation. It is stored under the id already, because a reload
 * reads it there.
 */
export function nameDraftConversation(app: string, conversation: string): void {
  const draftKey = getDraftKey(app, null)
  namedConversations.set(draftKey, conversation)
  const draft = readDraft(draftKey)
  storeDraft(draftKey, emptyComposerDraft)
  if (!isDraftEmpty(draft)) storeDraft(getDraftKey(app, conversation), draft)
}

/** A conversation has rendered: if it was new, move the draft there. */
export function moveComposerDraft(app: string, conversation: string): void {
  const from = getDraftKey(app, null)
  if (namedConversations.get(from) !== conversation) return
  namedConversations.delete(from)
  if (isDraftEmpty(readDraft(from))) return
  writeDraft(app, conversation, readDraft(from))
  writeDraft(app, null, emptyComposerDraft)
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

function writeDraft(app: string, conversation: string | null, draft: ComposerDraft): void {
  const draftKey = getDraftKey(app, conversation)
  draftsByKey.set(draftKey, draft)
  draftListeners.notify()
  const named = namedConversations.get(draftKey)
  storeDraft(named !== undefined && getChatRoute().conversation === named ? getDraftKey(app, named) : draftKey, draft)
}

/** Storage may be full or disabled; then a draft lasts as long as its page. */
function storeDraft(storageKey: string, draft: ComposerDraft): void {
  try {
    if (isDraftEmpty(draft)) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, JSON.stringify(draft))
  } catch {
    return
  }
}
