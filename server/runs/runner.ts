import type { Logger } from 'pino'
import type { Run } from '#contract/runs.ts'
import type { Events } from '#contract/endpoint.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { CallEnd } from '../ledger/call.ts'
import type { Drifts } from '../drift/drifts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Things } from '../ledger/things.ts'
import type { KeyHealth } from '../relay/health.ts'
import { type Answer, LIMITS, mayBeDone, noJson, parsed, readText, refusal, type Upstream } from '../relay/upstream.ts'
import type { Credential } from '../vault/vault.ts'
import type { FrameWriter } from './frames.ts'
import { LiveRun } from './live.ts'
import { namedBy } from './named.ts'
import { callOf, hashOf, whereOf } from './ordered.ts'
import { type FoldState, type GeneratingEntry, type Ids, isWhole, verdict } from './outcome.ts'
import { Reading } from './reading.ts'
import { runOf } from './row.ts'
import type { Settler } from './settler.ts'

/** One generating call, checked and ready to go out. */
export interface RunOrder {
  run_id: string
  entry: GeneratingEntry
  path: string
  events: Events<FoldState>
  body: Record<string, unknown>
  person_id: string | null
  parent_id: string | null
  /** The row of a batch that it is made for. */
  row?: { batch_id: string; number: number }
  credential: Credential
}

/** Milliseconds before each try to write the end of a run, and how long a stopping server waits for ends to be written. */
const END_PAUSES = [0, 200, 1_000, 3_000]
const WRITING = 2_000
/** Milliseconds between the tries that follow when all those have failed, until it is written or the server stops. */
const LATER = 5_000

/** Reads each run from the platform to its end, whatever browsers do, and writes it down as it comes. */
export class Runner {
  readonly #live = new Map<string, LiveRun>()
  readonly #starting = new Map<string, Promise<LiveRun | null>>()
  readonly #server_id: string
  readonly #space: { lock: string | null }
  readonly #ledger: Ledger
  readonly #things: Things
  readonly #writer: FrameWriter
  readonly #upstream: Upstream
  readonly #settler: Settler
  readonly #health: KeyHealth
  readonly #drifts: Drifts
  readonly #log: Logger
  #closing = false

  constructor(parts: {
    server_id: string
    /** Says why nothing new is taken in, while the disk is full. */
    space: { lock: string | null }
    ledger: Ledger
    things: Things
    writer: FrameWriter
    upstream: Upstream
    settler: Settler
    health: KeyHealth
    drifts: Drifts
    log: Logger
  }) {
    this.#server_id = parts.server_id
    this.#space = parts.space
    this.#ledger = parts.ledger
    this.#things = parts.things
    this.#writer = parts.writer
    this.#upstream = parts.upstream
    this.#settler = parts.settler
    this.#health = parts.health
    this.#drifts = parts.drifts
    this.#log = parts.log
  }

  get live(): ReadonlyMap<string, LiveRun> {
    return this.#live
  }

