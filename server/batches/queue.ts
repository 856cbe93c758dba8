import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'
import type { Post } from '../database/post.ts'
import { HEARTBEAT, LEASE } from '../runs/service.ts'
import type { Batches } from './batches.ts'
import type { Kind } from './kind.ts'
import type { BatchRecord } from './record.ts'
import { type Ended, Rows } from './rows.ts'
import { Work } from './work.ts'

/**
 * Which batches this server works on. It begins with those that the last one left under way. Those of a server that has died
 * are looked for as often as it would have said that it lives; on the embedded database there is one server at a time.
 */
export class Queue {
  readonly #works = new Map<string, Work>()
  readonly #rows: Rows
  readonly #batches: Batches
  readonly #kinds: Record<BatchRecord['kind'], Kind>
  readonly #log: Logger
  readonly #isShared: boolean
  readonly #post: Post
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(parts: {
    server_id: string
    database: Database
    batches: Batches
    kinds: Record<BatchRecord['kind'], Kind>
    log: Logger
  }) {
    this.#rows = new Rows(parts.database, parts.server_id)
    this.#batches = parts.batches
    this.#kinds = parts.kinds
    this.#log = parts.log
    this.#isShared = parts.database.kind === 'postgresql'
    this.#post = parts.database.post
    this.#post.hear('batch', (ids) => this.#heard(ids, false))
    this.#post.hear('batch afresh', (ids) => this.#heard(ids, true))
  }

  async start(): Promise<void> {
    await this.take()
    if (!this.#isShared) return
    this.#timer = setInterval(() => {
      void this.take().catch((err: unknown) => this.#log.error({ err }, 'batches not taken'))
    }, HEARTBEAT)
  }

  /** Begins the work on every batch that is this server's to do. */
  async take(): Promise<void> {
    if (this.#stopped) return
    const ids = await this.#rows.take(this.#isShared ? LEASE : 0)
    for (const id of ids) if (!this.#works.has(id)) this.#begin(id)
  }

  /** A batch was changed; `afresh` where a person has it go on. */
  async changed(id: string, afresh = false): Promise<void> {
    this.#heard([id], afresh)
    this.#post.say(afresh ? 'batch afresh' : 'batch', [id])
    await this.take()
  }

  /** Batches were paused: servers that work on them read them again. */
  paused(ids: readonly string[]): void {
    if (ids.length === 0) return
    this.#heard(ids, false)
    this.#post.say('batch', ids)
  }

  #heard(ids: readonly string[], afresh: boolean): void {
    for (const id of ids) {
      this.#batches.sums.forget(id)
      this.#works.get(id)?.poke(afresh)
    }
  }

  /** Takes over what runs said after their rows had been given up as unknown. @returns whether any did. */
  async recheck(batch: BatchRecord): Promise<boolean> {
    const ended: Ended[] = []
    for (const { number, run_id, call } of await this.#rows.told(batch.id)) {
      const outcome = call && (await this.kindOf(batch).found(call))
      if (outcome?.is === 'done') ended.push({ number, run_id, outcome })
    }
    if (ended.length > 0) await this.#rows.end(batch.id, ended, 'unknown')
    this.#batches.sums.forget(batch.id)
    return ended.length > 0
  }

  /** Batches that this server works on. */
  get size(): number {
    return this.#works.size
  }

  kindOf = ({ kind }: BatchRecord): Kind => this.#kinds[kind]

  /** No more rows go out. */
  stop(): void {
    this.#stopped = true
    clearInterval(this.#timer)
    for (const work of this.#works.values()) work.stop()
  }

  /** Resolves when what came of the rows under way is written. */
  async settled(): Promise<void> {
    await Promise.all([...this.#works.values()].map(({ over }) => over))
  }

  #begin(id: string): void {
    const work = new Work(id, {
      batches: this.#batches,
      rows: this.#rows,
      kind: this.kindOf,
      log: this.#log,
    })
    this.#works.set(id, work)
    void work.over
      .then(() => this.#rows.leave(id))
      .catch((err: unknown) => this.#log.error({ err, batch: id }, 'batch not left'))
      .then(() => {
        this.#works.delete(id)
        // It may have been started again while it came to rest.
        return this.take()
      })
      .catch((err: unknown) => this.#log.error({ err, batch: id }, 'batches not taken'))
  }
}
