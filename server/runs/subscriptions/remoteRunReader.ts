import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import type { MessageBus } from '../../db/messageBus.ts'
import { Batcher } from '../../jobs/batcher.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { NewFrame } from '../streaming/frameWriter.ts'
import type { ServerLease } from '../reconciliation/serverLease.ts'
import { toRun } from '../toRun.ts'
import type { RunExecutor } from '../runExecutor.ts'

type RemoteFrame = Pick<NewFrame, 'seq' | 'at' | 'bytes' | 'block'>

export interface RunUpdate {
  frames: RemoteFrame[]
  /** True if no more frames are stored. */
  isComplete: boolean
  /** The server that reads the run has written no heartbeat for a while. The run may continue. */
  isServerSilent: boolean
  /** The row of the run, once it has ended and all frames were read. */
  end: Run | null
}

export interface RemoteRunSubscription {
  /**
   * The frames after a given frame. The first read returns immediately, possibly with nothing; once everything was
   * read it waits for more, or for its server to become silent or respond again. Null when the run does not exist, or
   * after `leave`.
   * @throws when the table cannot be read
   */
  readAfter: (seq: number) => Promise<RunUpdate | null>
  unsubscribe: () => void
}

interface PendingRead {
  seq: number
  /** Whether the read returns even without new frames. */
  isFirst: boolean
  /** The state returned by the last read. */
  isServerSilent: boolean
  /** `heard`: the number of notifications about the run that arrived before the read. */
  resolve: (news: RunUpdate | null, heard: number) => void
  reject: (error: unknown) => void
}

interface FollowedRun {
  notifications: number
  subscribers: number
  pendingReads: Set<PendingRead>
}

/** Milliseconds between two polls of all followed runs, with and without a working message bus. */
const POLL_INTERVAL_MS = { connected: 2_000, disconnected: 250 }
/** Before the first notification. */
const NO_NOTIFICATION = -1
/** Limits of one read: requests, frames of each run, and total bytes. */
const MAX_READS_PER_BATCH = 64
const MAX_FRAMES_PER_RUN = 1_000
const MAX_BYTES_PER_BATCH = 2 * 1024 * 1024

/**
 * Reads runs of other servers from the table while their server writes them. Notifications trigger a read; slow
 * polling covers lost ones. Requests that arrive during a read form the next group, so that a thousand streams cost
 * two queries instead of two thousand.
 */
