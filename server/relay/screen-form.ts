import { Readable } from 'node:stream'
import { badField, ProblemError } from '#contract/problem.ts'

/** Bytes of all fields of a form beside its file. */
const MAX_FIELD_BYTES = 64 * 1024
const MAX_PARTS = 100
const MAX_HEAD_BYTES = 8 * 1024
const BREAK = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')
const UUID_ANYWHERE = /[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/gi

/** @throws ProblemError where a field may not be sent */
export type CheckFields = (fields: Record<string, unknown>) => Promise<void>

/**
 * A form on its way to the platform, byte for byte, whose fields are checked before they are let through. What stands
 * before the file is checked before anything is sent. A field behind the file breaks the request off, so that the
 * platform never has all of it. The file is not read.
 *
 * What two parsers may read in two ways is refused: other line breaks, an encoded part, a boundary inside a part.
 * @throws ProblemError of `check`, or `invalid`
 */
export async function screenForm(source: Readable, boundary: string, check: CheckFields): Promise<Readable> {
  const parts = new FormScreen(source, Buffer.from(`--${boundary}`), check).read()
  const first = await parts.next()
  return Readable.from(startingWith(first, parts), { objectMode: false })
}

async function* startingWith(first: IteratorResult<Buffer, void>, rest: AsyncGenerator<Buffer, void>) {
  if (!first.done) yield first.value
  yield* rest
}

class FormScreen {
  readonly #source: Readable
  readonly #chunks: AsyncIterator<Buffer>
  readonly #delimiter: Buffer
  readonly #check: CheckFields
  /** What was read and not yet let through. */
  #held: Buffer = Buffer.alloc(0)
  #fieldBytes = 0

  constructor(source: Readable, delimiter: Buffer, check: CheckFields) {
    this.#source = source
    this.#chunks = source.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
    this.#delimiter = delimiter
    this.#check = check
  }

  async *read(): AsyncGenerator<Buffer, void> {
    try {
      const start = Buffer.concat([this.#delimiter, BREAK])
      while (this.#held.length < start.length) await this.#more()
      if (!this.#held.subarray(0, start.length).equals(start)) throw malformed('must begin with its boundary')
      // Nothing is let through before the file begins or the form ends.
      let checked = [this.#take(start.length)]
      for (let count = 1, isSending = false, isLast = false; !isLast; count++) {
        if (count > MAX_PARTS) throw malformed(`must have at most ${MAX_PARTS} parts`)
        const head = await this.#readHead()
        const { name, isFile } = partOf(head.toString('utf8'))
        checked.push(head)
        isSending ||= isFile
        if (isFile) {
          yield Buffer.concat(checked)
          checked = []
          yield* this.#passFile()
        } else checked.push(await this.#readField(name))
        isLast = await this.#isLast()
        checked.push(this.#take(this.#delimiter.length + 2))
        if (isLast) checked.push(await this.#readEnd())
        if (!isSending && !isLast) continue
        yield Buffer.concat(checked)
        checked = []
      }
    } catch (error) {
      // With the error its source reads the rest away, and the browser sees the reply.
      this.#source.destroy(error as Error)
      throw error
    }
  }

  async #readHead(): Promise<Buffer> {
    for (;;) {
      const end = this.#held.indexOf(HEAD_END)
      if (end >= 0) return this.#take(end + HEAD_END.length)
      if (this.#held.length > MAX_HEAD_BYTES)
        throw malformed(`must have part headers of at most ${MAX_HEAD_BYTES} bytes`)
      await this.#more()
    }
  }

  /** The content of a field that may be sent, with the line break behind it. */
  async #readField(name: string): Promise<Buffer> {
    for (;;) {
      const end = this.#held.indexOf(this.#delimiter)
      const size = end < 0 ? this.#held.length - this.#delimiter.length : end
      if (this.#fieldBytes + size > MAX_FIELD_BYTES) throw tooLong(name)
      if (end < 0) await this.#more()
      else {
        this.#fieldBytes += size
        const content = this.#takeContent(end)
        await this.#check({ [name]: valueOf(name, content.subarray(0, -BREAK.length).toString('utf8')) })
        return content
      }
    }
  }

  async *#passFile(): AsyncGenerator<Buffer, void> {
    for (;;) {
      const end = this.#held.indexOf(this.#delimiter)
      if (end >= 0) return yield this.#takeContent(end)
      // The boundary may have begun, with the line break before it.
      const size = this.#held.length - this.#delimiter.length - BREAK.length
      if (size > 0) yield this.#take(size)
      await this.#more()
    }
  }

  #takeContent(end: number): Buffer {
    const content = this.#take(end)
    if (!content.subarray(-BREAK.length).equals(BREAK)) throw malformed('must have its boundary on a line of its own')
    return content
  }

  async #isLast(): Promise<boolean> {
    const size = this.#delimiter.length
    while (this.#held.length < size + 2) await this.#more()
    const after = this.#held.subarray(size, size + 2).toString('latin1')
    if (after !== '--' && after !== '\r\n') throw malformed('must have its boundary on a line of its own')
    return after === '--'
  }

  /** Nothing follows the last boundary but a line break. */
  async #readEnd(): Promise<Buffer> {
    for (let next = await this.#chunks.next(); !next.done; next = await this.#chunks.next()) {
      this.#held = Buffer.concat([this.#held, next.value])
      if (this.#held.length > BREAK.length) break
    }
    if (this.#held.length > 0 && !this.#held.equals(BREAK)) throw malformed('must end with its boundary')
    return this.#take(this.#held.length)
  }

  #take(size: number): Buffer {
    const taken = this.#held.subarray(0, size)
    this.#held = this.#held.subarray(size)
    return taken
  }

  async #more(): Promise<void> {
    const next = await this.#chunks.next()
    if (next.done) throw malformed('must end with its boundary')
    this.#held = Buffer.concat([this.#held, next.value])
  }
}

const DISPOSITION = /^form-data; *name="([^"\\]*)"(; *filename="[^"]*")?(; *filename\*=[^;"]*)?$/i
const PLAIN_ENCODING = /^(7bit|8bit|binary)$/i
const CHARSET = /charset *= *"?(?!utf-?8\b|us-ascii\b)/i

function partOf(head: string): { name: string; isFile: boolean } {
  const headers = new Map<string, string>()
  for (const line of head.slice(0, -HEAD_END.length).split('\r\n')) {
    const [, name = '', value = ''] = /^([!-9;-~]+):[ \t]*([^\r\n]*?)[ \t]*$/.exec(line) ?? []
    if (name === '' || headers.has(name.toLowerCase())) throw malformed('must have part headers of one line, each once')
    headers.set(name.toLowerCase(), value)
  }
  const disposition = DISPOSITION.exec(headers.get('content-disposition') ?? '')
  if (!disposition) throw malformed('must name each part as form-data; name="…"')
  if (!PLAIN_ENCODING.test(headers.get('content-transfer-encoding') ?? '8bit'))
    throw malformed('must have no encoded part')
  const [, name = '', filename] = disposition
  const isFile = name === 'file' && filename !== undefined
  if (!isFile && CHARSET.test(headers.get('content-type') ?? '')) throw malformed('must have its fields in UTF-8')
  return { name, isFile }
}

/** `data` is JSON. Another field may be, or is text, in which any id counts. */
function valueOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    if (name === 'data') throw badField('body.data', 'must be JSON')
    return [text, ...(text.match(UUID_ANYWHERE) ?? [])]
  }
}

const malformed = (message: string) => badField('body', `(a form) ${message}`)

function tooLong(name: string): ProblemError {
  const message = `takes the fields of the form over ${MAX_FIELD_BYTES / 1024} KiB`
  return new ProblemError({
    kind: 'invalid',
    status: 413,
    message: `body.${name} ${message}`,
    fields: [{ path: `body.${name}`, message }],
  })
}
