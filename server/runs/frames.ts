import type { Pool } from 'pg'
import type { Meters } from '../plugins/metrics.ts'
import { isAway } from '../database/away.ts'
import { cell, copyIn, NOTHING } from './copy.ts'

/**
 * A frame on its way into the table. `at` is milliseconds since the request went out; `raw` the bytes as they came, where
 * `block` cannot hold them (no UTF-8, or a NUL).
 */
export interface NewFrame {
  seq: number
  at: number
  bytes: number
  block: string
  raw?: Buffer
}
type FrameMeters = Pick<Meters, 'frameDelay' | 'commitFrames' | 'commitFailures'>
interface Waiting {
  call_id: string
  frames: NewFrame[]
  bytes: number
  since: number
  done: (error: Error | null) => void
}

/** Frames and bytes of one group; a single write may be larger. */
const GROUP_LIMIT = 1000
const GROUP_BYTES = 8 * 1024 * 1024
/**
 * With so many frames or bytes on their way nothing more is read until there is room again. What waits in the network
 * costs nothing, and comes in larger pieces: a server that has too much to do has less of it then.
 */
const CROWD = { frames: 1_000, bytes: 32 * 1024 * 1024 }
/**
 * A commit costs about as much as reading a few frames. While more frames a millisecond come than `MANY`, and `BURST` more
 * than that, a group waits for `BEAT` milliseconds since the one before began, and if it has fewer than `ENOUGH` writes by then for
 * those, at most for `PATIENCE`.
 */
const MANY = 1.2
const BURST = 60
const ENOUGH = 40
const BEAT = 8
const PATIENCE = 25

/** Milliseconds for which a database that is away is waited for, and between two tries at first and at last. */
const AWAY = 30_000
const SOON = 50
const LATER = 1_000
/** PostgreSQL's words for rows that are there already, and for rows that somebody else has in hand: the same, on a line given up. */
const TAKEN = '23505'
const IN_HAND = '55P03'

/**
 * Group commit: while one group is being written the next one gathers. A server with few frames commits at once, one with
 * many in large groups. What `write` has answered is in the table. After a failure all that waits for the
 * same run fails with it, so that no run has a hole.
 */
export class FrameWriter {
  readonly #pool: Pool
  readonly #meters: FrameMeters | undefined
  readonly #away: number
  #waiting: Waiting[] = []
  #writing = false
  /** Frames and bytes on their way. */
  readonly #load = { frames: 0, bytes: 0 }
  /** Those who read on when there is room, in the order in which they came. */
  #readers: (() => void)[] = []
  /** Frames that came above `MANY` of late, and when that was reckoned. */
  #excess = 0
  #reckoned = 0
  /** Something more waits. */
  #onWrite: () => void = () => undefined

  constructor(pool: Pool, meters?: FrameMeters, away = AWAY) {
    this.#pool = pool
    this.#meters = meters
    this.#away = away
  }

  /** Frames that are not in the table yet. */
  get waiting(): number {
    return this.#load.frames
  }

  /** Null while more may be read; else what resolves when it is one's turn to read on. */
  room(): Promise<void> | null {
    const isCrowded = this.#load.frames > CROWD.frames || this.#load.bytes > CROWD.bytes
    return isCrowded || this.#readers.length > 0 ? new Promise((resolve) => this.#readers.push(resolve)) : null
  }

