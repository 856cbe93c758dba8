import { fill, isForm, type Endpoint, type Input, type Reply } from '#contract/endpoint.ts'
import { invalid, Problem, ProblemError } from '#contract/problem.ts'
import { takeEarly } from './early.ts'
import { type Progress, upload } from './upload.ts'

/**
 * Where a call goes: the platform's entries need the id of the key that carries them. `note` says why, and stays with the
 * call in the ledger; `parent` is the run that this one is made from.
 */
export type Target<E extends Endpoint> = Input<E> & { key?: string; note?: string; parent?: string | null }

export interface CallOptions {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Told how much of a form has left the browser. */
  onProgress?: (progress: Progress) => void
}

/**
 * Sends one request and gives its reply. What the entry's schema refuses is not sent.
 * @throws ProblemError with the one Problem shape, whatever went wrong; DOMException `AbortError` after `signal`.
 */
export async function call<E extends Endpoint>(
  entry: E,
  input: Target<E>,
  options: CallOptions = {},
): Promise<Reply<E>> {
  const { status, text } = await request(entry, input, options)
  const body: unknown = parse(text)
  if (status < 200 || status >= 300) throw new ProblemError(problemOf(status, body))
  const reply = entry.reply.safeParse(body)
  if (!reply.success) throw new ProblemError({ ...invalid('reply', reply.error), kind: 'mismatch', status })
  return reply.data as Reply<E>
}

/** The URL of an entry with its parameters and query. */
export function urlOf<E extends Endpoint>(entry: E, input: Target<E>): string {
  const path = fill(entry.path, input.params as Record<string, string> | undefined)
  const query = new URLSearchParams(
    Object.entries((input.query as Record<string, unknown> | undefined) ?? {})
      .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one): [string, unknown] => [name, one]))
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => [name, String(value)]),
  ).toString()
  return `${entry.key === 'none' ? '' : `/api/keys/${input.key}`}${path}${query ? `?${query}` : ''}`
}

/** What `fetch` needs to send an entry; used by `call` and by the streams. */
export function requestOf<E extends Endpoint>(entry: E, input: Target<E>, headers: Record<string, string> = {}) {
  const sent: Record<string, string> = { ...headers, ...(entry.method === 'GET' ? {} : { 'x-console': '1' }) }
  if (input.note) sent.note = encodeURIComponent(input.note)
  if (input.parent) sent['run-parent'] = input.parent
  let body: BodyInit | undefined
  if (isForm(entry.body)) {
    const { data, file } = input.body as unknown as { data: unknown; file: File | null }
    const parts = new FormData()
    if (entry.body.spread) for (const [name, value] of Object.entries(data ?? {})) parts.append(name, String(value))
    else parts.append('data', JSON.stringify(data))
    if (file) parts.append('file', file)
    body = parts
  } else if (entry.body) {
    sent['content-type'] = 'application/json'
    body = JSON.stringify(input.body)
  }
  return { url: urlOf(entry, input), method: entry.method, headers: sent, ...(body === undefined ? {} : { body }) }
}

async function request<E extends Endpoint>(
  entry: E,
  input: Target<E>,
  { signal, headers, onProgress }: CallOptions,
): Promise<{ status: number; text: string }> {
  check(entry, input)
  const { url, ...init } = requestOf(entry, input, headers)
  try {
    if (onProgress) return await upload({ url, ...init }, { signal, onProgress })
    const early = init.method === 'GET' ? takeEarly(url) : undefined
    const response = await (early ?? fetch(url, { ...init, ...(signal ? { signal } : {}) }))
    return { status: response.status, text: await response.text() }
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ProblemError({ kind: 'unreachable', message: 'The console’s server does not answer.' })
  }
}

function check<E extends Endpoint>(entry: E, input: Target<E>): void {
  const given = input as Record<string, unknown>
  const data = isForm(entry.body)
    ? { body: [entry.body.data, (given['body'] as { data?: unknown } | undefined)?.data] as const }
    : { body: [entry.body, given['body']] as const }
  const parts = { params: [entry.params, given['params']], query: [entry.query, given['query']], ...data } as const
  for (const [part, [schema, value]] of Object.entries(parts)) {
    const result = schema?.safeParse(value ?? {})
    if (result && !result.success) throw new ProblemError(invalid(part, result.error))
  }
}

/** Reads the Problem in a reply that is not 2xx. */
export function problemOf(status: number, body: unknown): Problem {
  const problem = Problem.safeParse(body)
  if (problem.success) return problem.data
  return { kind: 'fault', status, message: `The console’s server answered ${status} with something unreadable.` }
}

function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}
