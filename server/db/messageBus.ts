import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { Batcher } from '../jobs/batcher.ts'

/**
 * Notifications between servers that share a database: a run is watched or has new frames, sessions have ended,
 * permissions, keys or batches have changed, and (for built-in platforms) a task has to stop.
 */
export type Topic = 'watched' | 'news' | 'left' | 'rights' | 'keys' | 'batch' | 'batch afresh' | 'stop'
/** Called with the message, or without one if messages may have been lost: listeners then re-read everything. */
export type TopicListener = (ids: readonly string[]) => void

/**
 * Messages between servers are hints: receivers re-read the tables, and poll them anyway. A message may be lost;
 * otherwise it reaches all servers, including the sender.
 */
export interface MessageBus {
  /** The id of this server. */
  readonly server_id: string
  /** Whether messages of other servers arrive. */
  readonly isConnected: boolean
  /** Does not block and never throws. Ids must not contain blanks. */
  publish: (topic: Topic, ids: readonly string[]) => void
  /** @returns a function that unsubscribes */
  subscribe: (topic: Topic, listener: TopicListener) => () => void
  close: () => Promise<void>
}

/** The embedded database has a single server, so there are no receivers. */
export const createNoMessageBus = (): MessageBus => ({
  server_id: randomUUID(),
  isConnected: false,
  publish: () => undefined,
  subscribe: () => () => undefined,
  close: () => Promise.resolve(),
})

const NOTIFY_CHANNEL = 'loupe'
/** Bytes of one notification; PostgreSQL's limit is 7,999. */
const MAX_PAYLOAD_BYTES = 7_900
/** Milliseconds: the interval of connection checks, the statement timeout, and the delay before reconnecting. */
const PROBE_INTERVAL_MS = 5_000
const QUERY_TIMEOUT_MS = 4_000
const RECONNECT_DELAY_MS = 500

/**
 * LISTEN and NOTIFY on a dedicated connection. Messages collect while others are being sent, each id once, so that a
 * busy server sends few notifications. A connection that no longer delivers the server's own messages is replaced.
 */
export class PostgresqlMessageBus implements MessageBus {
  readonly #url: string
  readonly server_id = randomUUID()
  readonly #listeners = new Map<Topic, Set<TopicListener>>()
  #pending = new Map<Topic, Set<string>>()
  #client: Client | null = null
  readonly #batcher = new Batcher(
    () => this.#pending.size > 0 && this.#client !== null,
    () => this.#publishPending(),
  )
  #isClosed = false
  #receivedOwnMessage = false
  #timer: NodeJS.Timeout | undefined

  constructor(url: string) {
    this.#url = url
  }

  get isConnected(): boolean {
    return this.#client !== null
  }

  /** Resolves after the first attempt; a failed connection is retried indefinitely. */
  async open(): Promise<this> {
    await this.#connect()
    return this
  }

  publish(topic: Topic, ids: readonly string[]): void {
    if (ids.length === 0 || !this.#client) return
    const waiting = this.#pending.get(topic) ?? new Set()
    for (const id of ids) if (id.length < MAX_PAYLOAD_BYTES - 100) waiting.add(id)
    this.#pending.set(topic, waiting)
    this.#batcher.runSoon()
  }

  subscribe(topic: Topic, listener: TopicListener): () => void {
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
      connectionTimeoutMillis: QUERY_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
    })
    client.on('error', () => this.#onConnectionLost(client))
    client.on('end', () => this.#onConnectionLost(client))
    client.on('notification', ({ payload }) => this.#onNotification(payload ?? ''))
    try {
      await client.connect()
      await client.query(`LISTEN ${NOTIFY_CHANNEL}`)
      if (this.#isClosed) return await client.end()
      this.#client = client
      this.#receivedOwnMessage = true
      this.#notifyGap()
      this.#timer = setTimeout(() => this.#probe(client), PROBE_INTERVAL_MS).unref()
    } catch {
      this.#onConnectionLost(client)
    }
  }

  /** A connection may be dead without an error, and a pooler may accept LISTEN and deliver nothing. */
  #probe(client: Client): void {
    if (client !== this.#client) return
    if (!this.#receivedOwnMessage) return this.#onConnectionLost(client)
    this.#receivedOwnMessage = false
    client
      .query('SELECT pg_notify($1, $2)', [NOTIFY_CHANNEL, this.server_id])
      .catch(() => this.#onConnectionLost(client))
    this.#timer = setTimeout(() => this.#probe(client), PROBE_INTERVAL_MS).unref()
  }

  #onConnectionLost(client: Client): void {
    const isAgain = this.#client === client || this.#client === null
    if (this.#client === client) this.#client = null
    client.removeAllListeners().on('error', () => undefined)
    void client.end().catch(() => undefined)
    if (this.#isClosed || !isAgain) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#connect(), RECONNECT_DELAY_MS).unref()
  }

  async #publishPending(): Promise<void> {
    const payloads = [...this.#pending].flatMap(([topic, ids]) => toPayloads(`${this.server_id}/${topic}/`, [...ids]))
    this.#pending = new Map()
    await this.#client
      ?.query('SELECT pg_notify($1, word) FROM unnest($2::text[]) AS word', [NOTIFY_CHANNEL, payloads])
      .catch(() => undefined)
  }

  #onNotification(payload: string): void {
    const [from, topic, ids = ''] = payload.split('/')
    if (from === this.server_id) this.#receivedOwnMessage = true
    if (topic !== undefined) this.#notifyListeners(topic as Topic, ids.split(' '))
  }

  #notifyGap(): void {
    for (const topic of this.#listeners.keys()) this.#notifyListeners(topic, [])
  }

  #notifyListeners(topic: Topic, ids: readonly string[]): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(ids)
  }
}

function toPayloads(prefix: string, ids: readonly string[]): string[] {
  const payloads: string[] = []
  let payload = prefix
  for (const id of ids) {
    if (payload.length > prefix.length && payload.length + 1 + id.length > MAX_PAYLOAD_BYTES) {
      payloads.push(payload)
      payload = prefix
    }
    payload += payload.length > prefix.length ? ` ${id}` : id
  }
  return [...payloads, payload]
}
