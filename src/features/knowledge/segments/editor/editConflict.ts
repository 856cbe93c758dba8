import { mergeTexts } from './mergeTexts.ts'

/** A text being edited: `base` is what it was when the edit began. */
export interface TextDraft {
  base: string
  content: string
  note: string
}

export type SaveDecision =
  | { kind: 'write' }
  /** The current text equals the draft already. */
  | { kind: 'nothing' }
  /** Another person has changed it; `merged` contains both edits, null if they overlap. */
  | { kind: 'conflict'; theirs: string; merged: string | null }

/** Decides about a draft after the text was read again: unseen changes are never overwritten. */
export function decideSave({ base, content }: Pick<TextDraft, 'base' | 'content'>, theirs: string): SaveDecision {
  if (theirs === content) return { kind: 'nothing' }
  if (theirs === base) return { kind: 'write' }
  return { kind: 'conflict', theirs, merged: mergeTexts(base, content, theirs) }
}

/**
 * What is left of a draft once `sent` was saved: the fields that were typed in meanwhile, on top of `saved`, the draft
 * that the saved text begins with; null where none was.
 */
export function rebaseDraft<Draft extends TextDraft>(current: Draft | null, sent: Draft, saved: Draft): Draft | null {
  const isTyped = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(sent[name as keyof Draft])
  const typed = Object.entries(current ?? {}).filter(isTyped)
  return typed.length === 0 ? null : { ...saved, ...(Object.fromEntries(typed) as Partial<Draft>) }
}

/** A field beside the text, as it was when the edit began, as it was typed, and as it stands now. */
export interface FieldVersions {
  base: string
  mine: string
  theirs: string
}

/** Merges a metadata field: the changed side wins; null if both changed differently. */
export function resolveField({ base, mine, theirs }: FieldVersions): string | null {
  if (mine === theirs || theirs === base) return mine
  return mine === base ? theirs : null
}
