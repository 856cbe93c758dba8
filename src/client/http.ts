import {
  describePath,
  fillPath,
  isForm,
  type Endpoint,
  type EndpointInput,
  type EndpointReply,
} from '#contract/endpoint.ts'
import type { RunOriginKind } from '#contract/console/runs.ts'
import { toInvalidProblem, Problem, ProblemError } from '#contract/problem.ts'
import { type UploadProgress, uploadWithProgress } from './uploadRequest.ts'
import { parseBySchema, parseLosslessJson } from '#domain/losslessJson.ts'

/**
 * Routing of a call: platform entries need the id of the key that sends them. `note` is the reason, stored with the
 * call in the ledger; `parent` is the run from which this one is made.
 */
export type CallTarget<E extends Endpoint> = EndpointInput<E> & {
  key?: string
  note?: string
  parent?: string | null
  /** Where a run is started, and its board; the playground of its kind if absent. */
  origin?: { kind: RunOriginKind; id: string | null } | undefined
}

export interface CallOptions {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Called with the upload progress of a form. */
  onProgress?: (progress: UploadProgress) => void
}

/**
 * Sends one request and returns its reply. Input that fails the entry's schema is not sent.
 * @throws ProblemError for every failure; DOMException `AbortError` after `signal`.
 */
export async function call<E extends Endpoint>(
  entry: E,
  input: CallTarget<E>,
  options: CallOptions = {},
): Promise<EndpointReply<E>> {
  const { status, text } = await sendRequest(entry, input, options)
  const body: unknown = parseBody(text)
  if (status < 200 || status >= 300) throw new ProblemError(toProblem(status, body))
  const reply = parseReply(entry.reply, body)
  if (!reply.success) throw new ProblemError({ ...toInvalidProblem('reply', reply.error), kind: 'mismatch', status })
  return reply.data as EndpointReply<E>
}

/** The URL of an entry with its parameters and query, as a cache key; a read that waits for its parameters has one, too. */
export function buildUrl<E extends Endpoint>(
  entry: E,
  input: CallTarget<E>,
  toPath: typeof fillPath = describePath,
): string {
  const path = toPath(entry.path, input.params as Record<string, string> | undefined)
  const query = new URLSearchParams(
    Object.entries((input.query as Record<string, unknown> | undefined) ?? {})
      .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one): [string, unknown] => [name, one]))
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => [name, String(value)]),
  ).toString()
  return `${entry.key === 'none' ? '' : `/api/keys/${input.key}`}${path}${query ? `?${query}` : ''}`
}

/** The `fetch` arguments of an entry; used by `call` and by the streams. */
export function buildRequest<E extends Endpoint>(entry: E, input: CallTarget<E>, headers: Record<string, string> = {}) {
  const headerFields: Record<string, string> = { ...headers, ...(entry.method === 'GET' ? {} : { 'x-console': '1' }) }
  if (input.note) headerFields.note = encodeURIComponent(input.note)
  if (input.parent) headerFields['run-parent'] = input.parent
  if (entry.events) Object.assign(headerFields, toOriginHeaders(entry, input.origin))
  let body: BodyInit | undefined
  if (isForm(entry.body)) {
    const { data, file } = input.body as unknown as { data: unknown; file: File | null }
    const parts = new FormData()
    if (entry.body.sendAsTextParts)
      for (const [name, value] of Object.entries(data ?? {})) parts.append(name, String(value))
    else parts.append('data', JSON.stringify(data))
    if (file) parts.append('file', file)
    body = parts
  } else if (entry.body) {
    headerFields['content-type'] = 'application/json'
    body = JSON.stringify(input.body)
  }
  return {
    url: buildUrl(entry, input, fillPath),
    method: entry.method,
    headers: headerFields,
    ...(body === undefined ? {} : { body }),
  }
}

function toOriginHeaders(
  { path }: Endpoint,
  origin: CallTarget<Endpoint>['origin'] = { kind: getPlayground(path), id: null },
): Record<string, string> {
  return { 'run-origin': origin.kind, ...(origin.id === null ? {} : { 'run-origin-id': origin.id }) }
}

function getPlayground(path: string): RunOriginKind {
  if (path === '/chat-messages') return 'chat'
  return path === '/completion-messages' ? 'completion' : 'workflows'
}

async function sendRequest<E extends Endpoint>(
  entry: E,
  input: CallTarget<E>,
  { signal, headers, onProgress }: CallOptions,
): Promise<{ status: number; text: string }> {
  validateInput(entry, input)
  const { url, ...init } = buildRequest(entry, input, headers)
  try {
    if (onProgress) return await uploadWithProgress({ url, ...init }, { signal, onProgress })
    const response = await fetch(url, { ...init, ...(signal ? { signal } : {}) })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ProblemError({ kind: 'unreachable', message: 'The Loupe server is not responding.' })
  }
}

/** @throws ProblemError for input that fails the schemas of the entry */
export function validateInput<E extends Endpoint>(entry: E, input: CallTarget<E>): void {
  const values = input as Record<string, unknown>
  const data = isForm(entry.body)
    ? { body: [entry.body.data, (values['body'] as { data?: unknown } | undefined)?.data] as const }
    : { body: [entry.body, values['body']] as const }
  const parts = { params: [entry.params, values['params']], query: [entry.query, values['query']], ...data } as const
  for (const [part, [schema, value]] of Object.entries(parts)) {
    const result = schema?.safeParse(value ?? {})
    if (result && !result.success) throw new ProblemError(toInvalidProblem(part, result.error))
  }
}

/** More parts of one reply than this have no other type by accident. */
const MAX_OMITTED_PARTS = 50

/** A part of another type than the contract's is drift, not an error: it is removed if the contract can do without it. */
function parseReply(schema: Endpoint['reply'], body: unknown) {
  const strict = parseBySchema(schema, body)
  if (strict.success) return strict
  let result: ReturnType<typeof schema.safeParse> = strict
  const copy = parseLosslessJson(JSON.stringify(body) ?? 'null')
  const omitted = new Set<string>()
  for (; !result.success; result = parseBySchema(schema, copy))
    for (const issue of result.error.issues) {
      let path = issue.path.map(String)
      // Whatever requires a removed part is removed as well.
      while (path.length > 0 && omitted.has(path.join('.'))) path = path.slice(0, -1)
      if (path.length === 0 || omitted.size === MAX_OMITTED_PARTS) return strict
      omitted.add(path.join('.'))
      const parent = path
        .slice(0, -1)
        .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], copy)
      Reflect.deleteProperty(Object(parent) as object, path.at(-1) ?? '')
    }
  return result
}

/** Reads the Problem in a reply that is not 2xx. */
export function toProblem(status: number, body: unknown): Problem {
  const problem = Problem.safeParse(body)
  if (problem.success) return problem.data
  return { kind: 'fault', status, message: `The Loupe server returned ${status} with an invalid body.` }
}

function parseBody(text: string): unknown {
  try {
    return text === '' ? null : parseLosslessJson(text)
  } catch {
    return text
  }
}
