/** What is done to a text before it is split. */
export interface Tidying {
  remove_extra_spaces: boolean
  remove_urls_emails: boolean
}

/**
 * Line ends become `\n` and control characters go, always. Every pattern here takes time in proportion to the text,
 * whatever stands in it.
 */
export function tidy(text: string, { remove_extra_spaces, remove_urls_emails }: Tidying): string {
  let tidied = text.replace(/\r\n?/g, '\n').replace(CONTROL, '')
  if (remove_urls_emails) tidied = tidied.replace(URL, '').replace(EMAIL, '')
  if (remove_extra_spaces) tidied = tidied.replace(/\n{3,}/g, '\n\n').replace(BLANKS, ' ')
  return tidied
}

/** Control characters but tab, line feed and form feed; the byte order mark. */
const CONTROL = /[^\P{Cc}\t\n\f]|[\uFEFF\uFFFE]/gu
const URL = /\bhttps?:\/\/[^\s<>"'()[\]{}，。；！？、）】」』]+/gi
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g
const BLANKS = /[^\S\n]{2,}/g
