import type { TextBlock } from './markdownBlocks.ts'

/** What stands between the tags of a fold. */
export interface FoldContent {
  text: string
  /** Offset of the text in the answer. */
  start: number
  /** The plain text of `<summary>`, empty without one. */
  summary: string
  /** The tag says `open`. */
  isUnfolded: boolean
}

/** A fold that follows another one begins with the blank lines between them. */
const OPENING_PATTERN = /^\s*(?:<think>|<details(?<attributes>\s[^<>]*)?>)/
const SUMMARY_PATTERN = /^\s*<summary(?:\s[^<>]*)?>(?<summary>[^]{0,500}?)<\/summary>/
/** The beginning of a summary that is still being streamed. */
const OPEN_SUMMARY_PATTERN = /^\s*<(?:summary[^]{0,500}|s?u?m?m?a?r?y?)$/

/** Removes the tags of a fold and takes its summary out. A lone closing tag has no opening one. */
export function toFoldContent({ text, start }: Pick<TextBlock, 'text' | 'start'>): FoldContent {
  const opening = OPENING_PATTERN.exec(text)
  const opens = opening?.[0].length ?? 0
  const inner = text.slice(opens).replace(/<\/(?:think|details)>$/, '')
  const found = opening ? (SUMMARY_PATTERN.exec(inner) ?? OPEN_SUMMARY_PATTERN.exec(inner)) : null
  const skipped = found?.[0].length ?? 0
  return {
    text: inner.slice(skipped),
    start: start + opens + skipped,
    summary: (found?.groups?.summary ?? '')
      .replace(/<[^<>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
    isUnfolded: /\sopen(?=[\s=]|$)/.test(opening?.groups?.attributes ?? ''),
  }
}
