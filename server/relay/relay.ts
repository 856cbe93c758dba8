import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { type Endpoint, fill, fits, Id, isForm, type Named, paramNames, THING_KINDS } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/entries.ts'
import { contract } from '#contract/index.ts'
import { badField, type Problem, ProblemError } from '#contract/problem.ts'
import type { Drifts } from '../drift/drifts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Things } from '../ledger/things.ts'
import { versionOf } from '../ledger/versions.ts'
import { requireInScope } from '../access/scope.ts'
import { checkRequest } from '../plugins/route.ts'
import { paceOf } from '../plugins/pace.ts'
import { sendProblem } from '../plugins/problems.ts'
import type { Attachments } from '../runs/attach.ts'
import type { Elsewhere } from '../runs/elsewhere.ts'
import type { GeneratingEntry } from '../runs/outcome.ts'
import type { Runner } from '../runs/runner.ts'
import type { Credential, Vault } from '../vault/vault.ts'
import { dialect, type Hearing } from './dialect.ts'
import { idHeader, multipart, noteOf } from './headers.ts'
import type { KeyHealth } from './health.ts'
import type { Offers } from './offers.ts'
import { formBody, uploadLimit } from './form.ts'
import { Repeats } from './repeats.ts'
import { replayBlocking } from './replay.ts'
import { type Answer, LIMITS, mayBeDone, noJson, parsed, readBytes, refusal, type Upstream } from './upstream.ts'

const JSON_LIMIT = 1024 * 1024
const TEXT_LIMIT = 15 * 1024 * 1024

export interface RelayParts {
  pool: Pool
  vault: Vault
  upstream: Upstream
  ledger: Ledger
  things: Things
  drifts: Drifts
  runner: Runner
  attachments: Attachments
  elsewhere: Elsewhere
  offers: Offers
  health: KeyHealth
  hearing: Hearing
  server_id: string
}

/**
 * One route per platform entry of the contract, and no other: `/api/keys/:key_id/<path of the interface>`. The bearer is
 * added in `upstream`; what the schema refuses never reaches the platform.
 */
export function relay(app: FastifyInstance, parts: RelayParts): void {
  const repeats = new Repeats()
  for (const [name, entry] of platformEntries) {
    const carry = entry.events
      ? carryRun(name as GeneratingEntry, entry, parts)
      : carryCall(name, entry, parts, repeats)
    app.route({
      method: entry.method,
      url: `/api/keys/:key_id${entry.path}`,
      bodyLimit: /-by-text$/.test(entry.path) ? TEXT_LIMIT : JSON_LIMIT,
      config: { permission: entry.permission, rateLimit: paceOf(entry) },
      handler: carry,
    })
  }
}

interface Carried {
  credential: Credential
  params: Record<string, string>
  query: unknown
  body: unknown
  path: string
}

