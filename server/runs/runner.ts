import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { nameAnswer } from '#contract/chat.ts'
import type { Events, Named } from '#contract/endpoint.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { CallEnd, Ledger, NewCall } from '../ledger/ledger.ts'
import type { Things } from '../ledger/things.ts'
import { type Answer, LIMITS, parsed, readText, refusal, type Upstream } from '../relay/upstream.ts'
import type { Credential } from '../vault/vault.ts'
import type { FrameWriter } from './frames.ts'
import { LiveRun } from './live.ts'
import { type FoldState, type GeneratingEntry, type Ids, idsOf, isAnswer, verdict } from './outcome.ts'
import { Reading } from './reading.ts'
import { runOf } from './row.ts'

/** One generating call, checked and ready to go out. */
export interface RunOrder {
  run_id: string
  entry: GeneratingEntry
  path: string
  events: Events<FoldState>
  body: Record<string, unknown>
  person_id: string | null
  parent_id: string | null
  credential: Credential
}

/** Reads each run from the platform to its end, whatever browsers do, and writes it down as it comes. */
export class Runner {
  readonly #live = new Map<string, LiveRun>()
  readonly #starting = new Map<string, Promise<LiveRun | null>>()
  readonly #server_id: string
  readonly #ledger: Ledger
  readonly #things: Things
  readonly #writer: FrameWriter
  readonly #upstream: Upstream
  readonly #log: Logger
  #closing = false

  constructor(parts: {
    server_id: string
    ledger: Ledger
    things: Things
    writer: FrameWriter
    upstream: Upstream
    log: Logger
  }) {
    this.#server_id = parts.server_id
    this.#ledger = parts.ledger
    this.#things = parts.things
    this.#writer = parts.writer
    this.#upstream = parts.upstream
    this.#log = parts.log
  }

  get live(): ReadonlyMap<string, LiveRun> {
    return this.#live
  }

  /**
   * Writes the row, then calls the platform once. The same id again joins the run that exists.
   * @returns the live run, or null when the run of that id has ended or lives on another server.
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
    const began = await this.#ledger.begin(callOf(order, hash, this.#server_id))
    if (!began) return null
    const run = new LiveRun(order.run_id, order.credential.workspace_id, order.events.initial)
    this.#live.set(run.id, run)
    void this.#carry(run, order)
    return run
  }

  async #joined(run_id: string, hash: string, run: LiveRun | null): Promise<LiveRun | null> {
    const row = await this.#ledger.read(run_id)
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
    const reading = new Reading(order, run, this.#writer)
    let end: CallEnd
    try {
      end = await this.#converse(run, order, reading)
    } catch (error) {
      if (!(error instanceof ProblemError)) this.#log.error({ err: error, run: run.id }, 'run failed')
      const problem: Problem =
        error instanceof ProblemError ? error.problem : { kind: 'fault', message: 'The console failed on this run.' }
      end = reading.end(statusAfter(problem, order), problem)
    }
    if (end.problem) run.open({ problem: end.problem })
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
      },
      run.id,
    )
    const { secret } = order.credential
    if (answer.status < 200 || answer.status >= 300) {
      const problem = await refusal(answer, secret)
      return { ...reading.end(statusAfter(problem, order), problem), http_status: answer.status }
    }
    if (!answer.contentType.startsWith('text/event-stream')) return this.#whole(run, answer, reading, secret, streams)
    run.open({ stream: true })
    void this.#ledger.streaming(run.id).catch((err: unknown) => this.#log.error({ err }, 'state not written'))
    const problem = await reading.read(answer, (ids) => this.#identify(run, order, ids))
    return { ...reading.end(problem ? 'interrupted' : verdict(run.state), problem), http_status: answer.status }
  }

  /** A blocking reply, or a platform that answers a stream's request with one. */
  async #whole(run: LiveRun, answer: Answer, reading: Reading, secret: string, streams: boolean): Promise<CallEnd> {
    const text = await readText(answer, secret)
    const reply = parsed(text)
    if (typeof reply !== 'object' || reply === null)
      throw new ProblemError({
        kind: 'mismatch',
        message: `The platform answered with ${answer.contentType || 'no content type'} where ${streams ? 'a stream' : 'JSON'} was asked for.`,
        upstream: { status: answer.status, body: text.slice(0, 4096) },
      })
    run.state = reading.take(reply, Buffer.byteLength(text))
    run.open({ reply })
    return { ...reading.end(verdict(run.state), null), http_status: answer.status, reply }
  }

  #identify(run: LiveRun, order: RunOrder, ids: Ids): void {
    void this.#ledger
      .identify(run.id, ids)
      .catch((error: unknown) => this.#log.error({ err: error }, 'ids not written'))
    this.#things.see(run.workspace_id, namedBy(run.state, order))
  }

  async #settle(run: LiveRun, order: RunOrder, end: CallEnd): Promise<void> {
    try {
      await this.#ledger.end(run.id, end)
      this.#things.see(run.workspace_id, namedBy(run.state, order))
      const row = await this.#ledger.read(run.id)
      if (row) run.finish(runOf(row))
    } catch (error) {
      this.#log.error({ err: error, run: run.id }, 'the end of a run is not written')
      run.open({ problem: { kind: 'fault', message: 'The console could not write the end of this run.' } })
    } finally {
      this.#live.delete(run.id)
    }
  }

  /** Refuses new runs and waits for those under way, at most `patience` milliseconds; the rest end as interrupted. */
  async close(patience: number): Promise<void> {
    this.#closing = true
    const all = Promise.all([...this.#live.values()].map((run) => run.ended))
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, patience).unref())])
    await this.#upstream.close()
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 2_000).unref())])
  }
}

