import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import {
  type Endpoint,
  fillPath,
  acceptsKeyKind,
  Id,
  isForm,
  type ResourceRef,
  getPathParamNames,
  RESOURCE_KINDS,
} from '#contract/endpoint.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { contract } from '#contract/index.ts'
import { invalidFieldError, type Problem, ProblemError } from '#contract/problem.ts'
import type { DriftRecorder } from './driftRecorder.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { ResourceStore } from '../ledger/resources.ts'
import { toParameterVersion } from '../ledger/parameterVersions.ts'
import { requirePartsInScope } from '../auth/resourceScope.ts'
import { checkRequest } from '../http/endpointRoute.ts'
import { getRateLimit } from '../http/rateLimit.ts'
import { sendProblem } from '../http/errors.ts'
import type { RunSubscriptions } from '../runs/subscriptions/runSubscriptions.ts'
import type { RemoteRunReader } from '../runs/subscriptions/remoteRunReader.ts'
import type { GeneratingEntry } from '../ledger/runStatus.ts'
import type { RunExecutor } from '../runs/runExecutor.ts'
import type { PlatformCredential, Vault } from '../vault/vault.ts'
import { adaptRequestBody, type DialectDetector } from './detection/dialect.ts'
import { readIdHeader, toMultipartContentType, readNoteHeader } from './requestHeaders.ts'
import type { KeyHealth } from './detection/keyHealth.ts'
import type { Capabilities } from './detection/capabilities.ts'
import { toUpstreamForm, getUploadLimitBytes } from './uploadBody.ts'
import { UnchangedReplyCache } from './unchangedReplyCache.ts'
import { replayBlockingRun } from '../runs/replayBlockingRun.ts'
import {
  type UpstreamResponse,
  TIMEOUTS_MS,
  mayHaveExecuted,
  toNotJsonProblem,
  parseJson,
  readBody,
  toRefusal,
  type UpstreamClient,
} from './upstream/upstream.ts'

const MAX_JSON_BYTES = 1024 * 1024
const MAX_TEXT_BYTES = 15 * 1024 * 1024

export interface RelayDeps {
  pool: Pool
  vault: Vault
  upstream: UpstreamClient
  ledger: Ledger
  resources: ResourceStore
  driftRecorder: DriftRecorder
  executor: RunExecutor
  subscriptions: RunSubscriptions
  remoteRuns: RemoteRunReader
  capabilities: Capabilities
  keyHealth: KeyHealth
  dialectDetector: DialectDetector
  server_id: string
}

/**
 * One route per platform entry of the contract, and no other: `/api/keys/:key_id/<path of the interface>`. The bearer is
 * added in `upstream`; what the schema refuses never reaches the platform.
 */
export function registerRelayRoutes(app: FastifyInstance, deps: RelayDeps): void {
  const replyCache = new UnchangedReplyCache()
  for (const [name, entry] of platformEntries) {
    const handler = entry.events
      ? createRunHandler(name as GeneratingEntry, entry, deps)
      : createCallHandler(name, entry, deps, replyCache)
    app.route({
      method: entry.method,
      url: `/api/keys/:key_id${entry.path}`,
      bodyLimit: /-by-text$/.test(entry.path) ? MAX_TEXT_BYTES : MAX_JSON_BYTES,
      config: { permission: entry.permission, rateLimit: getRateLimit(entry) },
      handler: handler,
    })
  }
}

interface RelayRequest {
  credential: PlatformCredential
  params: Record<string, string>
  query: unknown
  body: unknown
  path: string
}

/** Checks everything that can be checked before the platform is called. */
async function parseRelayRequest(
  name: string,
  entry: Endpoint,
  request: FastifyRequest,
  { vault, pool }: Pick<RelayDeps, 'vault' | 'pool'>,
): Promise<RelayRequest> {
  const { key_id, ...given } = request.params as Record<string, string>
  const id = Id.safeParse(key_id)
  if (!id.success) throw invalidFieldError('params.key_id', 'must be an id in UUID form')
  const { params, query, body } = checkRequest(entry, request, given)
  const credential = await vault.getCredential(id.data, request.accessScope)
  if (!acceptsKeyKind(credential.kind, entry.key))
    throw invalidFieldError(
      'params.key_id',
      `must be the id of a ${entry.key} key; “${credential.label}” is a ${credential.kind} key`,
    )
  // What is sent is looked at once more, as it was checked: the guard of all routes reads what came.
  const headers = {
    'run-id': entry.events ? readIdHeader(request, 'run-id') : null,
    'run-parent': entry.method === 'GET' ? null : readIdHeader(request, 'run-parent'),
  }
  await requirePartsInScope(pool, request.accessScope, { params, query, body, headers })
  const search = new URLSearchParams()
  for (const [field, value] of Object.entries((query as Record<string, unknown> | undefined) ?? {}))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(field, String(one))
  const path = fillPath(entry.path, params) + (search.size > 0 ? `?${search}` : '')
  return { credential, params, query, body: adaptRequestBody(name, body, credential.dialect), path }
}

