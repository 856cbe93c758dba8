import { FOLD_TAG_SOURCE } from './foldTags.ts'

/** A part of an answer. */
export interface TextRange {
  text: string
  /** Offset in the answer. */
  start: number
}

/** The content between the tags of a fold. */
export interface FoldContent {
  content: TextRange
  /** The content of `<summary>`; null without one. */
  summary: TextRange | null
  /** The tag says `open`. */
  isUnfolded: boolean
}

const OPENING_PATTERN = new RegExp(String.raw`^\s*(?!<\/)${FOLD_TAG_SOURCE}`, 'i')
const CLOSING_PATTERN = new RegExp(String.raw`(?=<\/)${FOLD_TAG_SOURCE}$`, 'i')
const SUMMARY_PATTERN = /^(?<opening>\s*<summary(?:\s[^<>]*)?>\s*)(?<summary>[^]{0,2000}?)<\/summary\s*>/i
/** The beginning of a summary that is still being streamed. */
const OPEN_SUMMARY_PATTERN = /^(?<opening>\s*<(?:summary(?:\s[^<>]*)?>\s*|s?u?m?m?a?r?y?$))(?<summary>[^]{0,2000})$/i

/** Tags of blocks in a summary: blanks, so that the offsets stay. */
const BLOCK_TAG_PATTERN = /<\/?(?:h[1-6]|p|div|span|font|center|a)(?:\s[^<>]*)?>/gi

/** Removes the tags of a fold and takes its summary out. A lone closing tag has no opening one. */
export function toFoldContent({ text, start }: TextRange): FoldContent {
  const opening = OPENING_PATTERN.exec(text)?.[0] ?? ''
  const opens = opening.length
  const inner = text.slice(opens).replace(CLOSING_PATTERN, '')
  const found = opens > 0 ? (SUMMARY_PATTERN.exec(inner) ?? OPEN_SUMMARY_PATTERN.exec(inner)) : null
  const skipped = found?.[0].length ?? 0
  const { opening: before = '', summary = '' } = found?.groups ?? {}
  const title = summary.replace(BLOCK_TAG_PATTERN, (tag) => ' '.repeat(tag.length))
  const blanks = title.length - title.trimStart().length
  return {
    content: { text: inner.slice(skipped), start: start + opens + skipped },
    summary: title.trim() ? { text: title.trim(), start: start + opens + before.length + blanks } : null,
    isUnfolded: /\sopen(?=[\s=>])/i.test(opening),
  }
}
