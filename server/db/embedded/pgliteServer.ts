import { createServer, type Server, type Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'

/** A client's start-up messages have no type byte: a length and one of these codes. */
const PROTOCOL_VERSION_3 = 196_608
const STARTUP_HEADER_BYTES = 8
const ENCRYPTION_REQUEST_CODES = new Set([80_877_103, 80_877_104])

/** The messages after which a client waits for an answer: Query, Sync, Flush, CopyDone, CopyFail. */
const TURN_ENDING_TYPES = new Set(['Q', 'S', 'H', 'c', 'f'].map((type) => type.charCodeAt(0)))
const QUERY_TYPE = 'Q'.charCodeAt(0)
const TERMINATE_TYPE = 'X'.charCodeAt(0)
const COPY_FROM_STDIN = /^COPY [^;]* FROM STDIN/i

/** ReadyForQuery without its last byte; and the severity of an error that ends the database. */
const READY_FOR_QUERY = [...Buffer.from('Z\0\0\0\x05', 'latin1')]
const PANIC_SEVERITY = 'SPANIC\0'

/**
 * Serves PGlite to the clients of a Unix socket, in PostgreSQL's protocol (its chapter "Message Flow"). What a client
 * sends until it waits for an answer goes into the database as one turn: the five messages of a statement cost little
 * more than one, unnamed statements of two clients cannot overwrite each other, and a COPY has its rows (the embedded
 * backend cannot wait for them). A client in a transaction has the database to itself. Prepared statements belong to
 * the last client: the pool has one client and replaces it after an error.
 */
export class PgliteServer {
  readonly #database: PGlite
  readonly #server: Server
  readonly #clients = new Set<ProtocolClient>()
  /** The client with the open transaction. */
  #transactionOwner: ProtocolClient | null = null
  #isWorking = false

  constructor(database: PGlite) {
    this.#database = database
    this.#server = createServer((socket) => this.#accept(socket))
  }

  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => this.#server.once('error', reject).listen(path, resolve))
  }

  /** Resolves when all clients have disconnected and pending statements are done. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const { socket } of this.#clients) socket.destroy()
    await closed
  }

  #accept(socket: Socket): void {
    const client = new ProtocolClient(socket)
    this.#clients.add(client)
    socket.on('data', (data: Buffer) => {
      client.receive(data)
      if (!this.#isWorking) void this.#processTurns()
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      this.#clients.delete(client)
      if (this.#transactionOwner === client && !this.#isWorking) void this.#processTurns()
    })
  }

  /** Round robin over the clients. An error here comes from the database itself and ends this thread. */
  async #processTurns(): Promise<void> {
    this.#isWorking = true
    for (;;) {
      if (this.#transactionOwner && !this.#clients.has(this.#transactionOwner)) await this.#rollback()
      const next = this.#transactionOwner ? this.#transactionOwner : [...this.#clients].find(({ isReady }) => isReady)
      const turn = next?.takeTurn()
      if (!next || !turn) break
      // Round robin: a served client goes to the end of the queue.
      if (this.#clients.delete(next)) this.#clients.add(next)
      await this.#executeTurn(next, turn)
    }
    this.#isWorking = false
  }

  async #executeTurn(client: ProtocolClient, turn: Buffer): Promise<void> {
    // All clients share one session: statement names of the previous client are free again.
    if (client.takeIsNew()) await this.#database.exec('DEALLOCATE ALL')
    const chunks: Uint8Array[] = []
    await this.#database.runExclusive(async () => {
      await this.#database.execProtocolRawStream(turn, { onRawData: (data) => void chunks.push(data.slice()) })
      this.#transactionOwner = this.#database.isInTransaction() ? client : null
    })
    const response = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
    if (client.socket.writable) client.socket.write(response)
    const panicMessage = findPanicMessage(response)
    if (panicMessage) throw new Error(`The embedded database has stopped: ${panicMessage}`)
  }

  async #rollback(): Promise<void> {
    this.#transactionOwner = null
    await this.#database.exec('ROLLBACK')
  }
}