function createRunHandler(name: GeneratingEntry, entry: Endpoint, parts: RelayDeps) {
  const { executor, subscriptions } = parts
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const run_id = readIdHeader(request, 'run-id') ?? randomUUID()
    const parent_id = readIdHeader(request, 'run-parent')
    const { credential, path, body } = await parseRelayRequest(name, entry, request, parts)
    const streams = (body as { response_mode?: unknown }).response_mode === 'streaming'
    const run = await executor.start({
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
    if (!run && !streams) return replayBlockingRun(reply, parts, run_id)
    const firstReply = run ? await run.firstReply : { stream: true as const }
    if ('problem' in firstReply || ('text' in firstReply && !streams)) {
      await run?.ended
      return 'problem' in firstReply
        ? sendProblem(reply, firstReply.problem)
        : reply.type('application/json; charset=utf-8').send(firstReply.text)
    }
    subscriptions.subscribeStream(reply, run_id, run, 0, request.sessionId)
    return undefined
  }
}

function createCallHandler(name: string, entry: Endpoint, parts: RelayDeps, replyCache: UnchangedReplyCache) {
  const isWrite = entry.method !== 'GET'
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const relayRequest = await parseRelayRequest(name, entry, request, parts)
    const { credential, path } = relayRequest
    const call_id = randomUUID()
    const startedAt = performance.now()
    const driftContext = { workspace_id: credential.workspace_id, operation: name, call_id: isWrite ? call_id : null }
    const endCall = (end: {
      status: 'succeeded' | 'failed' | 'unknown'
      http_status?: number
      reply?: unknown
      problem?: Problem
      made?: string[]
    }) =>
      isWrite
        ? parts.ledger.endCall(call_id, { ...end, duration_ms: Math.round(performance.now() - startedAt) })
        : undefined
    if (isWrite) await parts.ledger.insertCall(toNewCall(name, call_id, relayRequest, request, parts.server_id))
    try {
      const { answer, bytes } = await sendUpstream(entry, relayRequest, request, parts, call_id)
      const cached = isWrite ? null : replyCache.get(credential, path, answer, bytes)
      const { status, said, body } = cached ? { ...cached, body: undefined } : readReply(answer, bytes, isWrite)
      parts.capabilities.recordOutcome(credential, name, status, null)
      parts.keyHealth.recordSuccess(credential, answer.latency_ms)
      if (cached) parts.driftRecorder.recordRepeat(driftContext, cached.found)
      else {
        parts.dialectDetector.detect(credential, answer.version, body)
        const found = parts.driftRecorder.recordReply(driftContext, status, body)
        const resourceRefs = recordResources(entry, relayRequest, body, parts, request)
        if (entry.method === 'DELETE') await deleteResource(entry, relayRequest, parts, request)
        if (isWrite) replyCache.delete(credential.workspace_id)
        else replyCache.set(credential, path, answer, bytes, { status, said, found })
        const resourceIds = [...resourceRefs.slice(0, 100).map(({ id }) => id), ...findUploadIds(entry, body)]
        await endCall({ status: 'succeeded', http_status: status, reply: body, made: resourceIds })
      }
      return reply.code(status).type('application/json; charset=utf-8').send(said)
    } catch (error) {
      // What is no Problem is a fault of ours, after which nobody can say what the platform did.
      const problem: Problem =
        error instanceof ProblemError
          ? error.problem
          : { kind: 'fault', message: 'The server failed to handle this call.' }
      if (problem.upstream)
        parts.capabilities.recordOutcome(credential, name, problem.upstream.status, problem.upstream.body)
      parts.keyHealth.recordRefusal(credential, problem)
      parts.driftRecorder.recordProblem(driftContext, problem)
      const finalStatus = mayHaveExecuted(problem) ? 'unknown' : 'failed'
      await endCall({
        status: finalStatus,
        problem,
        ...(problem.upstream ? { http_status: problem.upstream.status } : {}),
      })
      throw error
    }
  }
}

