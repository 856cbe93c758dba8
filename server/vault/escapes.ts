/**
 * A character that a text escapes, and the length of its escape, packed into one number (texts are large, and an object for
 * each escape is slow): see `codeOf` and `lengthOf`.
 */
export type Escape = number

export const getEscapedCode = (escape: Escape): number => escape & 0xff
export const getEscapeLength = (escape: Escape): number => escape >> 8
const toEscape = (code: number, length: number): Escape => (length << 8) | code

export const NO_ESCAPE: Escape = 0
/** Possibly an escape, once more of the text has arrived. */
export const INCOMPLETE_ESCAPE: Escape = -1

const QUOTE_CODE = 34
const HASH_CODE = 35
const PERCENT_CODE = 37
const AMPERSAND_CODE = 38
const SLASH_CODE = 47
const SEMICOLON_CODE = 59
const BACKSLASH_CODE = 92
const MAX_BACKSLASHES = 7
const MAX_ZEROS = 5

/** True for a complete text without escapes, which is the common case; an escaped line end in JSON does not count. */
export const hasNoEscape = (text: string): boolean => !/\\["/u\\]|%[2-7][\da-f]|&#/i.test(text)

/** True for a piece that contains no escape and does not end inside one. */
export const hasNoEscapeStart = (piece: string): boolean => !/[\\%&]/.test(piece)

export const startsEscape = (code: number): boolean =>
  code === BACKSLASH_CODE || code === PERCENT_CODE || code === AMPERSAND_CODE

/**
 * Decodes an escape of visible ASCII: `%2d`, `&#45;`, `&#x2d;`, and JSON's `\u002d`, `\"`, `\/` and `\\`, also in JSON
 * inside JSON. It depends on the text alone.
 * @param isOpen more of the text may follow
 * @returns NO_ESCAPE or INCOMPLETE_ESCAPE without one
 */
export function readEscape(text: string, at: number, isOpen: boolean): Escape {
  switch (text.charCodeAt(at)) {
    case PERCENT_CODE:
      return readPercent(text, at, isOpen)
    case AMPERSAND_CODE:
      return readEntity(text, at, isOpen)
    case BACKSLASH_CODE:
      return readBackslash(text, at, isOpen)
    default:
      return NO_ESCAPE
  }
}

function readPercent(text: string, at: number, isOpen: boolean): Escape {
  const high = readHexDigit(text, at + 1)
  const low = readHexDigit(text, at + 2)
  if (isOpen && (at + 1 === text.length || (high >= 0 && at + 2 === text.length))) return INCOMPLETE_ESCAPE
  return toVisibleEscape(high * 16 + low, 3, high >= 0 && low >= 0)
}

/** The semicolon may be missing: a number with the maximum of digits cannot continue. */
function readEntity(text: string, at: number, isOpen: boolean): Escape {
  let next = at + 1
  if (next === text.length) return isOpen ? INCOMPLETE_ESCAPE : NO_ESCAPE
  if (text.charCodeAt(next) !== HASH_CODE) return NO_ESCAPE
  next++
  const isHex = text[next] === 'x' || text[next] === 'X'
  if (isHex) next++
  const zeros = next + MAX_ZEROS
  while (next < zeros && text.charCodeAt(next) === 48) next++
  const base = isHex ? 16 : 10
  let code = 0
  for (; next < text.length; next++) {
    const digit = readHexDigit(text, next)
    if (digit < 0 || digit >= base) return NO_ESCAPE
    code = code * base + digit
    if (code < 0x21) continue
    return toVisibleEscape(code, next + (text.charCodeAt(next + 1) === SEMICOLON_CODE ? 2 : 1) - at, true)
  }
  return isOpen ? INCOMPLETE_ESCAPE : NO_ESCAPE
}

function readBackslash(text: string, at: number, isOpen: boolean): Escape {
  let next = at + 1
  while (text.charCodeAt(next) === BACKSLASH_CODE && next - at < MAX_BACKSLASHES) next++
  if (next === text.length) return isOpen ? INCOMPLETE_ESCAPE : toEscape(BACKSLASH_CODE, next - at)
  const code = text.charCodeAt(next)
  if (code === QUOTE_CODE || code === SLASH_CODE) return toEscape(code, next + 1 - at)
  if (code === 0x75) {
    const digits = text.slice(next + 1, next + 5)
    if (
      isOpen &&
      digits.length < 4 &&
      '0000'.startsWith(digits.slice(0, 2)) &&
      next + 1 + digits.length === text.length
    )
      return INCOMPLETE_ESCAPE
    const unicodeEscape = /^00[2-7][0-9a-f]$/i.test(digits)
      ? toVisibleEscape(parseInt(digits, 16), next + 5 - at, true)
      : NO_ESCAPE
    if (unicodeEscape !== NO_ESCAPE) return unicodeEscape
  }
  return toEscape(BACKSLASH_CODE, next - at)
}

const toVisibleEscape = (code: number, length: number, isNumber: boolean): Escape =>
  isNumber && code >= 0x21 && code <= 0x7e ? toEscape(code, length) : NO_ESCAPE

function readHexDigit(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code >= 48 && code <= 57) return code - 48
  if (code >= 97 && code <= 102) return code - 87
  if (code >= 65 && code <= 70) return code - 55
  return -1
}
