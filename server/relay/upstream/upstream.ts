import type { Readable } from 'node:stream'
import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { PlatformCredential } from '../../vault/vault.ts'
import { HOP_HEADER } from '../../http/loopGuard.ts'
import { type EgressPolicy, getPort } from '../../vault/egressPolicy.ts'
import { KeyRedactor } from '../../vault/keyRedaction.ts'
import { toUnreachableProblem } from './connectionFailure.ts'

/** Milliseconds: connect; headers of a read, of a stream, of a blocking answer; silence between bytes. */
export const TIMEOUTS_MS = {
  connect: 10_000,
  read: 30_000,
  stream: 60_000,
  blocking: 110_000,
  silence: 120_000,
  probe: 10_000,
}

/**
 * A certificate is checked whatever NODE_TLS_REJECT_UNAUTHORIZED says. HTTP/1.1 alone: a run has a connection of its own,
 * so that no other run breaks with it.
 */
const TLS_OPTIONS = { rejectUnauthorized: true, allowH2: false }
const MAX_BODY_BYTES = 64 * 1024 * 1024
/** Letters of a refusal: of its JSON, and of any text. */
const MAX_VERBATIM_CHARS = 64 * 1024
const MAX_EXCERPT_CHARS = 4096

export interface UpstreamRequest {
  method: Dispatcher.HttpMethod
  /** Path and query below the base URL, built from a contract entry with checked parameters. */
  path: string
  /** JSON text, or the parts of a form as they come from the browser. */
  body?: string | Readable | undefined
  contentType?: string | undefined
  accept: 'application/json' | 'text/event-stream'
  timeoutMs: number
  /** Who asks, where the ledger has no call that says so. */
  person_id?: string | null
}
/** An answer of a platform that held the key with which it was asked. */
export interface KeyExposure {
  credential: PlatformCredential
  person_id: string | null
  call_id: string
}
export interface UpstreamResponse {
  status: number
  contentType: string
  retryAfter: number | undefined
  /** What `X-Version` says. */
  version: string | null
  /** Milliseconds until the answer began. */
  latency_ms: number
  body: Dispatcher.ResponseData['body']
  /** Removes the key with which the platform was asked. */
  redactor: KeyRedactor
}

/**
 * The only place that sends a request to a platform. Headers are built here and never copied; redirects are not followed;
 * a compressed reply is refused.
 */
export class UpstreamClient {
  readonly #agent: Agent
  readonly #egress: EgressPolicy
  readonly #hop: Record<string, string>
  readonly #onExposure: (exposure: KeyExposure) => void

