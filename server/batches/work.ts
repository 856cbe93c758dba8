import type { Logger } from 'pino'
import type { Problem } from '#contract/problem.ts'
import type { Batches } from './batches.ts'
import { allowance, type Spent, spentOf } from './caps.ts'
import type { Kind, Outcome } from './kind.ts'
import { Pace, WAITS } from './pace.ts'
import type { BatchRecord } from './record.ts'
import type { Claimed, Ended, Rows } from './rows.ts'

export interface WorkParts {
  batches: Batches
  rows: Rows
  kind: (batch: BatchRecord) => Kind
  log: Logger
}

/** Milliseconds: how often rows of a dead server are asked after, how often a batch that others may change is read, and the pause after an error. */
const STRAYS = 1_000
const LOOK = 2_000
const ERROR = 1_000

/**
 * The work on one batch: a window that slides over its rows, as wide as the person and the platform allow. What came of
 * rows is written in groups: while one group is written the next one gathers. It resolves when nothing is under way and
 * the batch stands still.
 */
export class Work {
  readonly #id: string
  readonly #parts: WorkParts
  readonly #pace = new Pace()
  readonly #flying = new Map<number, string>()
  readonly #ended: Ended[] = []
  #batch: BatchRecord | null = null
  #spent: Spent = { sent: 0, ended: 0, tokens: 0, told: 0, largest: 0 }
  #strays = true
  #straysAt = 0
  #lookedAt = -Infinity
  #isWaiting = false
  #stopped = false
  #wake: () => void = () => undefined
  #isAwake = false
  readonly over: Promise<void>

  constructor(id: string, parts: WorkParts) {
    this.#id = id
    this.#parts = parts
    this.over = this.#run()
  }

  /** The batch was changed: it is read again at once. `afresh`: a person has it go on, whatever it waits for. */
  poke(afresh: boolean): void {
    this.#lookedAt = -Infinity
    if (afresh) this.#pace.release()
    this.#rouse()
  }

  /** No more rows go out; `over` resolves when those under way have ended. */
  stop(): void {
    this.#stopped = true
    this.#rouse()
  }

  async #run(): Promise<void> {
    for (;;) {
      this.#isAwake = false
      try {
        const next = await this.#turn()
        if (next === 'over') return
        await this.#sleep(next)
      } catch (err) {
        this.#parts.log.error({ err, batch: this.#id }, 'a batch cannot go on')
        this.#lookedAt = -Infinity
        if (this.#stopped && this.#flying.size === 0) return
        this.#isAwake = false
        await this.#sleep(ERROR)
      }
    }
  }

