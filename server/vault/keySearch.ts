import { parseSseBlock } from '#domain/stream/sseBlock.ts'
import {
  startsEscape,
  getEscapedCode,
  INCOMPLETE_ESCAPE,
  hasNoEscape,
  hasNoEscapeStart,
  getEscapeLength,
  NO_ESCAPE,
  readEscape,
} from './escapes.ts'
import { automaton, ASCII_CODE_COUNT } from './keyAutomaton.ts'
import { toKeyPatterns, type KeyPattern } from './keyPatterns.ts'

/** The position of a part of a key in a text. `isContinued`: its beginning was in the previous piece. */
export interface KeyRange {
  start: number
  end: number
  isContinued: boolean
}

/** The search state of a text that arrives in pieces. */
interface SearchCursor {
  state: number
  /** The last matched pattern, and the remaining number of characters of its form. */
  pattern: KeyPattern | null
  passed: number
  /** The incomplete escape at the end of the last piece. */
  carried: string
  /** The last piece ended with a numeric entity whose semicolon may still follow. */
  isAfterEntity: boolean
}

/** A text in pieces is searched twice: as written, and with its escapes decoded. */
export interface KeyTrack {
  written: SearchCursor
  unescaped: SearchCursor
}

/** `&#x000002d;` and JSON's `\\\\\\\\u002d`. */
const MAX_ESCAPE_CHARACTERS = 12
/** More than the length of the longest pattern. */
const START_RING_SIZE = 256

interface SearchMode {
  isUnescaping: boolean
  /** The text may go on. */
  isOpen: boolean
}
const WRITTEN_TEXT: SearchMode = { isUnescaping: false, isOpen: false }
const UNESCAPED_TEXT: SearchMode = { isUnescaping: true, isOpen: false }
const WRITTEN_PIECE: SearchMode = { isUnescaping: false, isOpen: true }
const UNESCAPED_PIECE: SearchMode = { isUnescaping: true, isOpen: true }

const QUOTE_CODE = 34
const BACKSLASH_CODE = 92

const newCursor = (): SearchCursor => ({ state: 0, pattern: null, passed: 0, carried: '', isAfterEntity: false })
const newTrack = (): KeyTrack => ({ written: newCursor(), unescaped: newCursor() })
export const copyTrack = ({ written, unescaped }: KeyTrack): KeyTrack => ({
  written: { ...written },
  unescaped: { ...unescaped },
})

const isIdleCursor = ({ state, pattern, carried, isAfterEntity }: SearchCursor): boolean =>
  state === 0 && pattern === null && carried === '' && !isAfterEntity
/** True where the next piece can be searched like a first piece. */
export const isIdle = ({ written, unescaped }: KeyTrack): boolean => isIdleCursor(written) && isIdleCursor(unescaped)

const isSameCursor = (one: SearchCursor, other: SearchCursor): boolean =>
  one.state === other.state &&
  one.pattern === other.pattern &&
  one.passed === other.passed &&
  one.carried === other.carried &&
  one.isAfterEntity === other.isAfterEntity
/** True where the next piece is searched in the same way. */
export const isSameTrack = (one: KeyTrack, other: KeyTrack | undefined): boolean =>
  other !== undefined && isSameCursor(one.written, other.written) && isSameCursor(one.unescaped, other.unescaped)

/**
 * Searches for one key in all its forms. The automaton (Aho-Corasick) makes one step for each character regardless of what
 * has matched, so the timing reveals nothing about the key. After a match, every character that can be part of a key is
 * removed with it: nobody learns there what the next character of the key is.
 */
export class KeySearch {
  /** The length of the longest form: characters further back cannot affect a match at the end of a text. */
  readonly maxFormChars: number
  readonly #next: Uint16Array
  /** The first state in which a pattern ends; all later states are ends too. */
  readonly #firstEnd: number
  readonly #ends: readonly KeyPattern[]
  readonly #starts = new Int32Array(START_RING_SIZE)

  constructor(patterns: readonly KeyPattern[]) {
    const { next, firstEnd, ends } = automaton(patterns)
    this.#next = next
    this.#firstEnd = firstEnd
    this.#ends = ends
    const lengths = patterns.flatMap(({ start, rests }) => rests.map((rest) => start.length + rest.length))
    this.maxFormChars = MAX_ESCAPE_CHARACTERS * Math.max(...lengths)
  }

