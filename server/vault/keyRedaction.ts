import { toKeyHint } from './vaultRows.ts'

export const REDACTED = '[REDACTED:key]'

/** A shorter key occurs in too many other texts: redaction would corrupt every reply and hide nothing. */
const MIN_KEY_CHARS = 8
/** Characters of the secret part that must match before redaction starts; fewer could be guessed one by one (decision 023). */
const MIN_MATCHED_CHARS = 12
/** The same for a secret part with fewer than twelve unknown characters. */
const MIN_MATCHED_CHARS_OF_SHORT_KEY = 8
/** The public prefix of a key: `app-`, `dataset-`, `sk-`. */
const PUBLIC_PREFIX = /^[a-z]{1,10}[-_]/i
/** The longest form of a character: `\\u0061`, which is `\u0061` in JSON. */
const MAX_ESCAPE_CHARS = 7
const MAX_ENTRIES = 1_000

interface KeySearch {
  /** A start of the key in any form, and every following character that a key can have. */
  key: RegExp
  /** The remaining characters of a key at the start of a piece. */
  rest: RegExp
  /** The length of the longest start of a key. */
  maxChars: number
}

/**
 * What the search for a key matches: the public prefix with the first 12 characters of the secret part, and these 12
 * alone, as text (each character plain, JSON-escaped or percent-encoded), in hexadecimal, and in base64 at its three
 * offsets. The last four characters, which the console shows as the hint, do not count.
 */
function createKeySearch(secret: string): KeySearch {
  if (secret.length < MIN_KEY_CHARS) return { key: /(?!)/g, rest: /^/, maxChars: 0 }
  const publicPrefix = PUBLIC_PREFIX.exec(secret)?.[0].length ?? 0
  const prefix = secret.length - publicPrefix < MIN_KEY_CHARS ? 0 : publicPrefix
  const unknownChars = secret.length - prefix - (toKeyHint(secret)?.length ?? 0)
  const isShort = unknownChars < MIN_MATCHED_CHARS
  const minimum = isShort
    ? Math.min(unknownChars, Math.max(MIN_MATCHED_CHARS_OF_SHORT_KEY, Math.ceil(secret.length / 2)))
    : MIN_MATCHED_CHARS
  // A short secret part may be a common word, so it counts only with its prefix.
  const needles = [...new Set(isShort ? [0] : [0, prefix])].map((start) => secret.slice(start, prefix + minimum))
  const forms = needles.flatMap((needle) => [
    toTextPattern(needle),
    toHexPattern(needle),
    ...[0, 1, 2].map((offset) => toBase64Pattern(needle, offset)),
  ])
  const rest = toRestPattern(secret)
  return {
    key: new RegExp(`(?:${forms.join('|')})${rest}*`, 'g'),
    rest: new RegExp(`^${rest}*`),
    maxChars: MAX_ESCAPE_CHARS * (prefix + minimum),
  }
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)

/** Each character plain, JSON-escaped or percent-encoded. */
const toTextPattern = (text: string): string =>
  text.replace(/./g, (character) => {
    const plain = (/["\\/]/.test(character) ? String.raw`\\?` : '') + escapePattern(character)
    return String.raw`(?:${plain}|(?:\\{1,2}u00|%)${toHexPattern(character)})`
  })

const toHexPattern = (text: string): string =>
  Buffer.from(text)
    .toString('hex')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/** The base64 characters that the text alone determines, if it starts `offset` bytes into a group of three. */
function toBase64Pattern(text: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
  const encoded = bytes.toString('base64').slice(Math.ceil((offset * 4) / 3), Math.floor((bytes.length * 4) / 3))
  return encoded.replaceAll('/', String.raw`(?:\\?/|_)`).replaceAll('+', '[+-]')
}

/** A character that a key can have, in any form. Keys with quotation marks or backslashes cannot be saved. */
const toRestPattern = (secret: string): string =>
  String.raw`(?:[\w+/${escapePattern(secret.replace(/[\w"\\]/g, ''))}-]|\\/|%(?=[2-7]|$)|\\(?=\\?(?:u00|u?0?$)))`

const searchCache = new Map<string, KeySearch>()
const getKeySearch = (secret: string) => getOrCreate(searchCache, secret, () => createKeySearch(secret))

/** The entry of a map that is cleared when it is full. */
export function getOrCreate<Entry>(entries: Map<string, Entry>, name: string, create: () => Entry): Entry {
  let entry = entries.get(name)
  if (entry !== undefined) return entry
  if (entries.size >= MAX_ENTRIES) entries.clear()
  entries.set(name, (entry = create()))
  return entry
}

/**
 * Removes a key from a text without confirming guesses: fewer than twelve matching characters have no effect, and
 * after a match every character that a key can have is removed, right or wrong. A person who knows eleven can confirm
 * the twelfth, in a reply that is counted.
 */
export const redact = (text: string, secret: string): string => text.replace(getKeySearch(secret).key, REDACTED)

/** Redacts the texts of an export: a person may have typed a key into a question, and requests are stored unredacted. */
export async function* redactSecrets(
  secrets: readonly string[],
  written: AsyncIterable<string>,
): AsyncGenerator<string> {
  for await (const text of written) yield secrets.reduce(redact, text)
}

/** A part of a piece that belongs to a key. The replacement is empty if an earlier piece has it. */
type KeySpan = [start: number, end: number, replacement: string]

/** Searches a text that arrives in pieces. No piece is delayed: its end is kept for the next search. */
export class KeyPieceSearch {
  readonly #search: KeySearch
  /** The end of the last pieces that may be the start of a key. */
  #end = ''
  #isInKey = false
  /** A piece that left the end unchanged: every frame contains ids, and searching them again took most of the time. */
  #repeatedPiece: string | null = null

  constructor(secret: string) {
    this.#search = getKeySearch(secret)
  }

  /** The parts of the next piece to remove. */
  find(piece: string): KeySpan[] {
    if (piece === this.#repeatedPiece) return []
    const { key, rest, maxChars } = this.#search
    const restChars = this.#isInKey ? (rest.exec(piece)?.[0].length ?? 0) : 0
    const spans: KeySpan[] = restChars > 0 ? [[0, restChars, '']] : []
    this.#isInKey &&= restChars === piece.length
    const text = this.#end + piece.slice(restChars)
    const offset = restChars - this.#end.length
    text.replace(key, (match: string, at: number) => {
      const end = at + match.length + offset
      if (end > 0) spans.push([Math.max(0, at + offset), end, REDACTED])
      this.#isInKey = end === piece.length
      return ''
    })
    const end = this.#isInKey ? '' : text.slice(Math.max(0, text.length - maxChars))
    this.#repeatedPiece = end === this.#end && spans.length === 0 ? piece : null
    // A copy: a slice would keep the piece in memory.
    if (end !== this.#end) this.#end = Buffer.from(end, 'utf16le').toString('utf16le')
    return spans
  }
}

/** @param spans may overlap */
export function removeSpans(text: string, spans: KeySpan[]): string {
  let clean = ''
  let at = 0
  for (const [start, end, replacement] of spans.sort(([one], [other]) => one - other)) {
    if (end <= at) continue
    clean += text.slice(at, start) + (start < at ? '' : replacement)
    at = end
  }
  return clean + text.slice(at)
}
