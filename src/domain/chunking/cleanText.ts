/** Clean-up options applied to a text before it is split. */
export interface CleaningRule {
  remove_extra_spaces: boolean
  remove_urls_emails: boolean
}

/**
 * Normalizes line ends to `
 * ` and removes control characters, always. Every pattern here is linear in the length of the text, for any input.
 */
export function cleanText(text: string, { remove_extra_spaces, remove_urls_emails }: CleaningRule): string {
  let cleaned = text.replace(/\r\n?/g, '\n').replace(CONTROL_CHARACTERS_PATTERN, '')
  if (remove_urls_emails) cleaned = cleaned.replace(URL_PATTERN, '').replace(EMAIL_PATTERN, '')
  if (remove_extra_spaces) cleaned = cleaned.replace(/\n{3,}/g, '\n\n').replace(REPEATED_BLANKS_PATTERN, ' ')
  return cleaned
}

/** Control characters except tab, line feed and form feed; the byte order mark. */
const CONTROL_CHARACTERS_PATTERN = /[^\P{Cc}\t\n\f]|[\uFEFF\uFFFE]/gu
const URL_PATTERN = /\bhttps?:\/\/[^\s<>"'()[\]{}，。；！？、）】」』]+/gi
const EMAIL_PATTERN = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g
const REPEATED_BLANKS_PATTERN = /[^\S\n]{2,}/g
