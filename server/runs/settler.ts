import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { emptyRun, type RunState } from '#contract/run.ts'
import type { Reach } from '../access/reach.ts'
import type { Drifts } from '../drift/drifts.ts'
import type { CallEnd, CallRow } from '../ledger/call.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Upstream } from '../relay/upstream.ts'
import type { Credential, Vault } from '../vault/vault.ts'
import { askRun, type Settled, settledBy } from './asking.ts'
import { idsOf, namesOf, usageOf } from './outcome.ts'
import { titleOf } from './title.ts'

/** Milliseconds: how long an end waits for operation 12, and when a run that still went on then is asked for again. */
const PATIENCE = 3_000
const AGAIN = [2_000, 10_000, 60_000, 300_000]

interface Parts {
  ledger: Ledger
  vault: Vault
  upstream: Upstream
  drifts: Drifts
  log: Logger
  server_id: string
}

/** Asks operation 12 about workflow runs that have not said their end, and writes what it says, marked as that. */
export class Settler {
  readonly #parts: Parts
  readonly #waiting = new Set<NodeJS.Timeout>()
  #closing = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The end of a stream that broke off, as the platform tells it; as it was where it does not. */
  async complete(end: CallEnd, { credential, run_id }: { credential: Credential; run_id: string }): Promise<CallEnd> {
    const state = end.answer as RunState
    if (end.status !== 'interrupted' || this.#closing || state.paused || state.workflow_run_id === null) return end
    const question = { credential, workflow_run_id: state.workflow_run_id, run_id, patience: PATIENCE }
    const before = { state, status: end.status, problem: end.problem ?? null, elsewhere: false }
    const settled = await this.#ask(question, before)
    if (settled && settled.status !== end.status) return { ...end, ...endOf(settled) }
    this.#follow(run_id, 0)
    return end
  }

  /** Asks for a run that is kept, and writes down what the platform says. @throws ProblemError, then nothing is changed. */
  async settle(row: CallRow, given: string | undefined): Promise<void> {
    const { ledger, vault } = this.#parts
    const workflow_run_id = row.workflow_run_id ?? given
    if (!workflow_run_id) throw refuse('The run has named no workflow_run_id. It must be given.')
    const credential = await vault.credential(row.key_id)
    const detail = await askRun({ credential, workflow_run_id, run_id: row.id }, this.#parts)
    const state = (row.answer ?? emptyRun) as RunState
    const { status, problem } = row
    const because = problem ?? becauseOf(state)
    const elsewhere = state.told?.elsewhere ?? false
    await ledger.settle(row.id, endOf(settledBy(detail, { state, status, problem: because, elsewhere })))
  }

  /** Reads a run that began elsewhere and keeps it. @returns the id under which it is kept. */
  async adopt(order: { key: string; workflow_run_id: string; reach: Reach }): Promise<string> {
    const { ledger, vault, server_id } = this.#parts
    const { workflow_run_id } = order
    const credential = await vault.credential(order.key, order.reach)
    if (credential.kind !== 'workflow')
      throw refuse(`Runs are read with the key of a workflow; “${credential.label}” is a ${credential.kind} key.`)
    const known = await ledger.named(credential.key_id, workflow_run_id)
    if (known) return known
    const id = idFor(credential.key_id, workflow_run_id)
    const detail = await askRun({ credential, workflow_run_id, run_id: id }, this.#parts)
    const state = { ...emptyRun, workflow_run_id }
    const settled = settledBy(detail, { state, status: 'unknown', problem: null, elsewhere: true })
    const began = typeof settled.state.created_at === 'number' ? new Date(settled.state.created_at * 1000) : new Date()
    await ledger.begin({
      id,
      entry: 'workflows.run',
      status: 'dispatched',
      // Who reads it here did not begin it.
      person_id: null,
      workspace_id: credential.workspace_id,
      key_id: credential.key_id,
      params: null,
      request: null,
      request_hash: null,
      response_mode: 'blocking',
      title: titleOf({ inputs: settled.state.inputs }),
      end_user: null,
      parent_id: null,
      server_id,
      created_at: Number.isNaN(began.getTime()) ? new Date() : began,
    })
    const duration_ms = Math.round((settled.state.elapsed_time ?? 0) * 1000)
    await ledger.end(id, { ...endOf(settled), duration_ms }, { unlessEnded: true })
    return id
  }

  close(): void {
    this.#closing = true
    for (const timer of this.#waiting) clearTimeout(timer)
  }

  #follow(run_id: string, attempt: number): void {
    const pause = AGAIN[attempt]
    if (pause === undefined || this.#closing) return
    const timer = setTimeout(() => {
      this.#waiting.delete(timer)
      void this.#again(run_id, attempt).catch((err: unknown) =>
        this.#parts.log.warn({ err, run: run_id }, 'run not settled'),
      )
    }, pause)
    this.#waiting.add(timer.unref())
  }

  async #again(run_id: string, attempt: number): Promise<void> {
    const row = await this.#parts.ledger.read(run_id)
    if (row?.status !== 'interrupted') return
    await this.settle(row, undefined).catch((error: unknown) => {
      if (!(error instanceof ProblemError)) throw error
    })
    this.#follow(run_id, attempt + 1)
  }

  async #ask(question: Parameters<typeof askRun>[0], before: Parameters<typeof settledBy>[1]): Promise<Settled | null> {
    try {
      return settledBy(await askRun(question, this.#parts), before)
    } catch (error) {
      if (error instanceof ProblemError) return null
      throw error
    }
  }
}

/** What operation 12 said, as the end of a call. What was said before it was asked stands in `told`. */
const endOf = ({ state, status, reply }: Settled): Omit<CallEnd, 'duration_ms'> => ({
  status,
  answer: state,
  reply,
  problem: null,
  made: namesOf(state),
  ...idsOf(state),
  ...usageOf(state),
})

/** A run that is asked for once more keeps the words of its first end. */
const becauseOf = ({ told }: RunState): Problem | null =>
  told?.because ? { kind: 'cut', message: told.because } : null

const refuse = (message: string) => new ProblemError({ kind: 'invalid', status: 400, message })

/** The same run adopted twice, or by two at once, is one row. */
function idFor(key_id: string, workflow_run_id: string): string {
  const hex = createHash('sha256').update(`${key_id} ${workflow_run_id}`).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
