import { useMemo, useSyncExternalStore } from 'react'
import { asRecord, asText } from '#domain/stream/untrustedJson.ts'

/** An edit of a chunk that was typed in this tab and not saved. */
export interface ChunkDraft {
  document_id: string
  segment_id: string
  /** A child chunk's id, `new` for a new one, `segment` for the segment itself. */
  chunk: string
}

const DRAFT_PREFIX = 'loupe.chunk-draft.'

/** The key of session storage under which an editor keeps what is typed. */
export const toChunkDraftKey = ({ document_id, segment_id, chunk }: ChunkDraft): string =>
  `${DRAFT_PREFIX}${document_id}.${segment_id}.${chunk}`

/** The edits of this tab that differ from what was loaded. */
export function listChunkDrafts(storage: Storage): ChunkDraft[] {
  return Object.keys(storage).flatMap((key) => {
    const [document_id, segment_id, chunk] = key.startsWith(DRAFT_PREFIX)
      ? key.slice(DRAFT_PREFIX.length).split('.')
      : []
    if (!document_id || !segment_id || !chunk || !isChanged(storage.getItem(key))) return []
    return [{ document_id, segment_id, chunk }]
  })
}

function isChanged(stored: string | null): boolean {
  try {
    const draft = asRecord(JSON.parse(stored ?? 'null'))
    const original = asRecord(draft?.['originalFields'])
    const differs = ['answer', 'keywords'].some((name) => original && asText(draft?.[name]) !== asText(original[name]))
    return draft !== null && (differs || asText(draft['content']) !== asText(draft['base']))
  } catch {
    return false
  }
}

/** What changes when one of this tab's drafts is begun, saved or discarded. */
const getSnapshot = (): string =>
  listChunkDrafts(sessionStorage)
    .map((draft) => toChunkDraftKey(draft))
    .sort()
    .join(' ')

function subscribe(onChange: () => void): () => void {
  // Sent by `useSessionStorage` in the writing tab; browsers notify only other tabs.
  window.addEventListener('mantine-session-storage', onChange)
  return () => window.removeEventListener('mantine-session-storage', onChange)
}

/** The unsaved edits of this tab; lists mark their rows by them. */
export function useChunkDrafts(): ChunkDraft[] {
  const keys = useSyncExternalStore(subscribe, getSnapshot)
  return keys === '' ? [] : listChunkDrafts(sessionStorage)
}

/** Drafts of a document's own forms: its text, or the settings for a replacing file. */
const DOCUMENT_DRAFT_PATTERN = /^loupe\.draft\.document\.(?:file\.)?([^.]+)$/

const getDocumentsSnapshot = (): string => {
  const edited = Object.keys(sessionStorage).flatMap((key) => DOCUMENT_DRAFT_PATTERN.exec(key)?.[1] ?? [])
  const ids = [...edited, ...listChunkDrafts(sessionStorage).map(({ document_id }) => document_id)]
  return [...new Set(ids)].sort().join(' ')
}

/** The documents with unsaved edits in this tab: of their own text, or of their chunks. */
export function useDocumentsWithDrafts(): ReadonlySet<string> {
  const ids = useSyncExternalStore(subscribe, getDocumentsSnapshot)
  return useMemo(() => new Set(ids === '' ? [] : ids.split(' ')), [ids])
}