  /** The matches in a complete text; most texts have none. */
  find(text: string): KeyRange[] {
    const ranges = this.#endState(text) < 0 ? this.#read(text, newCursor(), WRITTEN_TEXT) : []
    if (hasNoEscape(text) || !this.#isInUnescaped(text)) return ranges
    return mergeRanges([...ranges, ...this.#read(text, newCursor(), UNESCAPED_TEXT)])
  }

  /** The matches in the next piece of a text. */
  findInPiece(text: string, track: KeyTrack): KeyRange[] {
    const written = this.#read(text, track.written, WRITTEN_PIECE)
    return mergeRanges([...written, ...this.#read(text, track.unescaped, UNESCAPED_PIECE)])
  }

  /** The search state at the end of a text's first piece; null where it contains no start of a key. */
  startTrack(piece: string): KeyTrack | null {
    const end = piece.length > this.maxFormChars ? piece.slice(-this.maxFormChars) : piece
    if (this.#endState(end) === 0 && hasNoEscapeStart(end)) return null
    const track = newTrack()
    this.findInPiece(end, track)
    return isIdle(track) ? null : track
  }

  /** The automaton's state at the end of the text; negative where a pattern ends inside the text. */
  #endState(text: string): number {
    const next = this.#next
    const firstEnd = this.#firstEnd
    let state = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      state = next[(state << 7) | (code < ASCII_CODE_COUNT ? code : 0)] as number
      if (state >= firstEnd) return -1
    }
    return state
  }

  #isInUnescaped(text: string): boolean {
    const next = this.#next
    const firstEnd = this.#firstEnd
    let state = 0
    for (let at = 0; at < text.length;) {
      let code = text.charCodeAt(at)
      const escape = startsEscape(code) ? readEscape(text, at, false) : NO_ESCAPE
      if (escape === NO_ESCAPE) at++
      else {
        code = getEscapedCode(escape)
        at += getEscapeLength(escape)
      }
      state = next[(state << 7) | (code < ASCII_CODE_COUNT ? code : 0)] as number
      if (state >= firstEnd) return true
    }
    return false
  }

  #read(piece: string, cursor: SearchCursor, { isUnescaping, isOpen }: SearchMode): KeyRange[] {
    const isJson = !isOpen && isJsonText(piece)
    const text = cursor.carried + piece
    const offset = cursor.carried.length
    cursor.carried = ''
    const ranges: KeyRange[] = []
    const mark = (start: number, end: number, isContinued: boolean) => {
      const range = { start: Math.max(0, start - offset), end: end - offset, isContinued }
      if (range.end > 0) ranges.push(range)
    }
    let at = 0
    if (cursor.isAfterEntity && text.length > 0) {
      cursor.isAfterEntity = false
      if (text[0] === ';') {
        at = 1
        if (cursor.pattern) mark(0, 1, true)
      }
    }
    for (let count = 0; at < text.length;) {
      let code = text.charCodeAt(at)
      let length = 1
      if (isUnescaping && startsEscape(code)) {
        const escape = readEscape(text, at, isOpen)
        if (escape === INCOMPLETE_ESCAPE) {
          cursor.carried = text.slice(at)
          if (cursor.pattern) mark(at, text.length, true)
          break
        }
        if (escape !== NO_ESCAPE) {
          code = getEscapedCode(escape)
          length = getEscapeLength(escape)
        }
      }
      if (isJson && code === QUOTE_CODE && endsJsonText(text, at + length - 1)) code = 0
      this.#starts[count++ % START_RING_SIZE] = at
      cursor.state = this.#next[(cursor.state << 7) | (code < ASCII_CODE_COUNT ? code : 0)] as number
      const pattern = this.#ends[cursor.state - this.#firstEnd] ?? null
      if (pattern) {
        const size = pattern.start.length
        mark(size > count ? 0 : (this.#starts[(count - size) % START_RING_SIZE] ?? 0), at + length, false)
        cursor.pattern = pattern
        cursor.passed = 0
      } else if (cursor.pattern) {
        // A backslash belongs to the character that it escapes; the search of the decoded text handles both.
        const isHalf = isJson && code === BACKSLASH_CODE && !isUnescaping
        if (!isHalf && canContinueKey(cursor.pattern, cursor.passed, code)) {
          mark(at, at + length, true)
          cursor.passed++
        } else cursor.pattern = null
      }
      if (cursor.pattern?.rests.every((rest) => rest.length <= cursor.passed)) cursor.pattern = null
      at += length
      if (at === text.length && isOpen)
        cursor.isAfterEntity = length > 2 && text[at - length] === '&' && text[at - 1] !== ';'
    }
    return mergeRanges(ranges)
  }
}

/** True for JSON, and for a stream frame that contains JSON. Called only for a text that contains part of the key. */
function isJsonText(text: string): boolean {
  return [text, parseSseBlock(text).data].some((json) => {
    try {
      return json !== null && JSON.parse(json) !== undefined
    } catch {
      return false
    }
  })
}

/** A quotation mark after an even number of backslashes ends a JSON string and is not part of a key. */
function endsJsonText(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== QUOTE_CODE) return false
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH_CODE) first--
  return (at - first) % 2 === 0
}

/** Any letter or digit counts as part of the key; other characters only where the key has them. */
const canContinueKey = ({ rests, isBase64 }: KeyPattern, passed: number, code: number): boolean =>
  /[\w-]/.test(String.fromCharCode(code)) ||
  (isBase64 && (code === 43 || code === 47)) ||
  rests.some((rest) => rest.charCodeAt(passed) === code)

/** Merges adjacent and overlapping ranges. */
export function mergeRanges(ranges: KeyRange[]): KeyRange[] {
  if (ranges.length < 2) return ranges
  const out: KeyRange[] = []
  for (const range of ranges.sort((one, other) => one.start - other.start)) {
    const last = out.at(-1)
    if (!last || range.start > last.end) {
      out.push(range)
      continue
    }
    last.end = Math.max(last.end, range.end)
    if (range.start === 0 && last.start === 0) last.isContinued ||= range.isContinued
  }
  return out
}

const searchCache = new Map<string, KeySearch | null>()
const MAX_CACHED_SEARCHES = 1000

/** Null for a key that is too short to search for. */
export function getKeySearch(secret: string): KeySearch | null {
  let search = searchCache.get(secret)
  if (search === undefined) {
    const patterns = toKeyPatterns(secret)
    search = patterns.length === 0 ? null : new KeySearch(patterns)
    if (searchCache.size >= MAX_CACHED_SEARCHES) searchCache.clear()
    searchCache.set(secret, search)
  }
  return search
}
