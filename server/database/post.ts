import { randomUUID } from 'node:crypto'
import { Client } from 'pg'

/**
 * What servers that share a database say to each other: that a run is watched, that it has news, that sessions have left,
 * that somebody's rights or some key has changed, that a batch has, and (of the built-in platforms) that a task is to stop.
 */
export type Topic = 'watched' | 'news' | 'left' | 'rights' | 'keys' | 'batch' | 'batch afresh' | 'stop'
/** Called with what was said; with nothing when words may have been missed, so that anything may have been. */
export type Listener = (ids: readonly string[]) => void

/**
 * Words between servers, which wake and never decide: what is true stands in the tables, and whoever listens looks there,
 * also without a word, only later. A word may be lost; else it comes to all servers, to the one that says it too.
 */
export interface Post {
  /** Whether the words of others arrive. */
  readonly isOpen: boolean
  /** Never waits and never fails. Ids hold no blanks. */
  say: (topic: Topic, ids: readonly string[]) => void
  /** @returns what ends it */
  hear: (topic: Topic, listener: Listener) => () => void
  close: () => Promise<void>
}

/** The embedded database has one server, and nobody else to speak to. */
export const silence: Post = {
  isOpen: false,
  say: () => undefined,
  hear: () => () => undefined,
  close: () => Promise.resolve(),
}

const CHANNEL = 'loupe'
/** Bytes of one notification; PostgreSQL takes 7,999. */
const LONGEST = 7_900
/** Milliseconds: how often the line is tried, how long a statement may take, and how long a lost line is left alone. */
const TRIED = 5_000
const PATIENCE = 4_000
const AGAIN = 500

/**
 * LISTEN and NOTIFY on one connection of its own. While some words are under way the next ones gather, each id once, so
 * that a busy server says much with little. A line that no longer carries the server's own word is made anew.
 */
export class PostgresqlPost implements Post {
  readonly #url: string
  readonly #from = randomUUID()
  readonly #listeners = new Map<Topic, Set<Listener>>()
  #waiting = new Map<Topic, Set<string>>()
  #client: Client | null = null
  #isSaying = false
  #isClosed = false
  /** Whether a word of one's own has come since the last try. */
  #isHeard = false
  #timer: NodeJS.Timeout | undefined

  constructor(url: string) {
    this.#url = url
  }

  get isOpen(): boolean {
    return this.#client !== null
  }

  /** Resolves after the first try; a line that could not be had is tried for on and on. */
  async open(): Promise<this> {
    await this.#connect()
    return this
  }

  say(topic: Topic, ids: readonly string[]): void {
    if (ids.length === 0 || !this.#client) return
    const waiting = this.#waiting.get(topic) ?? new Set()
    for (const id of ids) if (id.length < LONGEST - 100) waiting.add(id)
    this.#waiting.set(topic, waiting)
    if (!this.#isSaying) void this.#drain()
  }

  hear(topic: Topic, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => undefined)
  }

  async #connect(): Promise<void> {
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: PATIENCE,
      query_timeout: PATIENCE,
      keepAlive: true,
    })
    client.on('error', () => this.#lose(client))
    client.on('end', () => this.#lose(client))
    client.on('notification', ({ payload }) => this.#take(payload ?? ''))
    try {
      await client.connect()
      await client.query(`LISTEN ${CHANNEL}`)
      if (this.#isClosed) return await client.end()
      this.#client = client
      this.#isHeard = true
      this.#missed()
      this.#timer = setTimeout(() => this.#try(client), TRIED).unref()
    } catch {
      this.#lose(client)
    }
  }

  /** A line may be dead without saying so, and a pooler may take LISTEN and give nothing back. */
  #try(client: Client): void {
    if (client !== this.#client) return
    if (!this.#isHeard) return this.#lose(client)
    this.#isHeard = false
    client.query('SELECT pg_notify($1, $2)', [CHANNEL, this.#from]).catch(() => this.#lose(client))
    this.#timer = setTimeout(() => this.#try(client), TRIED).unref()
  }

  #lose(client: Client): void {
    const isAgain = this.#client === client || this.#client === null
    if (this.#client === client) this.#client = null
    client.removeAllListeners().on('error', () => undefined)
    void client.end().catch(() => undefined)
    if (this.#isClosed || !isAgain) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#connect(), AGAIN).unref()
  }

  async #drain(): Promise<void> {
    this.#isSaying = true
    while (this.#waiting.size > 0 && this.#client) {
      const words = [...this.#waiting].flatMap(([topic, ids]) => lettersOf(`${this.#from}/${topic}/`, [...ids]))
      this.#waiting = new Map()
      await this.#client
        .query('SELECT pg_notify($1, word) FROM unnest($2::text[]) AS word', [CHANNEL, words])
        .catch(() => undefined)
    }
    this.#isSaying = false
  }

  #take(payload: string): void {
    const [from, topic, ids = ''] = payload.split('/')
    if (from === this.#from) this.#isHeard = true
    if (topic !== undefined) this.#tell(topic as Topic, ids.split(' '))
  }

  #missed(): void {
    for (const topic of this.#listeners.keys()) this.#tell(topic, [])
  }

  #tell(topic: Topic, ids: readonly string[]): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(ids)
  }
}

/** As many notifications as the ids need. */
function lettersOf(head: string, ids: readonly string[]): string[] {
  const letters: string[] = []
  let letter = head
  for (const id of ids) {
    if (letter.length > head.length && letter.length + 1 + id.length > LONGEST) {
      letters.push(letter)
      letter = head
    }
    letter += letter.length > head.length ? ` ${id}` : id
  }
  return [...letters, letter]
}
