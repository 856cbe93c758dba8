import { createServer, type Server, type Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'

/** What a client says before its first query has no type byte: a length and one of these. */
const STARTUP = 196_608
const WITHOUT_TYPE = 8
const REFUSED = new Set([80_877_103, 80_877_104])

/** The messages after which a client waits for an answer: Query, Sync, Flush, CopyDone, CopyFail. */
const TURNS = new Set(['Q', 'S', 'H', 'c', 'f'].map((type) => type.charCodeAt(0)))
const QUERY = 'Q'.charCodeAt(0)
const TERMINATE = 'X'.charCodeAt(0)
const COPY = /^COPY [^;]* FROM STDIN/i

/** ReadyForQuery, but for its last byte; and the severity of an error after which there is no database any more. */
const READY = [...Buffer.from('Z\0\0\0\x05', 'latin1')]
const PANIC = 'SPANIC\0'

/**
 * PGlite for the clients of a Unix socket, in PostgreSQL's protocol (its chapter "Message Flow"). All that a client says until it
 * waits for an answer goes into the database at once: five messages of a statement cost little more than one, the unnamed
 * statements of two clients cannot overwrite each other, and a COPY finds its rows (the embedded backend cannot wait for them). A
 * client in a transaction has the database for itself.
 */
export class Bridge {
  readonly #database: PGlite
  readonly #server: Server
  readonly #clients = new Set<Client>()
  /** The client whose transaction is open. */
  #owner: Client | null = null
  #working = false

  constructor(database: PGlite) {
    this.#database = database
    this.#server = createServer((socket) => this.#take(socket))
  }

  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => this.#server.once('error', reject).listen(path, resolve))
  }

  /** Resolves when no client is connected any more; what is under way is finished before. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const { socket } of this.#clients) socket.destroy()
    await closed
  }

  #take(socket: Socket): void {
    const client = new Client(socket)
    this.#clients.add(client)
    socket.on('data', (data: Buffer) => {
      client.hear(data)
      if (!this.#working) void this.#work()
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      this.#clients.delete(client)
      if (this.#owner === client && !this.#working) void this.#work()
    })
  }

  /** Turn by turn, each client in its turn. What fails here is the database itself, and ends this thread. */
  async #work(): Promise<void> {
    this.#working = true
    for (;;) {
      if (this.#owner && !this.#clients.has(this.#owner)) await this.#rollback()
      const next = this.#owner ? this.#owner : [...this.#clients].find(({ isReady }) => isReady)
      const turn = next?.turn()
      if (!next || !turn) break
      // Whoever had a turn stands behind the others.
      if (this.#clients.delete(next)) this.#clients.add(next)
      await this.#answer(next, turn)
    }
    this.#working = false
  }

  async #answer(client: Client, turn: Buffer): Promise<void> {
    const answer: Uint8Array[] = []
    await this.#database.runExclusive(async () => {
      await this.#database.execProtocolRawStream(turn, { onRawData: (data) => void answer.push(data.slice()) })
      this.#owner = this.#database.isInTransaction() ? client : null
    })
    const whole = answer.length === 1 ? (answer[0] as Uint8Array) : Buffer.concat(answer)
    if (client.socket.writable) client.socket.write(whole)
    const last = lastWords(whole)
    if (last) throw new Error(`The embedded database has stopped: ${last}`)
  }

  async #rollback(): Promise<void> {
    this.#owner = null
    await this.#database.exec('ROLLBACK')
  }
}

/** What the database said when it gave itself up, which leaves it as it would be after a kill; null while it lives and is ready for more. */
function lastWords(answer: Uint8Array): string | null {
  if (READY.every((byte, index) => answer.at(index - READY.length - 1) === byte)) return null
  const text = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
  const at = text.indexOf(PANIC)
  if (at < 0) return null
  return /\0M([^\0]*)/.exec(text.toString('utf8', at))?.[1] ?? 'it says no more'
}

/** Gathers what one client says into turns. */
class Client {
  readonly socket: Socket
  #begun = false
  #parts: Buffer[] = []
  #size = 0
  /** How many bytes there must be before looking again is worth it. */
  #needed = WITHOUT_TYPE
  /** Bytes of the turn that have been looked at, and of them those that end a turn. */
  #seen = 0
  #whole = 0
  #copying = false

  constructor(socket: Socket) {
    this.socket = socket
  }

  get isReady(): boolean {
    return this.#whole > 0
  }

  hear(data: Buffer): void {
    this.#parts.push(data)
    this.#size += data.length
    if (this.#size >= this.#needed) this.#look(this.#join())
  }

  /** All whole turns that are there, as one. */
  turn(): Buffer | null {
    if (this.#whole === 0) return null
    const bytes = this.#join()
    const turn = bytes.subarray(0, this.#whole)
    this.#keep(bytes.subarray(this.#whole))
    this.#seen -= this.#whole
    this.#needed -= this.#whole
    this.#whole = 0
    // What came after the first words was not looked at as long as those were not read.
    if (this.#size >= this.#needed) this.#look(this.#join())
    return turn
  }

  #join(): Buffer {
    if (this.#parts.length !== 1) this.#parts = [Buffer.concat(this.#parts)]
    return this.#parts[0] as Buffer
  }

  #keep(bytes: Buffer): void {
    this.#parts = [bytes]
    this.#size = bytes.length
  }

  #look(bytes: Buffer): void {
    if (!this.#begun) return this.#begin(bytes)
    while (this.#seen + 5 <= bytes.length) {
      const type = bytes[this.#seen] as number
      const end = this.#seen + 1 + bytes.readInt32BE(this.#seen + 1)
      // The client hangs up by itself.
      if (type === TERMINATE) return
      this.#needed = end
      if (end > bytes.length) return
      if (type === QUERY)
        this.#copying = COPY.test(bytes.toString('latin1', this.#seen + 5, Math.min(end, this.#seen + 200)))
      if (TURNS.has(type) && !(type === QUERY && this.#copying)) this.#whole = end
      this.#seen = end
    }
    this.#needed = this.#seen + 5
  }

  /** A wish for encryption is refused, as there is no wire; a wish to cancel is not understood. */
  #begin(bytes: Buffer): void {
    if (this.#whole > 0 || bytes.length < WITHOUT_TYPE) return
    const length = bytes.readInt32BE(0)
    const code = bytes.readInt32BE(4)
    if (REFUSED.has(code)) {
      this.socket.write('N')
      this.#keep(bytes.subarray(length))
      return this.#begin(this.#join())
    }
    if (code !== STARTUP) return void this.socket.destroy()
    this.#needed = length
    if (bytes.length < length) return
    this.#begun = true
    this.#seen = length
    this.#whole = length
    this.#needed = length + 5
  }
}