export class RemoteRunReader {
  readonly #ledger: Pick<Ledger, 'readFramesAfter' | 'findSummary'>
  readonly #messageBus: MessageBus
  readonly #lease: Pick<ServerLease, 'silentAfterMs'> | null
  readonly #followedRuns = new Map<string, FollowedRun>()
  #readQueue: { id: string; question: PendingRead }[] = []
  readonly #batcher = new Batcher(
    () => this.#readQueue.length > 0,
    () => this.#readNextBatch(),
  )
  #timer: NodeJS.Timeout | undefined

  /** `lease` is null with a single server. */
  constructor(
    ledger: Pick<Ledger, 'readFramesAfter' | 'findSummary'>,
    messageBus: MessageBus,
    lease: Pick<ServerLease, 'silentAfterMs'> | null = null,
  ) {
    this.#ledger = ledger
    this.#lease = lease
    this.#messageBus = messageBus
    messageBus.subscribe('news', (ids) => this.#onUpdated(ids.length > 0 ? ids : [...this.#followedRuns.keys()]))
  }

  get size(): number {
    return this.#followedRuns.size
  }

  subscribe(id: string): RemoteRunSubscription {
    const followed = this.#followedRuns.get(id) ?? { notifications: 0, subscribers: 0, pendingReads: new Set() }
    this.#followedRuns.set(id, followed)
    followed.subscribers++
    if (followed.subscribers === 1) this.#messageBus.publish('watched', [id])
    this.#timer ??= setTimeout(this.#poll, this.#getPollIntervalMs()).unref()
    let seenNotifications = NO_NOTIFICATION
    let isUnsubscribed = false
    let isServerSilent = false
    let pendingRead: PendingRead | null = null
    return {
      readAfter: (seq) =>
        new Promise((resolve, fail) => {
          if (isUnsubscribed) return resolve(null)
          const answer: PendingRead['resolve'] = (news, upTo) => {
            seenNotifications = news?.isComplete ? upTo : NO_NOTIFICATION
            isServerSilent = news?.isServerSilent ?? false
            resolve(isUnsubscribed ? null : news)
          }
          const isFirst = seenNotifications === NO_NOTIFICATION
          pendingRead = { seq, isFirst, isServerSilent, resolve: answer, reject: fail }
          followed.pendingReads.add(pendingRead)
          if (seenNotifications < followed.notifications) this.#enqueueReads(id, followed)
        }),
      unsubscribe: () => {
        if (isUnsubscribed) return
        isUnsubscribed = true
        if (pendingRead && followed.pendingReads.delete(pendingRead)) pendingRead.resolve(null, 0)
        if (--followed.subscribers === 0) this.#followedRuns.delete(id)
        if (this.#followedRuns.size > 0) return
        clearTimeout(this.#timer)
        this.#timer = undefined
      },
    }
  }

  #getPollIntervalMs = (): number =>
    this.#messageBus.isConnected ? POLL_INTERVAL_MS.connected : POLL_INTERVAL_MS.disconnected

  #poll = (): void => {
    this.#messageBus.publish('watched', [...this.#followedRuns.keys()])
    this.#onUpdated([...this.#followedRuns.keys()])
    this.#timer = setTimeout(this.#poll, this.#getPollIntervalMs()).unref()
  }

  #onUpdated(ids: readonly string[]): void {
    for (const id of ids) {
      const followed = this.#followedRuns.get(id)
      if (!followed) continue
      followed.notifications++
      this.#enqueueReads(id, followed)
    }
  }

  #enqueueReads(id: string, { pendingReads }: FollowedRun): void {
    for (const question of pendingReads) this.#readQueue.push({ id, question })
    pendingReads.clear()
    this.#batcher.runSoon()
  }

  async #readNextBatch(): Promise<void> {
    // Requests of the same event-loop turn are read together.
    await Promise.resolve()
    const group = this.#readQueue.splice(0, MAX_READS_PER_BATCH)
    await this.#readBatch(group).catch((error: unknown) => {
      for (const { question } of group) question.reject(error)
    })
  }

  async #readBatch(batch: readonly { id: string; question: PendingRead }[]): Promise<void> {
    const notifications = batch.map(({ id }) => this.#followedRuns.get(id)?.notifications ?? 0)
    // Several subscribers may follow one run: one query reads it once, from the position of the slowest.
    const firstSeqs = new Map<string, number>()
    for (const { id, question } of batch) firstSeqs.set(id, Math.min(firstSeqs.get(id) ?? Infinity, question.seq))
    const { statuses, silent, frames } = await this.#ledger.readFramesAfter(
      [...firstSeqs].map(([id, seq]) => ({ id, seq })),
      MAX_FRAMES_PER_RUN,
      MAX_BYTES_PER_BATCH,
      this.#lease?.silentAfterMs ?? null,
    )
    const isTruncated = frames.reduce((sum, { bytes }) => sum + bytes, 0) >= MAX_BYTES_PER_BATCH
    const pages = Map.groupBy(frames, ({ id }) => id)
    for (const [index, { id, question }] of batch.entries()) {
      const upTo = notifications[index] ?? 0
      const page = pages.get(id) ?? []
      const newFrames = page.filter(({ seq }) => seq > question.seq)
      const isComplete = !isTruncated && page.length < MAX_FRAMES_PER_RUN
      const status = statuses.get(id)
      const hasEnded = status !== undefined && !isActiveStatus(status) && isComplete && newFrames.length === 0
      const isServerSilent = silent.has(id)
      const isChanged = newFrames.length > 0 || isServerSilent !== question.isServerSilent
      const row = hasEnded ? await this.#ledger.findSummary(id) : null
      if (status === undefined || (hasEnded && !row)) question.resolve(null, upTo)
      else if (isChanged || row || question.isFirst || !isComplete)
        question.resolve({ frames: newFrames, isComplete, isServerSilent, end: row && toRun(row) }, upTo)
      else this.#waitForUpdate(id, question, upTo)
    }
  }

  /** The notification brought no new frames: wait for the next one. */
  #waitForUpdate(id: string, question: PendingRead, upTo: number): void {
    const followed = this.#followedRuns.get(id)
    if (!followed) return question.resolve(null, upTo)
    followed.pendingReads.add(question)
    if (followed.notifications > upTo) this.#enqueueReads(id, followed)
  }
}

/** How long (ms) a run is broadcast after another server has reported a subscriber. */
const BROADCAST_TTL_MS = 10_000

/**
 * Notifies the other servers when a run that is watched there has more frames or has ended. Other runs are not
 * broadcast, so that a single server sends nothing.
 */
export function broadcastRunProgress(
  { liveRuns }: Pick<RunExecutor, 'liveRuns'>,
  messageBus: MessageBus,
  now = () => performance.now(),
): void {
  const broadcastUntil = new Map<string, number>()
  messageBus.subscribe('watched', (ids) => {
    for (const id of ids) {
      const run = liveRuns.get(id)
      if (!run) continue
      const isKnown = broadcastUntil.has(id)
      broadcastUntil.set(id, now() + BROADCAST_TTL_MS)
      if (isKnown) continue
      // Frames that were stored before this notification arrived.
      messageBus.publish('news', [id])
      let unsubscribe = () => undefined as void
      unsubscribe = run.subscribe((event) => {
        messageBus.publish('news', [id])
        if (!('end' in event) && now() < (broadcastUntil.get(id) ?? 0)) return
        broadcastUntil.delete(id)
        unsubscribe()
      })
    }
  })
}
