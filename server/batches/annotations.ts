import type { Pool } from 'pg'
import { Annotation, AnnotationWrite, nameAnnotation } from '#contract/annotations.ts'
import { contract } from '#contract/index.ts'
import { invalid, type Problem, ProblemError } from '#contract/problem.ts'
import { isLive } from '#contract/runs.ts'
import type { Drifts } from '../drift/drifts.ts'
import type { CallRow } from '../ledger/call.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Things } from '../ledger/things.ts'
import { LIMITS, mayBeDone, parsed, readText, refusal, type Upstream } from '../relay/upstream.ts'
import type { Credential, Vault } from '../vault/vault.ts'
import { againOrRefused } from './again.ts'
import { annotationMade } from './annotation-made.ts'
import type { Done, Kind, Outcome, Task } from './kind.ts'

interface Parts {
  server_id: string
  pool: Pool
  vault: Vault
  upstream: Upstream
  ledger: Ledger
  things: Things
  drifts: Drifts
}

/** Rows that are annotations: `question` and `answer` among the inputs of a row, each one call of operation 18. */
export function annotationsKind(parts: Parts): Kind {
  return {
    check(_batch, { inputs }) {
      const result = AnnotationWrite.safeParse(inputs)
      return result.success ? null : invalid('body', result.error)
    },

    async carry(task) {
      try {
        const credential = await parts.vault.credential(task.batch.key_id)
        return await create(task, credential, parts)
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        return { is: 'refused', problem: error.problem, sent: false }
      }
    },

    async found(call) {
      if (isLive(call.status)) return null
      if (call.status === 'succeeded') return made(call.reply, call.duration_ms)
      if (call.status === 'failed' && call.problem) return failed(call.problem, call.duration_ms)
      return cutOff(call, parts)
    },

    outputs({ reply }) {
      const annotation = Annotation.safeParse(reply)
      return annotation.success ? { annotation_id: annotation.data.id } : {}
    },
  }
}

async function create(
  { batch, number, input, run_id, parent_id }: Task,
  credential: Credential,
  parts: Parts,
): Promise<Outcome> {
  const { ledger, upstream, things, drifts } = parts
  const where = { workspace_id: batch.workspace_id, operation: 'annotations.create', call_id: run_id }
  const body = AnnotationWrite.parse(input.inputs)
  const isNew = await ledger.begin({
    id: run_id,
    entry: 'annotations.create',
    status: 'dispatched',
    person_id: batch.person_id,
    workspace_id: batch.workspace_id,
    key_id: batch.key_id,
    params: {},
    request: body,
    request_hash: null,
    response_mode: null,
    title: body.question,
    end_user: null,
    parent_id,
    server_id: parts.server_id,
    note: batch.name,
    row: { batch_id: batch.id, number },
  })
  if (!isNew) return { is: 'unsent' }
  const began = performance.now()
  const passed = () => Math.round(performance.now() - began)
  try {
    const answer = await upstream.send(
      credential,
      {
        method: 'POST',
        path: contract.annotations.create.path,
        accept: 'application/json',
        patience: LIMITS.blocking,
        body: JSON.stringify(body),
        contentType: 'application/json',
        person_id: batch.person_id,
      },
      run_id,
    )
    if (answer.status < 200 || answer.status >= 300) throw new ProblemError(await refusal(answer))
    const reply = parsed(await readText(answer)) ?? null
    drifts.reply(where, answer.status, reply)
    const annotation = Annotation.safeParse(reply)
    const named = annotation.success ? [{ ...nameAnnotation(annotation.data), parent: batch.key_id }] : []
    things.see(batch.workspace_id, named)
    const duration_ms = passed()
    await ledger.end(run_id, {
      status: 'succeeded',
      http_status: answer.status,
      reply,
      duration_ms,
      made: named.map(({ id }) => id),
    })
    return made(reply, duration_ms)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const { problem } = error
    drifts.problem(where, problem)
    const status = mayBeDone(problem) || problem.kind === 'mismatch' ? 'unknown' : 'failed'
    const duration_ms = passed()
    await ledger.end(run_id, { status, problem, duration_ms, http_status: problem.upstream?.status ?? null })
    return status === 'failed' ? failed(problem, duration_ms) : unknown(problem, duration_ms)
  }
}

/** A server died over this row, or its line broke: where the platform lists its annotations, that list knows what came of it. */
async function cutOff(call: CallRow, { ledger, pool, vault, upstream }: Parts): Promise<Outcome | null> {
  const problem = call.problem ?? { kind: 'cut', message: 'The console’s server stopped during this call.' }
  const credential = await vault.credential(call.key_id).catch(() => null)
  const answer = credential ? await annotationMade(call, { pool, upstream, credential }) : 'nobody knows'
  if (answer === 'nobody knows') return unknown(problem, call.duration_ms)
  if (answer === 'too early') return null
  if (answer === 'not made') {
    await ledger.settle(call.id, { status: 'failed', problem: NOT_THERE })
    return { is: 'unsent' }
  }
  await ledger.settle(call.id, { status: 'succeeded', reply: answer, made: [String(answer['id'])] })
  return made(answer, call.duration_ms)
}

const NOT_THERE: Problem = {
  kind: 'cut',
  message: 'The call was cut off, and the platform’s list does not have this annotation.',
}

const NONE = { tokens: null, price: null, currency: null }

function made(reply: unknown, duration_ms: number | null): Outcome {
  const annotation = Annotation.safeParse(reply)
  const result = annotation.success ? annotation.data.id : null
  return { ...NONE, is: 'done', state: 'succeeded', problem: null, result, duration_ms }
}

const unknown = (problem: Problem, duration_ms: number | null): { is: 'done' } & Done => ({
  ...NONE,
  is: 'done',
  state: 'unknown',
  problem,
  result: null,
  duration_ms,
})

const failed = (problem: Problem, duration_ms: number | null): Outcome =>
  againOrRefused(problem) ?? { ...NONE, is: 'done', state: 'failed', problem, result: null, duration_ms }
