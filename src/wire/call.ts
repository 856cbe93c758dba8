import { fill, isForm, type Endpoint, type Input, type Reply } from '#contract/endpoint.ts'
import { invalid, Problem, ProblemError } from '#contract/problem.ts'

/**
 * Where a call goes: the platform's entries need the id of the key that carries them. `note` says why, and stays with the
 * call in the ledger; `parent` is the run that this one is made from.
 */
export type Target<E extends Endpoint> = Input<E> & { key?: string; note?: string; parent?: string | null }

/**
 * Sends one request and gives its reply. What the entry's schema refuses is not sent.
 * @throws ProblemError with the one Problem shape, whatever went wrong.
 */
export async function call<E extends Endpoint>(
  entry: E,
  input: Target<E>,
  options: { signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Reply<E>> {
  const response = await request(entry, input, options)
  const text = await response.text()
  const body: unknown = parse(text)
  if (!response.ok) throw new ProblemError(problemOf(response.status, body))
  const reply = entry.reply.safeParse(body)
  if (!reply.success)
    throw new ProblemError({ ...invalid('reply', reply.error), kind: 'mismatch', status: response.status })
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
  options: { signal?: AbortSignal; headers?: Record<string, string> },
): Promise<Response> {
  check(entry, input)
  const { url, ...init } = requestOf(entry, input, options.headers)
  try {
    return await fetch(url, { ...init, ...(options.signal ? { signal: options.signal } : {}) })
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new ProblemError({ kind: 'unreachable', message: 'The console’s server does not answer.' })
  }
}

function check<E extends Endpoint>(entry: E, input: Target<E>): void {
  const parts = { params: entry.params, query: entry.query, body: isForm(entry.body) ? undefined : entry.body }
  for (const [part, schema] of Object.entries(parts)) {
    const result = schema?.safeParse((input as Record<string, unknown>)[part] ?? {})
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