  /**
   * Writes the row, then calls the platform once. The same id again joins the run that exists.
   * @returns the live run, or null when the run of that id has ended or lives on another server, or its row was given away.
   * @throws ProblemError 422 when the id belongs to another request, 503 while the server stops.
   */
  async start(order: RunOrder): Promise<LiveRun | null> {
    const already = this.#starting.get(order.run_id)
    const hash = hashOf(order)
    if (already) return this.#joined(order.run_id, hash, await already)
    const starting = this.#begin(order, hash)
    this.#starting.set(order.run_id, starting)
    try {
      const run = await starting
      return run ?? (await this.#joined(order.run_id, hash, null))
    } finally {
      this.#starting.delete(order.run_id)
    }
  }

  async #begin(order: RunOrder, hash: string): Promise<LiveRun | null> {
    const known = this.#live.get(order.run_id)
    if (known) return this.#joined(order.run_id, hash, known)
    if (this.#closing)
      throw new ProblemError({ kind: 'fault', status: 503, message: 'The server is stopping. Nothing was sent.' })
    if (this.#space.lock) throw new ProblemError({ kind: 'denied', status: 507, message: this.#space.lock })
    const began = await this.#ledger.begin(callOf(order, hash, this.#server_id))
    if (!began) return null
    const run = new LiveRun(order.run_id, order.credential.workspace_id, order.events.initial)
    this.#live.set(run.id, run)
    void this.#carry(run, order)
    return run
  }

  async #joined(run_id: string, hash: string, run: LiveRun | null): Promise<LiveRun | null> {
    const row = await this.#ledger.brief(run_id)
    if (row && row.request_hash !== hash)
      throw new ProblemError({
        kind: 'invalid',
        status: 422,
        message: 'This Run-Id belongs to another request. Nothing was sent.',
        fields: [{ path: 'headers.run-id', message: 'must be a new id' }],
      })
    return run
  }

  async #carry(run: LiveRun, order: RunOrder): Promise<void> {
    const reading = new Reading(order, run, this.#writer, (event) => this.#drifts.event(whereOf(order), event))
    let end: CallEnd
    try {
      end = await this.#converse(run, order, reading)
    } catch (error) {
      if (!(error instanceof ProblemError)) this.#log.error({ err: error, run: run.id }, 'run failed')
      const said: Problem =
        error instanceof ProblemError ? error.problem : { kind: 'fault', message: 'The console failed on this run.' }
      this.#drifts.problem(whereOf(order), said)
      const problem = this.#closing && said.kind === 'cut' ? STOPPED : said
      end = reading.end(statusAfter(problem, order), problem)
    }
    if (end.problem) run.open({ problem: end.problem })
    if (order.entry === 'workflows.run') end = await this.#completed(end, order)
    await this.#settle(run, order, end)
  }

  async #converse(run: LiveRun, order: RunOrder, reading: Reading): Promise<CallEnd> {
    const streams = order.body.response_mode === 'streaming'
    const answer = await this.#upstream.send(
      order.credential,
      {
        method: 'POST',
        path: order.path,
        body: JSON.stringify(order.body),
        contentType: 'application/json',
        accept: streams ? 'text/event-stream' : 'application/json',
        patience: streams ? LIMITS.stream : LIMITS.blocking,
        person_id: order.person_id,
      },
      run.id,
    )
    if (answer.status < 200 || answer.status >= 300) {
      const problem = await refusal(answer)
      this.#health.refused(order.credential, problem)
      this.#drifts.problem(whereOf(order), problem)
      return { ...reading.end(statusAfter(problem, order), problem), http_status: answer.status }
    }
    this.#health.works(order.credential, answer.latency_ms)
    if (!/^\s*text\/event-stream\b/i.test(answer.contentType)) return this.#whole(run, order, answer, reading)
    run.open({ stream: true })
    const problem = await reading.read(answer, (ids) => this.#identify(run, order, ids))
    if (reading.hasRedacted) answer.redactor.report()
    if (reading.broken) this.#log.error({ err: reading.broken, run: run.id }, 'frames not written')
    return { ...this.#ending(run, reading, problem), http_status: answer.status }
  }

  /** A line that breaks after the last word breaks nothing; frames that are not kept do. */
  #ending(run: LiveRun, reading: Reading, problem: Problem | null): CallEnd {
    if (!problem || (run.state.ended && problem.kind !== 'fault')) return reading.end(verdict(run.state), null)
    return reading.end('interrupted', this.#closing && problem.kind === 'cut' ? STOPPED : problem)
  }

  /** A blocking reply, or a platform that answers a stream's request with one. */
  async #whole(run: LiveRun, order: RunOrder, answer: Answer, reading: Reading): Promise<CallEnd> {
    const text = await readText(answer)
    const streams = order.body.response_mode === 'streaming'
    const reply = parsed(text)
    if (typeof reply !== 'object' || reply === null)
      throw new ProblemError(noJson(answer, text, streams ? 'a stream' : 'a JSON object'))
    this.#drifts.reply(whereOf(order), answer.status, reply)
    run.state = reading.take(reply, Buffer.byteLength(text))
    run.open({ text })
    if (isWhole(run.state)) return { ...reading.end(verdict(run.state), null), http_status: answer.status, reply }
    const upstream = { status: answer.status, body: text.slice(0, 4096) }
    const problem: Problem = { kind: 'mismatch', message: 'The platform’s reply holds no answer.', upstream }
    return { ...reading.end('failed', problem), http_status: answer.status, reply }
  }

