import { randomUUID, createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import { z } from 'zod'
import { type Endpoint, isForm, type ResourceRef, getPathParamNames, RESOURCE_KINDS } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { DriftRecorder } from './driftRecorder.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { ResourceStore } from '../ledger/resources.ts'
import type { Vault } from '../vault/vault.ts'
import type { DialectDetector } from './detection/dialect.ts'
import { readFileBytes, toAttachment, withHeaders } from './fileReply.ts'
import { sendBytes } from './largeReplies.ts'
import { parseRelayRequest, type RelayRequest, toRelayRoute } from './relayRequest.ts'
import { readIdHeader, toMultipartContentType, readNoteHeader } from './requestHeaders.ts'
import type { KeyHealth } from './detection/keyHealth.ts'
import type { Capabilities } from './detection/capabilities.ts'
import { toUpstreamForm, getUploadLimitBytes } from './uploadBody.ts'
import {
  type UpstreamResponse,
  TIMEOUTS_MS,
  isSuccess,
  mayHaveExecuted,
  toMediaType,
  toErrorReplyProblem,
  toMismatchProblem,
  toNotJsonProblem,
  parseJson,
  readBody,
  toRedactedText,
  toRefusal,
  type UpstreamClient,
} from './upstream/upstream.ts'
import { parseBySchema, isJsonContainer } from '#domain/losslessJson.ts'
import { asJson } from '#domain/stream/untrustedJson.ts'

export interface RelayDeps {
  pool: Pool
  vault: Vault
  upstream: UpstreamClient
  ledger: Ledger
  resources: ResourceStore
  driftRecorder: DriftRecorder
  capabilities: Capabilities
  keyHealth: KeyHealth
  dialectDetector: DialectDetector
  server_id: string
}

/**
 * One route for each platform entry of the contract, except those that only the server calls. The routes of entries
 * that start runs are in `runs/generatingRoutes.ts`. `UpstreamClient` adds the bearer token; a request that the
 * schema rejects never reaches the platform.
 */
export function registerRelayRoutes(app: FastifyInstance, deps: RelayDeps): void {
  for (const [name, entry] of platformEntries)
    if (!entry.events && !entry.isServerOnly)
      app.route({ ...toRelayRoute(entry), handler: createCallHandler(name, entry, deps) })
}

function createCallHandler(name: string, entry: Endpoint, parts: RelayDeps) {
  const isWrite = entry.method !== 'GET'
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const relayRequest = await parseRelayRequest(name, entry, request, parts)
    const { credential } = relayRequest
    const isOwnKind = entry.key === credential.kind
    const call_id = randomUUID()
    const startedAt = performance.now()
    const driftContext = { workspace_id: credential.workspace_id, operation: name, call_id: isWrite ? call_id : null }
    const endCall = async (end: {
      status: 'succeeded' | 'failed' | 'unknown'
      http_status?: number
      reply?: unknown
      problem?: Problem
      resource_ids?: string[]
    }) => {
      if (!isWrite) return
      const duration_ms = Math.round(performance.now() - startedAt)
      await parts.ledger.endCallEventually(call_id, { ...end, duration_ms })
    }
    if (isWrite) await parts.ledger.insertCall(await toNewCall(name, call_id, relayRequest, request, parts))
    try {
      const { answer, bytes } = await sendUpstream(entry, relayRequest, reply, parts, call_id)
      const { status, content, type, body } =
        entry.mediaType === null
          ? await readReply(answer, bytes, isWrite)
          : readFileReply(answer, bytes, entry.mediaType)
      parts.capabilities.recordOutcome(credential, name, relayRequest, { status, body: null, version: answer.version })
      void parts.keyHealth.recordSuccess(credential, answer.latency_ms, isOwnKind)
      if (entry.mediaType === null) {
        parts.dialectDetector.detect(credential, answer.version, body)
        parts.driftRecorder.recordReply(driftContext, status, body)
      }
      const resourceRefs = recordResources(entry, relayRequest, body, parts, request)
      if (entry.method === 'DELETE') await deleteResource(entry, relayRequest, parts, request)
      const resourceIds = [...resourceRefs.slice(0, 100).map(({ id }) => id), ...findUploadIds(entry, body)]
      await endCall({ status: 'succeeded', http_status: status, reply: body, resource_ids: resourceIds })
      reply.code(status)
      if (typeof content === 'string') return sendBytes(reply.type(type), Buffer.from(content))
      return sendBytes(withHeaders(reply, toAttachment(DOWNLOAD_NAME, type)), content)
    } catch (error) {
      // Any other error is a fault of this server, and the platform's state is then unknown.
      const problem: Problem =
        error instanceof ProblemError
          ? error.problem
          : { kind: 'fault', message: 'The server failed to handle this call.' }
      if (problem.kind === 'refused' && problem.upstream)
        parts.capabilities.recordOutcome(credential, name, relayRequest, { ...problem.upstream, version: null })
      void parts.keyHealth.recordProblem(credential, problem, { isRead: !isWrite, isOwnKind })
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
  reply: FastifyReply,
  { upstream, pool }: RelayDeps,
  call_id: string,
) {
  const { request } = reply
  const { credential, path } = relayRequest
  const form = isForm(entry.body)
  const maxUploadBytes = form ? await getUploadLimitBytes(pool, credential.key_id) : 0
  const answer = await upstream.send(
    credential,
    {
      method: entry.method,
      path,
      accept: entry.mediaType ?? 'application/json',
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
  if (!isSuccess(answer)) throw new ProblemError(await toRefusal(answer))
  // The reply of a write does not wait: a refusal would say that nothing was done.
  const limits = entry.method === 'GET' ? { onLarge: () => answer.largeReplies.enter(reply) } : {}
  return { answer, bytes: await (entry.mediaType === null ? readBody : readFileBytes)(answer, limits) }
}

/**
 * The redacted reply and its parsed body; a write may return an empty body. @throws ProblemError if it is not JSON,
 * or an error
 */
async function readReply(answer: UpstreamResponse, bytes: Buffer, writes: boolean) {
  const text = await toRedactedText(answer, bytes)
  const body = text === '' && (writes || answer.status === 204) ? null : parseJson(text)
  if (body === undefined) throw new ProblemError(toNotJsonProblem(answer, text))
  const error = toErrorReplyProblem(answer.status, body, text)
  if (error) throw new ProblemError(error)
  return { status: text === '' ? 204 : answer.status, content: text, type: 'application/json; charset=utf-8', body }
}

/** The page that saves the file uses a better name. */
const DOWNLOAD_NAME = 'download'

/** The bytes of a file reply; its size and type are in the ledger. @throws ProblemError for another type */
function readFileReply(answer: UpstreamResponse, bytes: Buffer, mediaType: string) {
  const type = toMediaType(answer.contentType)
  if (type !== mediaType && type !== 'application/octet-stream')
    throw new ProblemError(toMismatchProblem(answer, answer.redactor.clean(bytes.toString('utf8')), mediaType))
  return { status: answer.status, content: bytes, type: mediaType, body: { bytes: bytes.length, content_type: type } }
}

/** The id of an uploaded file: it is not a resource, and a later run references it as `upload_file_id`. */
function findUploadIds(entry: Endpoint, body: unknown): string[] {
  if (entry !== contract.adjacent.uploadFile) return []
  const upload = contract.adjacent.uploadFile.reply.safeParse(body)
  return upload.success ? [upload.data.id] : []
}

/** Resources of an app that no reply identifies; their parent is the key. */
const KINDS_OF_APP = new Set<ResourceRef['kind']>(['annotation', 'job'])

function recordResources(
  entry: Endpoint,
  { credential, params, query, body: requestBody }: RelayRequest,
  body: unknown,
  parts: RelayDeps,
  request: FastifyRequest,
): ResourceRef[] {
  let resourceRefs: ResourceRef[] = []
  try {
    const reply = parseBySchema(entry.reply, body)
    if (reply.success) resourceRefs = entry.resources(reply.data, { params, query, body: requestBody })
    if (entry === contract.workflows.parameters) resourceRefs = [toParameterVersion(credential.key_id, body)]
    resourceRefs = resourceRefs.map((one) => (KINDS_OF_APP.has(one.kind) ? { ...one, parent: credential.key_id } : one))
    parts.resources.record(credential.workspace_id, resourceRefs)
  } catch (err) {
    // The platform has done the work: an unreadable reply does not turn it into a failure.
    request.log.error({ err }, 'record resources failed')
  }
  return resourceRefs
}

/** Removes a deleted resource, identified by the last id in the path, from the lists. */
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
    .delete(credential.workspace_id, kind, [params[name] ?? ''])
    .catch((err: unknown) => request.log.error({ err }, 'delete resource failed'))
}

const toNewCall = async (
  name: string,
  id: string,
  relayRequest: RelayRequest,
  request: FastifyRequest,
  { server_id, resources }: RelayDeps,
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
  title: await getCallTitle(relayRequest, resources),
  end_user: null,
  parent_id: readIdHeader(request, 'run-parent'),
  server_id,
  note: readNoteHeader(request),
})

/** The title from the request; else the last seen name of the innermost resource in its path; else the path. */
async function getCallTitle({ credential, params, body, path }: RelayRequest, resources: ResourceStore) {
  const title = getRequestTitle(body)
  if (title !== undefined) return title
  const named = RESOURCE_KINDS.flatMap((kind) => {
    const id = params[`${kind}_id`]
    return id === undefined ? [] : [{ kind, id }]
  })
  return (await resources.findLabel(credential.workspace_id, named)) ?? path
}

/**
 * An app's parameters as a resource of its key, one for each observed version: so a run can be matched with the
 * parameters that the app had when it began. The order of fields does not matter.
 */
const toParameterVersion = (key_id: string, parameters: unknown): ResourceRef => {
  const payload = asJson(parameters)
  const digest = createHash('sha256')
    .update(JSON.stringify(sortKeys(payload)))
    .digest('hex')
    .slice(0, 24)
  return { kind: 'parameters', id: `${key_id}:${digest}`, parent: key_id, payload }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isJsonContainer(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, part]) => [name, sortKeys(part)]),
  )
}

const Content = z.object({ content: z.string().min(1) })
const TitledBody = z.object({
  name: z.string().optional().catch(undefined),
  question: z.string().optional().catch(undefined),
  query: z.string().optional().catch(undefined),
  content: z.string().optional().catch(undefined),
  segment: Content.optional().catch(undefined),
  segments: z.array(Content).optional().catch(undefined),
})

/** The text of a request that serves as its title in a list; undefined if it has none. */
export function getRequestTitle(requestBody: unknown): string | undefined {
  const { data } = TitledBody.safeParse(requestBody)
  return [
    data?.name,
    data?.question,
    data?.query,
    data?.content,
    data?.segment?.content,
    data?.segments?.[0]?.content,
  ].find((text) => text)
}
