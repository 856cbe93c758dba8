import { isUtf8 } from 'node:buffer'

/** Maximum size of a block with its line ends; a stream that exceeds it is aborted. */
export const MAX_BLOCK_BYTES = 1024 * 1024

const LF_CODE = 10
const CR_CODE = 13

/** One raw event: its text, its size in bytes on the wire, and the bytes themselves where text cannot hold them. */
export interface RawBlock {
  text: string
  bytes: number
  raw?: Buffer
}

/**
 * Splits a byte stream into server-sent-event blocks. Unlike a parser it is lossless: pings, comments, unknown fields
 * and invalid JSON are preserved (only line ends become `\n`). Lines end with LF, CRLF or CR; a block ends with an
 * empty line. Chunk boundaries make no difference.
 */
export class EventSplitter {
  #parts: Buffer[] = []
  #size = 0
  #lineLength = 0
  #afterCR = false
  #hasCR = false
  #hasStarted = false

  /** @throws RangeError when a block exceeds the limit; the blocks before it are in the error's `blocks`. */
  push(chunk: Buffer): RawBlock[] {
    const blocks: RawBlock[] = []
    let start = 0
    // Most streams have no CR, and where their lines end is found faster than by looking at each byte. `npm run bench -- frame`:
    // splitting a frame takes as long as parsing it, and 2.3 times as long without this.
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
        // A further empty line is not part of the next block.
        start = index + 1
        this.#hasStarted = true
        this.#hasCR = false
        continue
      }
      this.#append(chunk.subarray(start, index + 1), blocks)
      start = index + 1
      const block = this.#takeBlock()
      if (block) blocks.push(block)
    }
    this.#append(chunk.subarray(start), blocks)
    return blocks
  }

  /** The rest after the last empty line, if any: a stream may end without one, or be cut inside a block. */
  end(): RawBlock | null {
    return this.#takeBlock()
  }

  #append(bytes: Buffer, blocks: RawBlock[]): void {
    if (bytes.length === 0) return
    this.#parts.push(bytes)
    this.#size += bytes.length
    if (this.#size > MAX_BLOCK_BYTES) throw new BlockTooLargeError(blocks)
  }

  #takeBlock(): RawBlock | null {
    const bytes = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts)
    const hadCR = this.#hasCR
    this.#parts = []
    this.#size = 0
    this.#lineLength = 0
    this.#hasCR = false
    let text = bytes.toString('utf8')
    if (!this.#hasStarted && text.startsWith('\uFEFF')) text = text.slice(1)
    if (bytes.length > 0) this.#hasStarted = true
    if (hadCR) text = text.replace(/\r\n?/g, '\n')
    text = trimNewlines(text)
    if (text === '') return null
    // A NUL is valid UTF-8, and the one character that a text column cannot hold.
    if (isUtf8(bytes) && !text.includes('\0')) return { text, bytes: bytes.length }
    return { text: text.replaceAll('\0', '\uFFFD'), bytes: bytes.length, raw: bytes }
  }
}

export class BlockTooLargeError extends RangeError {
  readonly blocks: RawBlock[]
  constructor(blocks: RawBlock[]) {
    super(`a block is over ${MAX_BLOCK_BYTES} bytes`)
    this.blocks = blocks
  }
}

function trimNewlines(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) === LF_CODE) start++
  while (end > start && text.charCodeAt(end - 1) === LF_CODE) end--
  return text.slice(start, end)
}
