import { Readable } from 'node:stream'
import { invalidFieldError, ProblemError } from '#contract/problem.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'

/** Bytes of all fields of a form except its file. */
const MAX_FIELD_BYTES = 64 * 1024
const MAX_PARTS = 100
const MAX_PART_HEADER_BYTES = 8 * 1024
const LINE_BREAK = Buffer.from('\r\n')
const HEAD_END = Buffer.from('\r\n\r\n')
const UUID_PATTERN = /[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/gi

/** @throws ProblemError where a field is not allowed */
export type CheckFields = (fields: Record<string, unknown>) => Promise<void>

/**
 * Streams a form to the platform byte for byte, and validates its fields. Fields before the file are validated before
 * anything is sent. A forbidden field after the file aborts the request, so that the platform never receives all of
 * it. The file is not inspected.
 *
 * Anything that two parsers may read differently is rejected: other line breaks, an encoded part, a boundary inside a
 * part.
 * @throws ProblemError of `check`, or `invalid`
 */
export async function screenForm(source: Readable, boundary: string, check: CheckFields): Promise<Readable> {
  const parts = new FormScreen(source, Buffer.from(`--${boundary}`), check).readScreened()
  const first = await parts.next()
  return Readable.from(prependChunk(first, parts), { objectMode: false })
}

async function* prependChunk(first: IteratorResult<Buffer, void>, rest: AsyncGenerator<Buffer, void>) {
  if (!first.done) yield first.value
  yield* rest
}

class FormScreen {
  readonly #source: Readable
  readonly #chunks: AsyncIterator<Buffer>
  readonly #delimiter: Buffer
  readonly #check: CheckFields
  /** Bytes that were read and not yet forwarded. */
  #buffered: Buffer = Buffer.alloc(0)
  #fieldBytes = 0

  constructor(source: Readable, delimiter: Buffer, check: CheckFields) {
    this.#source = source
    this.#chunks = source.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
    this.#delimiter = delimiter
    this.#check = check
  }

  async *readScreened(): AsyncGenerator<Buffer, void> {
    try {
      const start = Buffer.concat([this.#delimiter, LINE_BREAK])
      while (this.#buffered.length < start.length) await this.#readMore()
      if (!this.#buffered.subarray(0, start.length).equals(start))
        throw toMalformedFormError('must begin with its boundary')
      // Nothing is forwarded before the file begins or the form ends.
      let checked = [this.#take(start.length)]
      for (let count = 1, isSending = false, isLast = false; !isLast; count++) {
        if (count > MAX_PARTS) throw toMalformedFormError(`must have at most ${MAX_PARTS} parts`)
        const head = await this.#readHead()
        const { name, isFile } = parsePartHeaders(head.toString('utf8'))
        checked.push(head)
        isSending ||= isFile
        if (isFile) {
          yield Buffer.concat(checked)
          checked = []
          yield* this.#readFile()
        } else checked.push(await this.#readField(name))
        isLast = await this.#isLast()
        checked.push(this.#take(this.#delimiter.length + 2))
        if (isLast) checked.push(await this.#readEnd())
        if (!isSending && !isLast) continue
        yield Buffer.concat(checked)
        checked = []
      }
    } catch (error) {
      // The error drains the source, so that the browser receives the reply.
      this.#source.destroy(error as Error)
      throw error
    }
  }

  async #readHead(): Promise<Buffer> {
    for (;;) {
      const end = this.#buffered.indexOf(HEAD_END)
      if (end >= 0) return this.#take(end + HEAD_END.length)
      if (this.#buffered.length > MAX_PART_HEADER_BYTES)
        throw toMalformedFormError(`must have part headers of at most ${MAX_PART_HEADER_BYTES} bytes`)
      await this.#readMore()
    }
  }

  /** The content of an allowed field and the line break after it. */
  async #readField(name: string): Promise<Buffer> {
    for (;;) {
      const end = this.#buffered.indexOf(this.#delimiter)
      const size = end < 0 ? this.#buffered.length - this.#delimiter.length : end
      if (this.#fieldBytes + size > MAX_FIELD_BYTES) throw toFieldTooLongError(name)
      if (end < 0) await this.#readMore()
      else {
        this.#fieldBytes += size
        const content = this.#takeContent(end)
        await this.#check({ [name]: parseFieldValue(name, content.subarray(0, -LINE_BREAK.length).toString('utf8')) })
        return content
      }
    }
  }

  async *#readFile(): AsyncGenerator<Buffer, void> {
    for (;;) {
      const end = this.#buffered.indexOf(this.#delimiter)
      if (end >= 0) return yield this.#takeContent(end)
      // The buffer may end with the start of the boundary, including the line break before it.
      const size = this.#buffered.length - this.#delimiter.length - LINE_BREAK.length
      if (size > 0) yield this.#take(size)
      await this.#readMore()
    }
  }

  #takeContent(end: number): Buffer {
    const content = this.#take(end)
    if (!content.subarray(-LINE_BREAK.length).equals(LINE_BREAK))
      throw toMalformedFormError('must have its boundary on a line of its own')
    return content
  }

  async #isLast(): Promise<boolean> {
    const size = this.#delimiter.length
    while (this.#buffered.length < size + 2) await this.#readMore()
    const after = this.#buffered.subarray(size, size + 2).toString('latin1')
    if (after !== '--' && after !== '\r\n') throw toMalformedFormError('must have its boundary on a line of its own')
    return after === '--'
  }

  /** Only a line break may follow the last boundary. */
  async #readEnd(): Promise<Buffer> {
    for (let next = await this.#chunks.next(); !next.done; next = await this.#chunks.next()) {
      this.#buffered = Buffer.concat([this.#buffered, next.value])
      if (this.#buffered.length > LINE_BREAK.length) break
    }
    if (this.#buffered.length > 0 && !this.#buffered.equals(LINE_BREAK))
      throw toMalformedFormError('must end with its boundary')
    return this.#take(this.#buffered.length)
  }

  #take(size: number): Buffer {
    const taken = this.#buffered.subarray(0, size)
    this.#buffered = this.#buffered.subarray(size)
    return taken
  }

  async #readMore(): Promise<void> {
    const next = await this.#chunks.next()
    if (next.done) throw toMalformedFormError('must end with its boundary')
    this.#buffered = Buffer.concat([this.#buffered, next.value])
  }
}

const DISPOSITION_PATTERN = /^form-data; *name="([^"\\]*)"(; *filename="[^"]*")?(; *filename\*=[^;"]*)?$/i
const PLAIN_ENCODING_PATTERN = /^(7bit|8bit|binary)$/i
const OTHER_CHARSET_PATTERN = /charset *= *"?(?!utf-?8\b|us-ascii\b)/i

function parsePartHeaders(head: string): { name: string; isFile: boolean } {
  const headers = new Map<string, string>()
  for (const line of head.slice(0, -HEAD_END.length).split('\r\n')) {
    const [, name = '', value = ''] = /^([!-9;-~]+):[ \t]*([^\r\n]*?)[ \t]*$/.exec(line) ?? []
    if (name === '' || headers.has(name.toLowerCase()))
      throw toMalformedFormError('must have part headers of one line, each once')
    headers.set(name.toLowerCase(), value)
  }
  const disposition = DISPOSITION_PATTERN.exec(headers.get('content-disposition') ?? '')
  if (!disposition) throw toMalformedFormError('must name each part as form-data; name="…"')
  if (!PLAIN_ENCODING_PATTERN.test(headers.get('content-transfer-encoding') ?? '8bit'))
    throw toMalformedFormError('must have no encoded part')
  const [, name = '', filename] = disposition
  const isFile = name === 'file' && filename !== undefined
  if (!isFile && OTHER_CHARSET_PATTERN.test(headers.get('content-type') ?? ''))
    throw toMalformedFormError('must have its fields in UTF-8')
  return { name, isFile }
}

/** `data` is JSON. Any other field is JSON or text, in which any id counts. */
function parseFieldValue(name: string, text: string): unknown {
  try {
    return parseLosslessJson(text)
  } catch {
    if (name === 'data') throw invalidFieldError('body.data', 'must be JSON')
    return [text, ...(text.match(UUID_PATTERN) ?? [])]
  }
}

const toMalformedFormError = (message: string) => invalidFieldError('body', `(a form) ${message}`)

function toFieldTooLongError(name: string): ProblemError {
  const message = `takes the fields of the form over ${MAX_FIELD_BYTES / 1024} KiB`
  return new ProblemError({
    kind: 'invalid',
    status: 413,
    message: `body.${name} ${message}`,
    fields: [{ path: `body.${name}`, message }],
  })
}