  /** @returns milliseconds until it has to look again by itself, null for an end or a word from outside. */
  async #turn(): Promise<number | null | 'over'> {
    await this.#exchange()
    await this.#write()
    if (this.#stopped) return this.#flying.size === 0 && this.#ended.length === 0 ? 'over' : null
    await this.#look()
    const batch = this.#batch
    if (!batch) return this.#flying.size === 0 ? 'over' : null
    if (this.#strays) await this.#settleStrays(batch)
    if (batch.state !== 'running' || !this.#parts.rows.isMine(batch))
      return this.#flying.size === 0 && !this.#strays ? 'over' : this.#again()
    const now = Date.now()
    const allowed = allowance(batch, this.#spent, this.#flying.size)
    const room = Math.min(this.#pace.room(now, this.#flying.size), allowed.rows)
    const claimed = room > 0 ? await this.#parts.rows.claim(this.#id, room) : []
    for (const row of claimed) this.#send(batch, row)
    if (claimed.length > 0) this.#pace.sent(now, claimed.length)
    if (this.#flying.size > 0 || this.#ended.length > 0) return this.#again()
    if (allowed.pause) await this.#halt(allowed.pause, null)
    else if (room > 0 && !this.#strays) await this.#parts.rows.finish(this.#id)
    else return this.#again()
    this.#lookedAt = -Infinity
    return 0
  }

  /** Where all that ended went through, it goes down and the next rows come up in one statement. */
  async #exchange(): Promise<void> {
    const [batch, ended, now] = [this.#batch, this.#ended.slice(), Date.now()]
    if (!batch || batch.state !== 'running' || !this.#parts.rows.isMine(batch)) return
    if (this.#stopped || this.#strays || this.#isWaiting || now - this.#lookedAt >= LOOK) return
    if (ended.length === 0 || ended.some(({ outcome }) => outcome.is !== 'done')) return
    const flying = this.#flying.size - ended.length
    const spent = ended.reduce((sum, { outcome }) => counted(sum, outcome), this.#spent)
    const room = Math.min(this.#pace.room(now, flying), allowance(batch, spent, flying).rows)
    if (room <= 0) return
    const claimed = await this.#parts.rows.exchange(this.#id, ended, room)
    this.#count(ended)
    for (const row of claimed) this.#send(batch, row)
    if (claimed.length > 0) this.#pace.sent(now, claimed.length)
  }

  /** What has ended since the last time goes down, and tells how fast to go on. */
  async #write(): Promise<void> {
    if (this.#ended.length === 0) return
    const ended = this.#ended.slice()
    await this.#parts.rows.end(this.#id, ended)
    this.#count(ended)
    const refused = ended.map(({ outcome }) => outcome).find(({ is }) => is === 'refused')
    if (refused?.is === 'refused') return this.#halt('refused', refused.problem)
    const later = ended.map(({ outcome }) => outcome).filter(({ is }) => is === 'again')
    if (later.length > 0) return this.#slowDown(later)
    if (!this.#isWaiting) return
    this.#isWaiting = false
    await this.#parts.rows.wait(this.#id, null, null)
  }

  /** Rows whose ends are written down. */
  #count(ended: readonly Ended[]): void {
    this.#ended.splice(0, ended.length)
    for (const { number, outcome } of ended) {
      this.#flying.delete(number)
      this.#spent = counted(this.#spent, outcome)
      if (outcome.is === 'done') this.#pace.through()
    }
  }

  async #slowDown(later: Outcome[]): Promise<void> {
    let until = 0
    let problem: Problem | null = null
    for (const outcome of later) {
      if (outcome.is !== 'again') continue
      until = this.#pace.refused(Date.now(), outcome.wait)
      problem = outcome.problem
    }
    if (this.#pace.waits > WAITS) return this.#halt('refused', problem)
    this.#isWaiting = true
    await this.#parts.rows.wait(this.#id, new Date(until), problem)
  }

  async #halt(pause: NonNullable<BatchRecord['pause']>, problem: Problem | null): Promise<void> {
    await this.#parts.rows.pause(this.#id, pause, problem)
    this.#lookedAt = -Infinity
  }

  async #look(): Promise<void> {
    if (Date.now() - this.#lookedAt < LOOK) return
    const isFirst = this.#batch === null
    this.#batch = await this.#parts.batches.record(this.#id, null)
    // Between two words from outside this server knows by itself what its rows come to.
    if (this.#batch && this.#lookedAt === -Infinity) {
      this.#parts.batches.sums.forget(this.#id)
      this.#spent = spentOf(await this.#parts.batches.sums.of([this.#batch]))
    }
    this.#lookedAt = Date.now()
    if (!this.#batch) return
    this.#pace.set(this.#batch.at_once, this.#batch.per_minute)
    if (isFirst && this.#batch.waits_until) {
      this.#isWaiting = true
      this.#pace.hold(this.#batch.waits_until.getTime())
    }
  }

  /** Rows that a dead server had under way: without a call nothing was sent, with one its run says what came of it. */
  async #settleStrays(batch: BatchRecord): Promise<void> {
    if (Date.now() - this.#straysAt < STRAYS) return
    this.#straysAt = Date.now()
    const strays = await this.#parts.rows.strays(this.#id, [...this.#flying.keys()])
    this.#strays = strays.length > 0
    const kind = this.#parts.kind(batch)
    const ended: Ended[] = []
    for (const { number, run_id, call } of strays) {
      const outcome = call && (await kind.found(call))
      if (outcome) ended.push({ number, run_id, outcome })
    }
    const unsent = strays.filter(({ call }) => !call).map(({ number }) => number)
    if (unsent.length > 0) await this.#parts.rows.takeBack(this.#id, unsent)
    if (ended.length > 0) await this.#parts.rows.end(this.#id, ended)
    if (ended.length + unsent.length === 0) return
    this.#lookedAt = -Infinity
    this.#straysAt = 0
    this.#isAwake = true
  }

  #send(batch: BatchRecord, { number, input, run_id, parent_id }: Claimed): void {
    this.#flying.set(number, run_id)
    this.#spent.sent++
    const end = (outcome: Outcome) => {
      this.#ended.push({ number, run_id, outcome })
      this.#rouse()
    }
    this.#parts
      .kind(batch)
      .carry({ batch, number, input, run_id, parent_id })
      .then(end, (err: unknown) => {
        this.#parts.log.error({ err, batch: this.#id, run: run_id }, 'a row failed')
        end(FAULT)
      })
  }

  #again(): number | null {
    const byPace = this.#pace.wait(Date.now(), this.#flying.size)
    const byStrays = this.#strays ? STRAYS : null
    const times = [byPace, byStrays, LOOK].filter((time) => time !== null)
    return Math.min(...times)
  }

  #rouse(): void {
    this.#isAwake = true
    this.#wake()
  }

  async #sleep(time: number | null): Promise<void> {
    if (this.#isAwake) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      if (time !== null) timer = setTimeout(resolve, time)
    })
    clearTimeout(timer)
    this.#wake = () => undefined
  }
}

/** What the rows have come to with one more that ended; one that goes out again was not sent. */
function counted(spent: Spent, outcome: Outcome): Spent {
  if (outcome.is !== 'done') return { ...spent, sent: spent.sent - 1 }
  const { tokens } = outcome
  return {
    sent: spent.sent,
    ended: spent.ended + 1,
    tokens: spent.tokens + (tokens ?? 0),
    told: spent.told + (tokens === null ? 0 : 1),
    largest: Math.max(spent.largest, tokens ?? 0),
  }
}

const FAULT: Outcome = {
  is: 'done',
  state: 'failed',
  problem: { kind: 'fault', message: 'The console failed on this row. Nothing was sent.' },
  result: null,
  duration_ms: null,
  tokens: null,
  price: null,
  currency: null,
}
