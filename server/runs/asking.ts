import { fill } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { RunStatus } from '#contract/runs.ts'
import type { RunState } from '#contract/run.ts'
import { isBlank, tellRun, tellsEnd } from '#contract/told.ts'
import type { Drifts } from '../drift/drifts.ts'
import { LIMITS, parsed, readText, refusal, type Upstream } from '../relay/upstream.ts'
import type { Credential } from '../vault/vault.ts'
import { verdict } from './outcome.ts'

export interface Question {
  credential: Credential
  workflow_run_id: string
  /** The console's own id of the run, for the platform's log. */
  run_id: string
  /** Milliseconds that the platform has to begin its answer. */
  patience?: number
}

/**
 * Operation 12.
 * @returns the record as it came.
 * @throws ProblemError: the platform does not answer, refuses, or knows no such run (404, or a record with nothing in it).
 */
export async function askRun(
  { credential, workflow_run_id, run_id, patience = LIMITS.read }: Question,
  { upstream, drifts }: { upstream: Upstream; drifts: Drifts },
): Promise<Record<string, unknown>> {
  const params = contract.workflows.readRun.params.safeParse({ workflow_run_id })
  if (!params.success)
    throw new ProblemError({
      kind: 'invalid',
      status: 400,
      message: 'The workflow_run_id is no id that can be asked for.',
    })
  const path = fill(contract.workflows.readRun.path, params.data)
  const answer = await upstream.send(credential, { method: 'GET', path, accept: 'application/json', patience }, run_id)
  const where = { workspace_id: credential.workspace_id, operation: 'workflows.readRun', call_id: run_id }
  if (answer.status !== 200) {
    const problem = await refusal(answer)
    drifts.problem(where, problem)
    throw new ProblemError(problem)
  }
  const text = await readText(answer)
  const reply = parsed(text)
  drifts.reply(where, answer.status, reply ?? text.slice(0, 4096))
  const upstreamSaid = { status: answer.status, body: reply ?? text.slice(0, 4096) }
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply))
    throw new ProblemError({
      kind: 'mismatch',
      message: 'The platform answered with no record.',
      upstream: upstreamSaid,
    })
  if (isBlank(reply)) throw new ProblemError({ kind: 'refused', message: UNKNOWN, upstream: upstreamSaid })
  return reply as Record<string, unknown>
}

const UNKNOWN = 'The platform answered with a record in which every field is null: it knows no such run.'

/** What operation 12 makes of a run: its fold, its status, and the reply in the shape of a blocking one. */
export interface Settled {
  state: RunState
  status: RunStatus
  reply: unknown
}

/** A run of which the platform tells no end stands as it stood; one that is paused waits, so it is `interrupted`. */
export function settledBy(
  detail: Record<string, unknown>,
  before: { state: RunState; status: RunStatus; problem: Problem | null; elsewhere: boolean },
): Settled {
  const { status, problem, elsewhere } = before
  const told = { at: new Date().toISOString(), elsewhere, because: problem?.message ?? null }
  const state = tellRun(before.state, detail, told)
  return {
    state,
    status: tellsEnd(detail) ? verdict(state) : status,
    reply: { workflow_run_id: state.workflow_run_id, data: detail },
  }
}