  /** The end of a workflow is the platform's to say, where its stream did not. */
  #completed(end: CallEnd, order: RunOrder): Promise<CallEnd> {
    return this.#settler.complete(end, order).catch((err: unknown) => {
      this.#log.error({ err, run: order.run_id }, 'the platform was not asked for the end of a run')
      return end
    })
  }

  #identify(run: LiveRun, order: RunOrder, ids: Ids): void {
    void this.#ledger
      .identify(run.id, ids)
      .catch((error: unknown) => this.#log.error({ err: error }, 'ids not written'))
    this.#things.see(run.workspace_id, namedBy(run.state, order))
  }

  async #settle(run: LiveRun, order: RunOrder, end: CallEnd): Promise<void> {
    try {
      this.#things.see(run.workspace_id, namedBy(run.state, order))
      run.finish(await this.#writeEnd(run.id, end))
    } catch (error) {
      this.#log.error({ err: error, run: run.id }, 'the end of a run is not written')
      run.open({ problem: { kind: 'fault', message: 'The console could not write the end of this run.' } })
      run.finish(null)
      this.#writeLater(run.id, bare(end))
    } finally {
      this.#live.delete(run.id)
    }
  }

  /**
   * What a run came to is not given up at the first failure. The last two tries leave out what may be too much for the
   * database: its frames hold it all.
   */
  async #writeEnd(run_id: string, end: CallEnd): Promise<Run | null> {
    for (const [attempt, pause] of END_PAUSES.entries()) {
      await new Promise((resolve) => setTimeout(resolve, pause))
      try {
        const row = await this.#ledger.end(run_id, attempt < END_PAUSES.length / 2 ? end : bare(end))
        return row && runOf(row)
      } catch (err) {
        this.#log.warn({ err, run: run_id, attempt }, 'the end of a run was not taken')
      }
    }
    throw new Error(`not written in ${END_PAUSES.length} attempts`)
  }

  /** The database may be away for an hour: until it takes the end, its row says that the run goes on. */
  #writeLater(run_id: string, end: CallEnd): void {
    if (this.#closing) return
    setTimeout(() => {
      this.#ledger
        .end(run_id, end, { unlessEnded: true })
        .then(() => this.#log.warn({ run: run_id }, 'the end of a run was written late'))
        .catch(() => this.#writeLater(run_id, end))
    }, LATER).unref()
  }

  /** Refuses new runs and waits for those under way, at most `patience` milliseconds; the rest end as interrupted. */
  async close(patience: number): Promise<void> {
    this.#closing = true
    this.#settler.close()
    await Promise.race([this.#settled(), delay(patience)])
    await this.#upstream.close()
    await Promise.race([this.#settled(), delay(WRITING)])
  }

  /** Resolves when nothing is under way: no run, and no row of a run that is about to be. */
  async #settled(): Promise<void> {
    while (this.#starting.size + this.#live.size > 0) {
      await Promise.allSettled([...this.#starting.values()])
      await Promise.all([...this.#live.values()].map((run) => run.ended))
    }
  }
}

const delay = (time: number) => new Promise((resolve) => setTimeout(resolve, time).unref())

const STOPPED: Problem = { kind: 'cut', message: 'The console’s server stopped during this run.' }

const bare = (end: CallEnd): CallEnd => ({
  ...end,
  answer: null,
  reply: null,
  problem: { kind: 'fault', message: 'The console could not write what this run came to. Its frames are kept.' },
})

function statusAfter(problem: Problem, order: RunOrder): CallEnd['status'] {
  if (!mayBeDone(problem)) return 'failed'
  return order.body.response_mode === 'blocking' ? 'unknown' : 'interrupted'
}
