import { toKeyHint } from './vaultRows.ts'
import { getEscapedCode, getEscapeLength, NO_ESCAPE, readEscape } from './escapes.ts'

/** A shorter key occurs in too many innocent texts: redaction would corrupt every reply and hide nothing. */
const MIN_KEY_CHARS = 8
/** Characters of the secret part that must match before redaction starts. Fewer could be guessed one by one. */
const MIN_MATCHED_CHARS = 12
/** For a secret part with fewer than twelve unknown characters; a lower limit could be guessed within hours. */
const MIN_MATCHED_CHARS_OF_SHORT_KEY = 8
/** The public prefix of a key: `app-`, `dataset-`, `sk-`. */
const PUBLIC_PREFIX = /^[a-z]{1,10}[-_]/i

/** A form of a key: the start that identifies the key, and the possible remainders of that form. */
export interface KeyPattern {
  start: string
  /** The remainder of each form with this start. */
  rests: string[]
  isBase64: boolean
}
type KeyForm = Omit<KeyPattern, 'rests'> & { rest: string }

/**
 * The patterns of a key. A pattern ends with the character that makes a match certain: the twelfth of the secret part, the
 * 24th hexadecimal digit, the 16th base64 character. The public prefix does not count, nor do the last four characters,
 * which the console shows as the hint (the reversed form starts with them). Each form exists with and without its prefix.
 * @returns none for a key that is too short to search for
 */
export function toKeyPatterns(secret: string): KeyPattern[] {
  if (secret.length < MIN_KEY_CHARS) return []
  const publicPrefix = PUBLIC_PREFIX.exec(secret)?.[0] ?? ''
  const prefix = secret.length - publicPrefix.length < MIN_KEY_CHARS ? '' : publicPrefix
  const hint = toKeyHint(secret)?.length ?? 0
  const minimum = getMinMatchedChars(secret, secret.length - prefix.length - hint)
  const unescaped = unescapeAll(secret)
  const forms = [
    ...toPlainForms(secret, prefix.length, minimum),
    ...(unescaped.length < prefix.length + minimum ? [] : toPlainForms(unescaped, prefix.length, minimum)),
    ...toReversedForms(secret, hint + minimum),
    ...[0, 1, 2].flatMap((offset) => toBase64Forms(secret, prefix.length, minimum, offset)),
  ]
  const patterns = new Map<string, KeyPattern>()
  for (const { start, rest, isBase64 } of forms) {
    const rests = patterns.get(start)?.rests ?? []
    patterns.set(start, { start, rests: [...new Set([...rests, rest])], isBase64 })
  }
  return [...patterns.values()]
}

function getMinMatchedChars(secret: string, unknown: number): number {
  if (unknown >= MIN_MATCHED_CHARS) return MIN_MATCHED_CHARS
  return Math.min(unknown, Math.max(MIN_MATCHED_CHARS_OF_SHORT_KEY, Math.ceil(secret.length / 2)))
}

/** The offset where a form may start. A short secret part may be a common word, so it matches with its prefix only. */
const startsOf = (prefix: number, minimum: number): number[] => (minimum < MIN_MATCHED_CHARS ? [0] : [0, prefix])

type Encoder = (text: string) => string

const toPercentEncoded: Encoder = (text) =>
  encodeURIComponent(text).replace(/[-.!~*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
const smallPercent: Encoder = (text) => toPercentEncoded(text).replace(/%../g, (escape) => escape.toLowerCase())
const toJsonText: Encoder = (text) => JSON.stringify(text).slice(1, -1)
const toJsonTextWithSlashes: Encoder = (text) => toJsonText(text).replaceAll('/', '\\/')
const toHex: Encoder = (text) => Buffer.from(text).toString('hex')

/** All other escapes are decoded before a text is compared (`escapes.ts`). */
const ENCODERS: Encoder[] = [
  (text) => text,
  encodeURIComponent,
  toPercentEncoded,
  smallPercent,
  toJsonText,
  toJsonTextWithSlashes,
  // JSON inside JSON.
  (text) => toJsonText(toJsonText(text)),
  (text) => toJsonTextWithSlashes(toJsonTextWithSlashes(text)),
  toHex,
  (text) => toHex(text).toUpperCase(),
]

function toPlainForms(secret: string, prefix: number, minimum: number): KeyForm[] {
  const end = prefix + minimum
  return ENCODERS.flatMap((write) =>
    startsOf(prefix, minimum).map((start) => ({
      start: write(secret.slice(start, end)),
      rest: write(secret.slice(end)),
      isBase64: false,
    })),
  )
}

function toReversedForms(secret: string, end: number): KeyForm[] {
  const reversed = [...secret].reverse().join('')
  return [reversed, toJsonText(reversed)].map((form) => {
    const cut = form === reversed ? end : toJsonText(reversed.slice(0, end)).length
    return { start: form.slice(0, cut), rest: form.slice(cut), isBase64: false }
  })
}

/** The base64 characters that depend on the key alone, if it starts `offset` bytes into a group of three. */
function toBase64Forms(secret: string, prefix: number, minimum: number, offset: number): KeyForm[] {
  const bytes = Buffer.from(secret)
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes, Buffer.alloc(3)]).toString('base64')
  const getLetterIndex = (count: number) => ((offset + count) * 8) / 6
  const text = encoded.slice(0, Math.floor(getLetterIndex(bytes.length)))
  const starts = startsOf(prefix, minimum).map((start) => Math.ceil(getLetterIndex(start)))
  const end = Math.ceil(getLetterIndex(prefix)) + Math.ceil((minimum * 8) / 6)
  return [(one: string) => one, toUrlSafeBase64, escapeSlashes].flatMap((write) =>
    starts.map((start) => ({ start: write(text.slice(start, end)), rest: write(text.slice(end)), isBase64: true })),
  )
}

const toUrlSafeBase64: Encoder = (text) => text.replaceAll('+', '-').replaceAll('/', '_')
const escapeSlashes: Encoder = (text) => text.replaceAll('/', '\\/')

/** A key as it reads after decoding, if its own characters look like escapes. */
function unescapeAll(text: string): string {
  let unescaped = ''
  for (let at = 0; at < text.length;) {
    const escape = readEscape(text, at, false)
    unescaped += escape === NO_ESCAPE ? text.charAt(at) : String.fromCharCode(getEscapedCode(escape))
    at += escape === NO_ESCAPE ? 1 : getEscapeLength(escape)
  }
  return unescaped
}
