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
 * What is left of a draft once `sent` was saved as `saved`: what was typed meanwhile, on top of the saved text; null where
 * nothing was.
 */
export function rebaseDraft<Draft extends TextDraft>(current: Draft | null, sent: Draft, saved: string): Draft | null {
  if (current === null || current.content === sent.content) return null
  return { ...current, base: saved, note: current.note === sent.note ? '' : current.note }
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