  /** @param options `server_id` marks requests, so that one that leads back here is refused; `onExposure` hears of keys in replies */
  constructor(
    egress: EgressPolicy,
    {
      server_id,
      onExposure = () => undefined,
    }: { server_id?: string; onExposure?: (exposure: KeyExposure) => void } = {},
  ) {
    this.#egress = egress
    this.#hop = server_id === undefined ? {} : { [HOP_HEADER]: server_id }
    this.#onExposure = onExposure
    this.#agent = new Agent({
      // A lookup is told no port, and what may be reached depends on it.
      connect: (options, callback) =>
        buildConnector({ ...TLS_OPTIONS, lookup: egress.createLookup(getPort(options)), timeout: TIMEOUTS_MS.connect })(
          options,
          (error, socket) => {
            if (error) return callback(toConnectError(error, `${options.protocol}//${options.host}`), null)
            try {
              egress.requireAllowedPeer(
                socket.remoteAddress,
                options.hostname.replace(/^\[|\]$/g, ''),
                getPort(options),
              )
            } catch (refused) {
              socket.destroy()
              return callback(refused as Error, null)
            }
            callback(null, socket)
          },
        ),
      connections: null,
      pipelining: 1,
      allowH2: false,
      bodyTimeout: TIMEOUTS_MS.silence,
      headersTimeout: TIMEOUTS_MS.blocking,
    })
  }

  /** @throws ProblemError: `denied`, `unreachable`, `late`, `cut` or `mismatch`. A refusal by status is not thrown. */
  async send(
    credential: PlatformCredential,
    upstreamRequest: UpstreamRequest,
    requestId: string,
  ): Promise<UpstreamResponse> {
    const url = new URL(credential.base_url + upstreamRequest.path)
    if (url.origin !== new URL(credential.base_url).origin) throw new Error('the path has changed the origin')
    this.#egress.requireAllowedUrl(url)
    const startedAt = performance.now()
    const response = await request(url, {
      dispatcher: this.#agent,
      method: upstreamRequest.method,
      headersTimeout: upstreamRequest.timeoutMs,
      headers: {
        authorization: `Bearer ${credential.secret}`,
        accept: upstreamRequest.accept,
        'accept-encoding': 'identity',
        'user-agent': 'Loupe',
        'x-request-id': requestId,
        ...this.#hop,
        ...(upstreamRequest.contentType ? { 'content-type': upstreamRequest.contentType } : {}),
      },
      ...(upstreamRequest.body === undefined ? {} : { body: upstreamRequest.body }),
    }).catch((error: unknown) => {
      throw new ProblemError(toTransportProblem(error))
    })
    const latency_ms = Math.round(performance.now() - startedAt)
    const exposure = { credential, person_id: upstreamRequest.person_id ?? null, call_id: requestId }
    const redactor = new KeyRedactor(credential.secret, () => this.#onExposure(exposure))
    return { ...this.#toResponse(response, redactor.clean), latency_ms, redactor }
  }

  /** What a header says goes into words too, so it is cleaned like a body. */
  #toResponse(
    { statusCode, headers, body }: Dispatcher.ResponseData,
    redactText: (text: string) => string,
  ): Omit<UpstreamResponse, 'latency_ms' | 'redactor'> {
    const throwMismatch = (message: string): never => {
      body.on('error', () => undefined).destroy()
      throw new ProblemError({
        kind: 'mismatch',
        message: redactText(message),
        upstream: { status: statusCode, body: null },
      })
    }
    if (statusCode >= 300 && statusCode < 400)
      throwMismatch(`The platform answered with a redirect${getRedirectTarget(headers)}. Redirects are not followed.`)
    const encoding = headers['content-encoding']
    if (encoding && encoding !== 'identity')
      throwMismatch(`The platform answered with content-encoding ${String(encoding)}, which was not asked for.`)
    return {
      status: statusCode,
      contentType: redactText(String(headers['content-type'] ?? '')),
      retryAfter: parseRetryAfter(headers['retry-after'], Date.now()),
      version: headers['x-version'] ? redactText(String(headers['x-version'])).slice(0, 64) : null,
      body,
    }
  }

  close = () => this.#agent.destroy()
}

/** Reads a whole reply as it came. @throws ProblemError `cut`, `late` (not whole after `limit` milliseconds) or `mismatch` (over 64 MiB). */
export async function readBody(response: UpstreamResponse, timeoutMs = TIMEOUTS_MS.silence): Promise<Buffer> {
  const parts: Buffer[] = []
  let totalBytes = 0
  const message = `The platform’s reply was not whole after ${timeoutMs / 1000} s.`
  const timer = setTimeout(() => response.body.destroy(new ProblemError({ kind: 'late', message })), timeoutMs)
  try {
    for await (const part of response.body as AsyncIterable<Buffer>) {
      totalBytes += part.length
      if (totalBytes > MAX_BODY_BYTES) break
      parts.push(part)
    }
  } catch (error) {
    throw new ProblemError({ ...toTransportProblem(error), upstream: { status: response.status, body: null } })
  } finally {
    clearTimeout(timer)
  }
  if (totalBytes > MAX_BODY_BYTES)
    throw new ProblemError({ kind: 'mismatch', message: 'The platform’s response exceeds 64 MiB.' })
  return Buffer.concat(parts)
}