/** Checks everything that can be checked before the platform is called. */
async function take(
  name: string,
  entry: Endpoint,
  request: FastifyRequest,
  { vault, pool }: Pick<RelayParts, 'vault' | 'pool'>,
): Promise<Carried> {
  const { key_id, ...given } = request.params as Record<string, string>
  const id = Id.safeParse(key_id)
  if (!id.success) throw badField('params.key_id', 'must be an id in UUID form')
  const { params, query, body } = checkRequest(entry, request, given)
  const credential = await vault.credential(id.data, request.reach)
  if (!fits(credential.kind, entry.key))
    throw badField(
      'params.key_id',
      `must be the id of a ${entry.key} key; “${credential.label}” is a ${credential.kind} key`,
    )
  // What is sent is looked at once more, as it was checked: the guard of all routes reads what came.
  const headers = {
    'run-id': entry.events ? idHeader(request, 'run-id') : null,
    'run-parent': entry.method === 'GET' ? null : idHeader(request, 'run-parent'),
  }
  await requireInScope(pool, request.reach, { params, query, body, headers })
  const search = new URLSearchParams()
  for (const [field, value] of Object.entries((query as Record<string, unknown> | undefined) ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(field, String(one))
  const path = fill(entry.path, params) + (search.size > 0 ? `?${search}` : '')
  return { credential, params, query, body: dialect(name, body, credential.dialect), path }
}

function carryRun(name: GeneratingEntry, entry: Endpoint, parts: RelayParts) {
  const { runner, attachments } = parts
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const run_id = idHeader(request, 'run-id') ?? randomUUID()
    const parent_id = idHeader(request, 'run-parent')
    const { credential, path, body } = await take(name, entry, request, parts)
    const streams = (body as { response_mode?: unknown }).response_mode === 'streaming'
    const run = await runner.start({
      run_id,
      entry: name,
      path,
      events: entry.events as never,
      body: body as Record<string, unknown>,
      person_id: request.person?.id ?? null,
      parent_id,
      credential,
    })
    void reply.header('run-id', run_id)
    // RFC 7240: the caller watches the run elsewhere and waits for nothing here.
    if (/(^|,)\s*respond-async\s*(,|;|$)/i.test(String(request.headers.prefer ?? '')))
      return reply.code(202).header('preference-applied', 'respond-async').send({ id: run_id, status: 'dispatched' })
    if (!run && !streams) return replayBlocking(reply, parts, run_id)
    const opening = run ? await run.opened : { stream: true as const }
    if ('problem' in opening || ('text' in opening && !streams)) {
      await run?.ended
      return 'problem' in opening
        ? sendProblem(reply, opening.problem)
        : reply.type('application/json; charset=utf-8').send(opening.text)
    }
    attachments.attach(reply, run_id, run, 0, request.session)
    return undefined
  }
}

function carryCall(name: string, entry: Endpoint, parts: RelayParts, repeats: Repeats) {
  const writes = entry.method !== 'GET'
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const carried = await take(name, entry, request, parts)
    const { credential, path } = carried
    const call_id = randomUUID()
    const began = performance.now()
    const at = { workspace_id: credential.workspace_id, operation: name, call_id: writes ? call_id : null }
    const finish = (end: {
      status: 'succeeded' | 'failed' | 'unknown'
      http_status?: number
      reply?: unknown
      problem?: Problem
      made?: string[]
    }) =>
      writes ? parts.ledger.end(call_id, { ...end, duration_ms: Math.round(performance.now() - began) }) : undefined
    if (writes) await parts.ledger.begin(callOf(name, call_id, carried, request, parts.server_id))
    try {
      const { answer, bytes } = await send(entry, carried, request, parts, call_id)
      const known = writes ? null : repeats.recall(credential, path, answer, bytes)
      const { status, said, body } = known ? { ...known, body: undefined } : read(answer, bytes, writes)
      parts.offers.learn(credential, name, status, null)
      parts.health.works(credential, answer.latency_ms)
      if (known) parts.drifts.again(at, known.found)
      else {
        parts.hearing.hear(credential, answer.version, body)
        const found = parts.drifts.reply(at, status, body)
        const named = remember(entry, carried, body, parts, request)
        if (entry.method === 'DELETE') await forget(entry, carried, parts, request)
        if (writes) repeats.forget(credential.workspace_id)
        else repeats.hold(credential, path, answer, bytes, { status, said, found })
        const made = [...named.slice(0, 100).map(({ id }) => id), ...uploadIds(entry, body)]
        await finish({ status: 'succeeded', http_status: status, reply: body, made })
      }
      return reply.code(status).type('application/json; charset=utf-8').send(said)
    } catch (error) {
      // What is no Problem is a fault of ours, after which nobody can say what the platform did.
      const problem: Problem =
        error instanceof ProblemError ? error.problem : { kind: 'fault', message: 'The console failed on this call.' }
      if (problem.upstream) parts.offers.learn(credential, name, problem.upstream.status, problem.upstream.body)
      parts.health.refused(credential, problem)
      parts.drifts.problem(at, problem)
      const done = mayBeDone(problem) ? 'unknown' : 'failed'
      await finish({ status: done, problem, ...(problem.upstream ? { http_status: problem.upstream.status } : {}) })
      throw error
    }
  }
}

