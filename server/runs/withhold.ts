import { formsOf, REDACTED, type Forms } from '../relay/redact.ts'
import type { NewFrame } from './frames.ts'

/** A frame, and what its data says. */
export interface Said {
  frame: NewFrame
  event: unknown
}
/** A frame on its way through; `record` is its event where that is an object. */
interface Passing extends Said {
  record: Record<string, unknown> | null
  isOut: boolean
}
/** A text that comes in pieces, one in each frame: the end of it that may be the beginning of a key, and whose it is. */
interface Tail {
  text: string
  pieces: { passing: Passing; length: number }[]
}

/** So many letters of a key make a frame wait for the next: one more than `dataset-`, with which keys and texts begin. */
const TELLING = 9

/** Letters of a text that is remembered as clean, and how many are. */
const SHORT = 64
const FEW = 50

/**
 * Takes a key out that comes in pieces over several frames (`{"answer": "app-se"}`, `{"answer": "cret"}`). Only a frame
 * whose text ends with the first letters of the key waits, and only until the next piece of that text says whether it was
 * the key; all others go on as they came. What each frame holds by itself has been redacted before.
 */
export class Withholder {
  readonly #forms: Forms | null
  readonly #telling: number
  readonly #tails = new Map<string, Tail>()
  /** Texts that each frame repeats, as its ids: where they were looked through and nothing of a key was in them. */
  readonly #clean = new Map<string, string>()
  #waiting: Passing[] = []

  constructor(secret: string) {
    this.#forms = formsOf(secret)
    this.#telling = tellingOf(secret)
  }

  /** @returns the frames that go on, in their order. */
  push({ frame, event }: Said): Said[] {
    if (!this.#forms) return [{ frame, event }]
    const record = isRecord(event) ? event : null
    const passing: Passing = { frame, event, record, isOut: false }
    this.#waiting.push(passing)
    if (record) this.#look(record, '', passing, this.#forms)
    if (isRecord(record?.data)) this.#look(record.data, INNER, passing, this.#forms)
    return this.#release(this.#tails.size > 0 ? this.#held() : null)
  }

  /** What still waits when the stream has ended. What looks like the first half of a key is not let through as one. */
  end(): Said[] {
    for (const [path, tail] of this.#tails)
      if (tail.text.length >= this.#telling) {
        const last = tail.pieces.at(-1)?.passing
        this.#cut(path, tail, 0)
        if (last && !last.isOut) append(last, path, REDACTED)
      }
    return this.#release(null)
  }

  /** The texts of an event that can be parts of a longer one: its own and those of its `data`. */
  #look(record: Record<string, unknown>, before: string, passing: Passing, forms: Forms): void {
    for (const name of Object.keys(record)) {
      const piece = record[name]
      if (typeof piece !== 'string') continue
      const path = before === '' ? name : before + name
      if (this.#tails.has(path) || this.#clean.get(path) !== piece) this.#follow(path, piece, passing, forms)
    }
  }

  #follow(path: string, text: string, passing: Passing, forms: Forms): void {
    const tail = this.#tails.get(path)
    let piece = text
    const before = tail ?? { text: '', pieces: [] }
    if (before.text !== '') {
      const joined = before.text + piece
      forms.found.lastIndex = 0
      const match = forms.found.exec(joined)
      forms.found.lastIndex = 0
      if (match && match.index < before.text.length) {
        const end = match.index + match[0].length
        this.#cut(path, before, match.index)
        piece = REDACTED + piece.slice(Math.max(0, end - before.text.length))
        write(passing, path, piece)
        before.text = ''
        before.pieces = []
      }
    }
    const joined = before.text + piece
    const length = beginningAtEnd(joined, forms)
    if (length === 0) {
      this.#tails.delete(path)
      if (piece.length <= SHORT && this.#clean.size < FEW) this.#clean.set(path, piece)
      return
    }
    let left = length
    const pieces: Tail['pieces'] = []
    for (const one of [...before.pieces, { passing, length: piece.length }].reverse()) {
      if (left <= 0) break
      if (one.length > 0) pieces.unshift({ passing: one.passing, length: Math.min(one.length, left) })
      left -= one.length
    }
    this.#tails.set(path, { text: joined.slice(joined.length - length), pieces })
  }

  /** Takes away what of a tail stands at `from` and after, in the frames that are still here. */
  #cut(path: string, { text, pieces }: Tail, from: number): void {
    let at = text.length
    for (const { passing, length } of pieces.toReversed()) {
      at -= length
      const away = length - Math.max(0, from - at)
      if (away <= 0) return
      const whole = read(passing.record, path)
      if (!passing.isOut) write(passing, path, whole.slice(0, whole.length - away))
    }
  }

  /** The first frame that has to wait. */
  #held(): Passing | null {
    const held = [...this.#tails.values()]
      .filter(({ text }) => text.length >= this.#telling)
      .map(({ pieces }) => this.#waiting.indexOf(pieces.find(({ passing }) => !passing.isOut)?.passing as Passing))
      .filter((index) => index >= 0)
    return held.length > 0 ? (this.#waiting[Math.min(...held)] ?? null) : null
  }

  #release(until: Passing | null): Said[] {
    const out = until ? this.#waiting.slice(0, this.#waiting.indexOf(until)) : this.#waiting
    this.#waiting = this.#waiting.slice(out.length)
    for (const passing of out) passing.isOut = true
    return out
  }
}

/** What came of a frame that a broken line cut, without a key that it cut too. */
export function withoutBeginning(text: string, secret: string): string {
  const forms = formsOf(secret)
  const length = forms ? beginningAtEnd(text, forms) : 0
  return forms && length >= tellingOf(secret) ? text.slice(0, -length) + REDACTED : text
}

const tellingOf = (secret: string): number => Math.min(TELLING, Math.ceil(secret.length / 2))

/** How many letters at the end of a text may be the beginning of a key. */
function beginningAtEnd(text: string, { all, firsts, longest }: Forms): number {
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
    if (!firsts.has(text.charCodeAt(at))) continue
    const end = text.slice(at)
    if (all.some((form) => form.length > end.length && form.startsWith(end))) return end.length
  }
  return 0
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const INNER = 'data\0'
const place = (event: Record<string, unknown> | null, path: string): [Record<string, unknown>, string] =>
  path.startsWith(INNER)
    ? [(event?.data ?? {}) as Record<string, unknown>, path.slice(INNER.length)]
    : [event ?? {}, path]

function read(event: Record<string, unknown> | null, path: string): string {
  const [record, name] = place(event, path)
  return String(record[name] ?? '')
}

/** A frame that held a part of a key is written anew; its other fields stay. */
function write(passing: Passing, path: string, text: string): void {
  const [record, name] = place(passing.record, path)
  record[name] = text
  const lines = passing.frame.block.split('\n').filter((line) => !/^data(:|$)/.test(line))
  passing.frame.block = [...lines, `data: ${JSON.stringify(passing.record)}`].join('\n')
  delete passing.frame.raw
}

const append = (passing: Passing, path: string, text: string): void =>
  write(passing, path, read(passing.record, path) + text)