/** A blocking call that was cut or came too late may have been done and charged: nobody can say that it failed. */
function statusAfter(problem: Problem, order: RunOrder): CallEnd['status'] {
  const gateway = [502, 504, 524].includes(problem.upstream?.status ?? 0)
  const cut = problem.kind === 'cut' || problem.kind === 'late' || gateway
  if (cut) return order.body.response_mode === 'blocking' ? 'unknown' : 'interrupted'
  return 'failed'
}

const hashOf = (order: RunOrder): string =>
  createHash('sha256')
    .update(JSON.stringify([order.credential.key_id, order.entry, order.body]))
    .digest('base64')

function callOf(order: RunOrder, hash: string, server_id: string): NewCall {
  const { query, inputs, user, response_mode } = order.body
  const title = typeof query === 'string' ? query : JSON.stringify(inputs ?? {})
  return {
    id: order.run_id,
    entry: order.entry,
    status: 'dispatched',
    person_id: order.person_id,
    workspace_id: order.credential.workspace_id,
    key_id: order.credential.key_id,
    params: null,
    request: order.body,
    request_hash: hash,
    response_mode: String(response_mode),
    title: title.replaceAll('\0', '\uFFFD').slice(0, 200),
    end_user: typeof user === 'string' ? user : null,
    parent_id: order.parent_id,
    server_id,
  }
}

/** What a run has named: its conversation (under its app, called by its first question until it has a name), message, sources. */
function namedBy(state: FoldState, order: RunOrder): Named[] {
  const ids = idsOf(state)
  const run: Named[] = ids.workflow_run_id
    ? [{ kind: 'workflow_run', id: ids.workflow_run_id, parent: order.run_id }]
    : []
  if (!isAnswer(state))
    return [...run, ...(ids.task_id ? [{ kind: 'task' as const, id: ids.task_id, parent: order.run_id }] : [])]
  const fresh = !order.body.conversation_id
  return [
    ...run,
    ...nameAnswer({ ...ids, metadata: { retriever_resources: state.sources } }).map((named) =>
      named.kind === 'conversation'
        ? {
            ...named,
            parent: order.credential.key_id,
            ...(fresh ? { label: String(order.body.query).slice(0, 80) } : {}),
          }
        : named,
    ),
  ]
}
