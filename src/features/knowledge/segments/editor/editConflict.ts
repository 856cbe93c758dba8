import { mergeTexts } from './mergeTexts.ts'

/** A text being edited: `base` is what it was when the edit began. */
export interface TextDraft {
  base: string
  content: string
  note: string
}

export type SaveDecision =
  | { kind: 'write' }
  /** What stands there is already what one wants. */
  | { kind: 'nothing' }
  /** Somebody else has changed it since; `merged` holds both edits, null where they touch the same words. */
  | { kind: 'conflict'; theirs: string; merged: string | null }

/** What to do with a draft once the text has been read again: nothing that was not seen is ever written over. */
export function decideSave({ base, content }: Pick<TextDraft, 'base' | 'content'>, theirs: string): SaveDecision {
  if (theirs === content) return { kind: 'nothing' }
  if (theirs === base) return { kind: 'write' }
  return { kind: 'conflict', theirs, merged: mergeTexts(base, content, theirs) }
}

/** A field beside the text, as it was when the edit began, as it was typed, and as it stands now. */
export interface FieldVersions {
  base: string
  mine: string
  theirs: string
}

/** What a field beside the text becomes: the side that was changed; null where both were, and not to the same. */
export function resolveField({ base, mine, theirs }: FieldVersions): string | null {
  if (mine === theirs || theirs === base) return mine
  return mine === base ? theirs : null
}