async function sendUpstream(
  entry: Endpoint,
  relayRequest: RelayRequest,
  request: FastifyRequest,
  { upstream, pool }: RelayDeps,
  call_id: string,
) {
  const { credential, path } = relayRequest
  const form = isForm(entry.body)
  const maxUploadBytes = form ? await getUploadLimitBytes(pool, credential.key_id) : 0
  const answer = await upstream.send(
    credential,
    {
      method: entry.method,
      path,
      accept: 'application/json',
      timeoutMs: entry.method === 'GET' ? TIMEOUTS_MS.read : TIMEOUTS_MS.blocking,
      body: form
        ? await toUpstreamForm(request, maxUploadBytes, pool)
        : entry.body
          ? JSON.stringify(relayRequest.body)
          : undefined,
      contentType: form ? toMultipartContentType(request) : entry.body ? 'application/json' : undefined,
      person_id: request.person?.id ?? null,
    },
    call_id,
  )
  if (answer.status < 200 || answer.status >= 300) throw new ProblemError(await toRefusal(answer))
  return { answer, bytes: await readBody(answer) }
}

/** A reply as it goes on, and what it says; what is done may need no words. @throws ProblemError where it is no JSON. */
function readReply(answer: UpstreamResponse, bytes: Buffer, writes: boolean) {
  const text = answer.redactor.clean(bytes.toString('utf8'))
  const body = text === '' && (writes || answer.status === 204) ? null : parseJson(text)
  if (body === undefined) throw new ProblemError(toNotJsonProblem(answer, text))
  return { status: text === '' ? 204 : answer.status, said: Buffer.from(text), body }
}

/** The id of a file that was uploaded: it is no thing of its own, and a later run names it as `upload_file_id`. */
function findUploadIds(entry: Endpoint, body: unknown): string[] {
  if (entry !== contract.adjacent.uploadFile) return []
  const upload = contract.adjacent.uploadFile.reply.safeParse(body)
  return upload.success ? [upload.data.id] : []
}

/** Things that belong to an app, which no reply names: the key stands for it. */
const KINDS_OF_APP = new Set<ResourceRef['kind']>(['annotation', 'job'])

/** Things that the reply names. */
function recordResources(
  entry: Endpoint,
  { credential, params, query, body: requestBody }: RelayRequest,
  body: unknown,
  parts: RelayDeps,
  request: FastifyRequest,
): ResourceRef[] {
  let resourceRefs: ResourceRef[] = []
  try {
    const reply = entry.reply.safeParse(body)
    if (reply.success) resourceRefs = entry.resources(reply.data, { params, query, body: requestBody })
    if (entry === contract.workflows.parameters) resourceRefs = [toParameterVersion(credential.key_id, body)]
    resourceRefs = resourceRefs.map((one) => (KINDS_OF_APP.has(one.kind) ? { ...one, parent: credential.key_id } : one))
    parts.resources.record(credential.workspace_id, resourceRefs)
  } catch (err) {
    // The platform has done what was asked: a reply that cannot be read is no reason to call it undone.
    request.log.error({ err }, 'record resources failed')
  }
  return resourceRefs
}

/** What was deleted is gone from the lists: the last id in the path says what it was. */
async function deleteResource(
  entry: Endpoint,
  { credential, params }: RelayRequest,
  { resources }: RelayDeps,
  request: FastifyRequest,
) {
  const name = getPathParamNames(entry.path).at(-1) ?? ''
  const kind = RESOURCE_KINDS.find((one) => `${one}_id` === name)
  if (!kind) return
  await resources
    .delete(credential.workspace_id, kind, params[name] ?? '')
    .catch((err: unknown) => request.log.error({ err }, 'delete resource failed'))
}

const toNewCall = (
  name: string,
  id: string,
  relayRequest: RelayRequest,
  request: FastifyRequest,
  server_id: string,
) => ({
  id,
  entry: name,
  status: 'dispatched' as const,
  person_id: request.person?.id ?? null,
  workspace_id: relayRequest.credential.workspace_id,
  key_id: relayRequest.credential.key_id,
  params: relayRequest.params,
  request: relayRequest.body ?? null,
  request_hash: null,
  response_mode: null,
  title: getCallTitle(relayRequest),
  end_user: null,
  parent_id: readIdHeader(request, 'run-parent'),
  server_id,
  note: readNoteHeader(request),
})

function getCallTitle({ body, path }: RelayRequest): string {
  const { name, question, content } = (body ?? {}) as Record<string, unknown>
  const title = [name, question, content].find((value) => typeof value === 'string') ?? path
  return String(title)
}