/** The database's fatal error, which leaves its files as after a crash; null while it is alive and ready. */
function findPanicMessage(answer: Uint8Array): string | null {
  if (READY_FOR_QUERY.every((byte, index) => answer.at(index - READY_FOR_QUERY.length - 1) === byte)) return null
  const text = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
  const at = text.indexOf(PANIC_SEVERITY)
  if (at < 0) return null
  return /\0M([^\0]*)/.exec(text.toString('utf8', at))?.[1] ?? 'it says no more'
}

class ProtocolClient {
  readonly socket: Socket
  #isNew = true
  #hasStarted = false
  #chunks: Buffer[] = []
  #size = 0
  /** The minimum number of bytes before parsing continues. */
  #neededBytes = STARTUP_HEADER_BYTES
  /** Bytes of the turn parsed so far, and those up to the last end of a turn. */
  #scannedBytes = 0
  #completeBytes = 0
  #isCopying = false

  constructor(socket: Socket) {
    this.socket = socket
  }

  get isReady(): boolean {
    return this.#completeBytes > 0
  }

  /** True the first time. */
  takeIsNew(): boolean {
    const isNew = this.#isNew
    this.#isNew = false
    return isNew
  }

  receive(data: Buffer): void {
    this.#chunks.push(data)
    this.#size += data.length
    if (this.#size >= this.#neededBytes) this.#scan(this.#joinChunks())
  }

  /** All complete turns that have arrived, as one. */
  takeTurn(): Buffer | null {
    if (this.#completeBytes === 0) return null
    const bytes = this.#joinChunks()
    const turn = bytes.subarray(0, this.#completeBytes)
    this.#resetBuffer(bytes.subarray(this.#completeBytes))
    this.#scannedBytes -= this.#completeBytes
    this.#neededBytes -= this.#completeBytes
    this.#completeBytes = 0
    // Bytes after the start-up messages are parsed only once those have been read.
    if (this.#size >= this.#neededBytes) this.#scan(this.#joinChunks())
    return turn
  }

  #joinChunks(): Buffer {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#chunks[0] as Buffer
  }

  #resetBuffer(bytes: Buffer): void {
    this.#chunks = [bytes]
    this.#size = bytes.length
  }

  #scan(bytes: Buffer): void {
    if (!this.#hasStarted) return this.#handleStartup(bytes)
    while (this.#scannedBytes + 5 <= bytes.length) {
      const type = bytes[this.#scannedBytes] as number
      const end = this.#scannedBytes + 1 + bytes.readInt32BE(this.#scannedBytes + 1)
      // The client closes the connection itself.
      if (type === TERMINATE_TYPE) return
      this.#neededBytes = end
      if (end > bytes.length) return
      if (type === QUERY_TYPE)
        this.#isCopying = COPY_FROM_STDIN.test(
          bytes.toString('latin1', this.#scannedBytes + 5, Math.min(end, this.#scannedBytes + 200)),
        )
      if (TURN_ENDING_TYPES.has(type) && !(type === QUERY_TYPE && this.#isCopying)) this.#completeBytes = end
      this.#scannedBytes = end
    }
    this.#neededBytes = this.#scannedBytes + 5
  }

  /** SSLRequest is refused on a local socket; CancelRequest is not supported. */
  #handleStartup(bytes: Buffer): void {
    if (this.#completeBytes > 0 || bytes.length < STARTUP_HEADER_BYTES) return
    const length = bytes.readInt32BE(0)
    const code = bytes.readInt32BE(4)
    if (ENCRYPTION_REQUEST_CODES.has(code)) {
      this.socket.write('N')
      this.#resetBuffer(bytes.subarray(length))
      return this.#handleStartup(this.#joinChunks())
    }
    if (code !== PROTOCOL_VERSION_3) return void this.socket.destroy()
    this.#neededBytes = length
    if (bytes.length < length) return
    this.#hasStarted = true
    this.#scannedBytes = length
    this.#completeBytes = length
    this.#neededBytes = length + 5
  }
}