  write(call_id: string, frames: NewFrame[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const bytes = frames.reduce((sum, frame) => sum + frame.bytes, 0)
      this.#load.frames += frames.length
      this.#load.bytes += bytes
      this.#waiting.push({
        call_id,
        frames,
        bytes,
        since: performance.now(),
        done: (error) => (error ? reject(error) : resolve()),
      })
      if (!this.#writing) void this.#drain()
      else this.#onWrite()
    })
  }

  async #drain(): Promise<void> {
    this.#writing = true
    while (this.#waiting.length > 0) {
      const began = performance.now()
      const group = this.#next()
      const error = await this.#keep(group).catch((reason: Error) => reason)
      this.#measure(group, error)
      const failed = error ? this.#following(group) : []
      this.#settle([...group, ...failed], error ?? null)
      if (this.#isBusy(group)) await this.#gather(began)
    }
    this.#writing = false
  }

  #settle(settled: Waiting[], error: Error | null): void {
    for (const { frames, bytes, done } of settled) {
      this.#load.frames -= frames.length
      this.#load.bytes -= bytes
      done(error)
    }
    // Who may read on may have nothing to read for long. So when nothing is on its way, after which it would be looked at again,
    // all may.
    const isFull = this.#load.bytes > CROWD.bytes
    const room = this.#load.frames === 0 ? Infinity : isFull ? 0 : CROWD.frames - this.#load.frames
    for (const read of this.#readers.splice(0, Math.max(0, room))) read()
  }

  async #gather(began: number): Promise<void> {
    await this.#pause(began + BEAT - performance.now())
    if (this.#waiting.length < ENOUGH) await this.#pause(began + PATIENCE - performance.now(), ENOUGH)
  }

  /** At most so many milliseconds, and not for long once so many writes are there. */
  #pause(time: number, enough = Infinity): Promise<void> {
    if (time <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, time)
      this.#onWrite = () => {
        if (this.#waiting.length < enough) return
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #isBusy(group: Waiting[]): boolean {
    const now = performance.now()
    const came = group.reduce((sum, { frames }) => sum + frames.length, 0)
    this.#excess = Math.min(2 * BURST, Math.max(0, this.#excess + came - MANY * (now - this.#reckoned)))
    this.#reckoned = now
    return this.#excess > BURST
  }

  #measure(group: Waiting[], error: Error | undefined): void {
    if (!this.#meters) return
    if (error) return this.#meters.commitFailures.inc()
    const now = performance.now()
    for (const { since } of group) this.#meters.frameDelay.observe((now - since) / 1000)
    this.#meters.commitFrames.observe(group.reduce((sum, { frames }) => sum + frames.length, 0))
  }

  #next(): Waiting[] {
    let size = 0
    let bytes = 0
    let count = 0
    while (count < this.#waiting.length && size < GROUP_LIMIT && bytes < GROUP_BYTES) {
      size += this.#waiting[count]?.frames.length ?? 0
      bytes += this.#waiting[count]?.bytes ?? 0
      count++
    }
    const group = this.#waiting.slice(0, count)
    this.#waiting = this.#waiting.slice(count)
    return group
  }

  /** Takes out what waits for the runs of a group. */
  #following(group: Waiting[]): Waiting[] {
    const ids = new Set(group.map(({ call_id }) => call_id))
    const following = this.#waiting.filter(({ call_id }) => ids.has(call_id))
    this.#waiting = this.#waiting.filter(({ call_id }) => !ids.has(call_id))
    return following
  }

  /** A database that is away is waited for: a run's frames stand in memory meanwhile, and past a bound it is not read on. */
  async #keep(group: Waiting[]): Promise<undefined> {
    const until = performance.now() + this.#away
    for (let pause = SOON; ; pause = Math.min(2 * pause, LATER)) {
      try {
        await copyIn(this.#pool, 'frames(call_id, seq, at, bytes, block, raw)', group.map(rowsOf).join(''))
        return undefined
      } catch (error) {
        // They were in the table already, and only the word of it was lost with the connection.
        const { code } = error as { code?: string }
        if (pause > SOON && code === TAKEN) return undefined
        if (!(isAway(error) || code === IN_HAND) || performance.now() > until) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

function rowsOf({ call_id, frames }: Waiting): string {
  let rows = ''
  for (const { seq, at, bytes, block, raw } of frames)
    rows += `${call_id}\t${seq}\t${at}\t${bytes}\t${cell(block)}\t${raw ? `\\\\x${raw.toString('hex')}` : NOTHING}\n`
  return rows
}
