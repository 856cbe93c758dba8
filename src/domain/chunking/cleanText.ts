/** Clean-up options applied to a text before it is split. */
export interface CleaningRule {
  remove_extra_spaces: boolean
  remove_urls_emails: boolean
}

/**
 * Normalizes line ends to line feeds and removes what has no width, always. Lines keep their indents: those of code and
 * lists have a meaning. Every pattern here is linear in the length of the text, for any input.
 */
export function cleanText(text: string, { remove_extra_spaces, remove_urls_emails }: CleaningRule): string {
  let cleaned = text.replace(LINE_END_PATTERN, '\n').replace(SEPARATOR_PATTERN, ' ').replace(INVISIBLE_PATTERN, '')
  if (remove_urls_emails) cleaned = cleaned.replace(ADDRESS_PATTERN, (_, link: string | undefined) => link ?? '')
  if (remove_extra_spaces) cleaned = cleaned.replace(/\n{3,}/g, '\n\n').replace(REPEATED_BLANKS_PATTERN, ' ')
  return cleaned
}

/** Whether a text has any visible characters. */
export const hasText = (text: string): boolean =>
  /[^\P{L}\u115F\u1160\u3164\uFFA0]|[\p{N}\p{P}]|[^\P{S}\u2800]/u.test(text)

const LINE_END_PATTERN = /\r\n?|[\v\u0085\u2028\u2029]/g
/** Separators of records and fields. */
const SEPARATOR_PATTERN = /[\x1C-\x1F]/g
/** Control characters except tab, line feed and form feed; characters that only mark where a word may be split. */
const INVISIBLE_PATTERN = /[^\P{Cc}\t\n\f]|[\u00AD\u200B\u2060\uFEFF\uFFFE]/gu
const REPEATED_BLANKS_PATTERN = /(?<=\S)[^\S\n]{2,}/g

/** An address, with pairs of brackets in it. */
const ADDRESS =
  '(?:https?://|mailto:)(?:[^\\s<>"\'()[\\]{}，。；！？、）】」』]|\\([^\\s<>()，。；！？、）】」』]*\\))+'
/** Links of Markdown, which stay as in released platforms; then what is removed. */
const ADDRESS_PATTERN = new RegExp(
  [
    `(!?\\[[^[\\]\\n]*\\]\\(<?${ADDRESS}>?(?: "[^"\\n]*")?\\))`,
    `<${ADDRESS}>`,
    `\\b${ADDRESS}`,
    '(?<![\\w.+-])[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,8}',
  ].join('|'),
  'gi',
)