/** The same as text, without the key. */
export const readRedactedText = async (response: UpstreamResponse, timeoutMs?: number): Promise<string> =>
  response.redactor.clean((await readBody(response, timeoutMs)).toString('utf8'))

/** What a platform answers when it is asked what it is: JSON, or nothing that tells it. A stream is not waited for. */
export async function readProbeBody(response: UpstreamResponse): Promise<unknown> {
  if (!/^\s*text\/event-stream\b/i.test(response.contentType))
    return parseJson(await readRedactedText(response, TIMEOUTS_MS.probe))
  response.body.on('error', () => undefined).destroy()
  return undefined
}

/** The platform said no: its status and its body, verbatim where it is JSON of a size that a person reads. */
export async function toRefusal(response: UpstreamResponse): Promise<Problem> {
  const text = await readRedactedText(response)
  const body = parseJson(text)
  const message = typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : ''
  return {
    kind: 'refused',
    message: message.slice(0, MAX_EXCERPT_CHARS) || `The platform answered ${response.status}.`,
    upstream: {
      status: response.status,
      body:
        text.length > MAX_VERBATIM_CHARS
          ? text.slice(0, MAX_EXCERPT_CHARS)
          : (body ?? text.slice(0, MAX_EXCERPT_CHARS)),
    },
    ...(response.retryAfter ? { retry_after: response.retryAfter } : {}),
  }
}

/** What gateways answer when they have passed a call on and no answer came back (520 and 524: Cloudflare's). */
const GATEWAY_STATUSES = [502, 504, 520, 524]

/** True where the platform may have done what it was asked to, and charged for it: nobody can say that the call failed. */
export const mayHaveExecuted = ({ kind, upstream }: Problem): boolean =>
  ['cut', 'late', 'fault'].includes(kind) || GATEWAY_STATUSES.includes(upstream?.status ?? 0)

/** A reply of success that is not the JSON that was asked for: another thing, or one whose line broke without saying so. */
export function toNotJsonProblem(
  response: Pick<UpstreamResponse, 'status' | 'contentType'>,
  text: string,
  expected = 'JSON',
): Problem {
  const { status, contentType } = response
  if (text.trim() === '') {
    const message = `The platform answered ${status} with an empty body.`
    return { kind: 'cut', message, upstream: { status, body: null } }
  }
  const upstream = { status, body: text.slice(0, MAX_EXCERPT_CHARS) }
  if (/^\s*\{/.test(text)) return { kind: 'cut', message: 'The platform’s response was cut off.', upstream }
  const message = `The platform answered with ${contentType || 'no content type'} where ${expected} was asked for.`
  return { kind: 'mismatch', message, upstream }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Egress says why it refused; all else says why there is no connection. */
const toConnectError = (error: Error, origin: string): Error =>
  error instanceof ProblemError || error.cause instanceof ProblemError
    ? error
    : new ProblemError(toUnreachableProblem(error, origin))

/** What a request that was under way came to, in words for a person; addresses and causes stay in the log. */
export function toTransportProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem
  const { code, cause } = error as { code?: string; cause?: unknown }
  if (cause instanceof ProblemError) return cause.problem
  switch (code) {
    case 'UND_ERR_HEADERS_TIMEOUT':
      return { kind: 'late', message: 'The platform took too long to answer.' }
    case 'UND_ERR_BODY_TIMEOUT':
      return { kind: 'cut', message: `The platform sent nothing for ${TIMEOUTS_MS.silence / 1000} s.` }
    default:
      return { kind: 'cut', message: 'The connection to the platform was lost.' }
  }
}

/** Retry-After in whole seconds: a number of them or a date (RFC 9110, 10.2.3). */
export function parseRetryAfter(given: string | string[] | undefined, now: number): number | undefined {
  const value = String(given ?? '').trim()
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - now) / 1000)
  return seconds > 0 ? seconds : undefined
}

function getRedirectTarget(headers: Record<string, string | string[] | undefined>): string {
  try {
    return ` to ${new URL(String(headers.location)).origin}`
  } catch {
    return ''
  }
}