async function send(
  entry: Endpoint,
  carried: Carried,
  request: FastifyRequest,
  { upstream, pool }: RelayParts,
  call_id: string,
) {
  const { credential, path } = carried
  const form = isForm(entry.body)
  const limit = form ? await uploadLimit(pool, credential.key_id) : 0
  const answer = await upstream.send(
    credential,
    {
      method: entry.method,
      path,
      accept: 'application/json',
      patience: entry.method === 'GET' ? LIMITS.read : LIMITS.blocking,
      body: form ? await formBody(request, limit, pool) : entry.body ? JSON.stringify(carried.body) : undefined,
      contentType: form ? multipart(request) : entry.body ? 'application/json' : undefined,
      person_id: request.person?.id ?? null,
    },
    call_id,
  )
  if (answer.status < 200 || answer.status >= 300) throw new ProblemError(await refusal(answer))
  return { answer, bytes: await readBytes(answer) }
}

/** A reply as it goes on, and what it says; what is done may need no words. @throws ProblemError where it is no JSON. */
function read(answer: Answer, bytes: Buffer, writes: boolean) {
  const text = answer.redactor.clean(bytes.toString('utf8'))
  const body = text === '' && (writes || answer.status === 204) ? null : parsed(text)
  if (body === undefined) throw new ProblemError(noJson(answer, text))
  return { status: text === '' ? 204 : answer.status, said: Buffer.from(text), body }
}

/** The id of a file that was uploaded: it is no thing of its own, and a later run names it as `upload_file_id`. */
function uploadIds(entry: Endpoint, body: unknown): string[] {
  if (entry !== contract.adjacent.uploadFile) return []
  const upload = contract.adjacent.uploadFile.reply.safeParse(body)
  return upload.success ? [upload.data.id] : []
}

/** Things that belong to an app, which no reply names: the key stands for it. */
const OF_APP = new Set<Named['kind']>(['annotation', 'job'])

/** Things that the reply names. */
function remember(
  entry: Endpoint,
  { credential, params, query, body: sent }: Carried,
  body: unknown,
  parts: RelayParts,
  request: FastifyRequest,
): Named[] {
  let named: Named[] = []
  try {
    const reply = entry.reply.safeParse(body)
    if (reply.success) named = entry.names(reply.data, { params, query, body: sent })
    if (entry === contract.workflows.parameters) named = [versionOf(credential.key_id, body)]
    named = named.map((one) => (OF_APP.has(one.kind) ? { ...one, parent: credential.key_id } : one))
    parts.things.see(credential.workspace_id, named)
  } catch (err) {
    // The platform has done what was asked: a reply that cannot be read is no reason to call it undone.
    request.log.error({ err }, 'things not seen')
  }
  return named
}

/** What was deleted is gone from the lists: the last id in the path says what it was. */
async function forget(
  entry: Endpoint,
  { credential, params }: Carried,
  { things }: RelayParts,
  request: FastifyRequest,
) {
  const name = paramNames(entry.path).at(-1) ?? ''
  const kind = THING_KINDS.find((one) => `${one}_id` === name)
  if (!kind) return
  await things
    .forget(credential.workspace_id, kind, params[name] ?? '')
    .catch((err: unknown) => request.log.error({ err }, 'thing not forgotten'))
}

const callOf = (name: string, id: string, carried: Carried, request: FastifyRequest, server_id: string) => ({
  id,
  entry: name,
  status: 'dispatched' as const,
  person_id: request.person?.id ?? null,
  workspace_id: carried.credential.workspace_id,
  key_id: carried.credential.key_id,
  params: carried.params,
  request: carried.body ?? null,
  request_hash: null,
  response_mode: null,
  title: titleOf(carried),
  end_user: null,
  parent_id: idHeader(request, 'run-parent'),
  server_id,
  note: noteOf(request),
})

function titleOf({ body, path }: Carried): string {
  const { name, question, content } = (body ?? {}) as Record<string, unknown>
  const title = [name, question, content].find((value) => typeof value === 'string') ?? path
  return String(title)
}
