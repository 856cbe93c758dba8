import { hintOf } from '../vault/rows.ts'
import { codeOf, lengthOf, NO_ESCAPE, readEscape } from './escapes.ts'

/** A shorter key stands in too many innocent texts: redaction would break every reply and hide nothing. */
const MIN_KEY_CHARACTERS = 8
/** Characters of the secret part that must match before anything happens. Fewer can be guessed one by one. */
const MIN_MATCHED_CHARACTERS = 12
/** For a secret part that has fewer than twelve unknown characters; a lower bound than this could be guessed within hours. */
const MIN_MATCHED_OF_SHORT = 8
/** What everybody knows of a key: `app-`, `dataset-`, `sk-`. */
const PUBLIC_PREFIX = /^[a-z]{1,10}[-_]/i

/** One way to write a key, as far as it takes to recognise the key, and what may follow of that form. */
export interface KeyPattern {
  start: string
  /** Of each writing that begins so. */
  rests: string[]
  isBase64: boolean
}
type Form = Omit<KeyPattern, 'rests'> & { rest: string }

/**
 * The patterns of a key. A pattern ends with the character that makes a match sure: the twelfth of the secret part, the
 * 24th hexadecimal digit, the 16th letter of base64. The public prefix counts for nothing, nor do the last four characters,
 * which the console shows as the hint (they lead the reversed form). A form is there with its prefix and without.
 * @returns none for a key that is too short to be looked for
 */
export function keyPatterns(secret: string): KeyPattern[] {
  if (secret.length < MIN_KEY_CHARACTERS) return []
  const found = PUBLIC_PREFIX.exec(secret)?.[0] ?? ''
  const prefix = secret.length - found.length < MIN_KEY_CHARACTERS ? '' : found
  const hint = hintOf(secret)?.length ?? 0
  const minimum = minimumOf(secret, secret.length - prefix.length - hint)
  const unescaped = unescapeAll(secret)
  const forms = [
    ...plainForms(secret, prefix.length, minimum),
    ...(unescaped.length < prefix.length + minimum ? [] : plainForms(unescaped, prefix.length, minimum)),
    ...reversedForms(secret, hint + minimum),
    ...[0, 1, 2].flatMap((offset) => base64Forms(secret, prefix.length, minimum, offset)),
  ]
  const patterns = new Map<string, KeyPattern>()
  for (const { start, rest, isBase64 } of forms) {
    const rests = patterns.get(start)?.rests ?? []
    patterns.set(start, { start, rests: [...new Set([...rests, rest])], isBase64 })
  }
  return [...patterns.values()]
}

function minimumOf(secret: string, unknown: number): number {
  if (unknown >= MIN_MATCHED_CHARACTERS) return MIN_MATCHED_CHARACTERS
  return Math.min(unknown, Math.max(MIN_MATCHED_OF_SHORT, Math.ceil(secret.length / 2)))
}

/** Where a form may begin. A short secret part is a word that stands in other texts, and counts with its prefix alone. */
const startsOf = (prefix: number, minimum: number): number[] => (minimum < MIN_MATCHED_CHARACTERS ? [0] : [0, prefix])

type Write = (text: string) => string

const percent: Write = (text) =>
  encodeURIComponent(text).replace(/[-.!~*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
const smallPercent: Write = (text) => percent(text).replace(/%../g, (escape) => escape.toLowerCase())
const json: Write = (text) => JSON.stringify(text).slice(1, -1)
const jsonWithSlashes: Write = (text) => json(text).replaceAll('/', '\\/')
const hex: Write = (text) => Buffer.from(text).toString('hex')

/** All other escapes are undone before a text is compared (`escapes.ts`). */
const WRITINGS: Write[] = [
  (text) => text,
  encodeURIComponent,
  percent,
  smallPercent,
  json,
  jsonWithSlashes,
  // JSON in JSON.
  (text) => json(json(text)),
  (text) => jsonWithSlashes(jsonWithSlashes(text)),
  hex,
  (text) => hex(text).toUpperCase(),
]

function plainForms(secret: string, prefix: number, minimum: number): Form[] {
  const end = prefix + minimum
  return WRITINGS.flatMap((write) =>
    startsOf(prefix, minimum).map((start) => ({
      start: write(secret.slice(start, end)),
      rest: write(secret.slice(end)),
      isBase64: false,
    })),
  )
}

function reversedForms(secret: string, end: number): Form[] {
  const reversed = [...secret].reverse().join('')
  return [reversed, json(reversed)].map((form) => {
    const cut = form === reversed ? end : json(reversed.slice(0, end)).length
    return { start: form.slice(0, cut), rest: form.slice(cut), isBase64: false }
  })
}

/** The letters of base64 that the key alone decides, where it stands `offset` bytes after a group of three begins. */
function base64Forms(secret: string, prefix: number, minimum: number, offset: number): Form[] {
  const bytes = Buffer.from(secret)
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes, Buffer.alloc(3)]).toString('base64')
  const letters = (count: number) => ((offset + count) * 8) / 6
  const text = encoded.slice(0, Math.floor(letters(bytes.length)))
  const starts = startsOf(prefix, minimum).map((start) => Math.ceil(letters(start)))
  const end = Math.ceil(letters(prefix)) + Math.ceil((minimum * 8) / 6)
  return [(one: string) => one, urlSafe, withSlashes].flatMap((write) =>
    starts.map((start) => ({ start: write(text.slice(start, end)), rest: write(text.slice(end)), isBase64: true })),
  )
}

const urlSafe: Write = (text) => text.replaceAll('+', '-').replaceAll('/', '_')
const withSlashes: Write = (text) => text.replaceAll('/', '\\/')

/** A key as it reads where its own characters look like escapes. */
function unescapeAll(text: string): string {
  let read = ''
  for (let at = 0; at < text.length;) {
    const escape = readEscape(text, at, false)
    read += escape === NO_ESCAPE ? text.charAt(at) : String.fromCharCode(codeOf(escape))
    at += escape === NO_ESCAPE ? 1 : lengthOf(escape)
  }
  return read
}
