import { isUtf8 } from 'node:buffer'
import { addCutMark, MAX_EVENT_BYTES } from '#domain/stream/cutEvent.ts'

const LF_CODE = 10
const CR_CODE = 13

/**
 * One raw event: its text, its size in bytes on the wire, and the bytes themselves if text cannot represent them. For
 * an event over the limit: the first `stored` bytes, and a text that ends with a mark.
 */
export interface RawBlock {
  text: string
  bytes: number
  raw?: Buffer
  stored?: number
}
export type RestReader = (rest: Buffer) => void

/**
 * Splits a byte stream into server-sent-event blocks. Unlike a parser it is lossless: pings, comments, unknown fields
 * and invalid JSON are preserved (only line ends become `\n`). Lines end with LF, CRLF or CR; a block ends with an
 * empty line. Chunk boundaries make no difference. An event over the limit is never buffered: `onCut` receives its
 * first part when the limit is reached, and returns the reader of the rest.
 */
export class EventSplitter {
  #parts: Buffer[] = []
  #size = 0
  #lineLength = 0
  #afterCR = false
  #hasCR = false
  #hasStarted = false
  /** The stored part of an event over the limit, and the reader of its rest. */
  #cut: { block: RawBlock | null; readRest: RestReader } | null = null
  readonly #onCut: (text: string) => RestReader

  constructor(onCut: (text: string) => RestReader = () => () => undefined) {
    this.#onCut = onCut
  }

  /** Bytes of the incomplete event. */
  get pendingBytes(): number {
    return this.#size
  }

  *push(chunk: Buffer): Generator<RawBlock> {
    let start = 0
    // Most streams have no CR; their line ends are found faster than byte by byte.
    const hasCR = chunk.includes(CR_CODE)
    for (let index = 0; index < chunk.length; index++) {
      if (!hasCR) {
        const lineEnd = chunk.indexOf(LF_CODE, index)
        const end = lineEnd < 0 ? chunk.length : lineEnd
        if (end > index) this.#afterCR = false
        this.#lineLength += end - index
        index = end
        if (lineEnd < 0) break
      }
      const byte = chunk[index]
      if (byte === LF_CODE && this.#afterCR) {
        this.#afterCR = false
        if (this.#size === 0 && this.#lineLength === 0 && index === start) start = index + 1
        continue
      }
      this.#afterCR = byte === CR_CODE
      if (byte !== LF_CODE && byte !== CR_CODE) {
        this.#lineLength++
        continue
      }
      if (byte === CR_CODE) this.#hasCR = true
      if (this.#lineLength > 0) {
        this.#lineLength = 0
        continue
      }
      if (this.#size === 0 && index === start) {
        // Further empty lines are not part of the next block.
        start = index + 1
        this.#hasStarted = true
        this.#hasCR = false
        continue
      }
      this.#append(chunk.subarray(start, index + 1))
      start = index + 1
      const block = this.end()
      if (block) yield block
    }
    this.#append(chunk.subarray(start))
  }

  /** The rest after the last empty line: a stream may end without one, or be cut inside a block. */
  end(): RawBlock | null {
    const bytes = this.#size
    const cut = this.#cut
    const block = cut ? cut.block && toCutBlock(cut.block, bytes) : this.#toBlock(this.#joinParts())
    this.#parts = []
    this.#size = 0
    this.#lineLength = 0
    this.#hasCR = false
    this.#cut = null
    return block
  }

  #joinParts = (): Buffer => (this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts))

  #append(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#size += bytes.length
    if (this.#cut) return this.#cut.readRest(bytes)
    this.#parts.push(bytes)
    if (this.#size <= MAX_EVENT_BYTES) return
    const all = Buffer.concat(this.#parts)
    const stored = findCharacterStart(all, MAX_EVENT_BYTES)
    const block = this.#toBlock(all.subarray(0, stored))
    this.#parts = []
    this.#cut = { block, readRest: this.#onCut(block?.text ?? '') }
    this.#cut.readRest(all.subarray(stored))
  }

  #toBlock(bytes: Buffer): RawBlock | null {
    let text = bytes.toString('utf8')
    if (!this.#hasStarted && text.startsWith('\uFEFF')) text = text.slice(1)
    if (bytes.length > 0) this.#hasStarted = true
    if (this.#hasCR) text = text.replace(/\r\n?/g, '\n')
    text = trimNewlines(text)
    if (text === '') return null
    // A NUL is valid UTF-8, but a text column cannot store it.
    if (isUtf8(bytes) && !text.includes('\0')) return { text, bytes: bytes.length }
    return { text: text.replaceAll('\0', '\uFFFD'), bytes: bytes.length, raw: bytes }
  }
}

const toCutBlock = ({ bytes: stored, ...block }: RawBlock, size: number): RawBlock => ({
  ...block,
  text: addCutMark(block.text, { stored, size }),
  bytes: size,
  stored,
})

/** The start of the UTF-8 character at an offset; the offset itself in invalid UTF-8. */
function findCharacterStart(bytes: Buffer, offset: number): number {
  let at = offset
  while (at > offset - 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--
  return ((bytes[at] ?? 0) & 0xc0) === 0x80 ? offset : at
}

function trimNewlines(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) === LF_CODE) start++
  while (end > start && text.charCodeAt(end - 1) === LF_CODE) end--
  return text.slice(start, end)
}
