import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { type Agent, type Dispatcher, request } from 'undici'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { quoteBody, readErrorReply, readPlatformError } from '#domain/platformErrors/readPlatformError.ts'
import { SILENCE_TIMEOUT_MS, STREAM_HEADERS_TIMEOUT_MS } from '#domain/streamTimeouts.ts'
import type { PlatformCredential } from '../../vault/vault.ts'
import { HOP_HEADER } from '../../http/loopGuard.ts'
import type { EgressPolicy } from '../../vault/egressPolicy.ts'
import { KeyRedactor } from '../../vault/keyExposures.ts'
import { LARGE_REPLY_BYTES, LargeReplyQueue } from '../largeReplies.ts'
import { createEgressAgent } from './egressAgent.ts'
import { parseLosslessJson } from '#domain/losslessJson.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** Milliseconds: connect; headers of a read, of a stream, of a blocking reply; silence between bytes. */
export const TIMEOUTS_MS = {
  connect: 10_000,
  read: 30_000,
  stream: STREAM_HEADERS_TIMEOUT_MS,
  blocking: 110_000,
  silence: SILENCE_TIMEOUT_MS,
  probe: 10_000,
}

const MAX_BODY_BYTES = 64 * 1024 * 1024
/** Maximum characters of an error body: as JSON, and as plain text. */
const MAX_VERBATIM_CHARS = 64 * 1024
const MAX_EXCERPT_CHARS = 4096

export interface UpstreamRequest {
  method: Dispatcher.HttpMethod
  /** Path and query below the base URL, built from a contract entry with checked parameters. */
  path: string
  /** JSON text, or the parts of a form as the browser sends them. */
  body?: string | Readable | undefined
  contentType?: string | undefined
  /** The requested media type. */
  accept: string
  timeoutMs: number
  /** The acting person, for requests without a call in the ledger. */
  person_id?: string | null
}
/** A platform's reply that contained the key of its request. */
export interface KeyExposure {
  credential: PlatformCredential
  person_id: string | null
  call_id: string
}
export interface UpstreamResponse {
  status: number
  contentType: string
  retryAfter: number | undefined
  /** The `X-Version` header. */
  version: string | null
  /** Milliseconds until the response headers arrived. */
  latency_ms: number
  body: Dispatcher.ResponseData['body']
  /** Removes the key of the request from the reply. */
  redactor: KeyRedactor
  /** Where a reply over 1 MiB waits to be sent on. */
  largeReplies: LargeReplyQueue
}

/**
 * The only place that sends requests to a platform. Headers are built here and never copied; redirects are not
 * followed; a compressed reply is rejected.
 */
export class UpstreamClient {
  readonly #platforms: EgressRoute
  readonly #links: EgressRoute
  readonly #hop: Record<string, string>
  readonly #onExposure: (exposure: KeyExposure) => void
  readonly largeReplies = new LargeReplyQueue()

  /**
   * @param options `server_id` marks requests, so that a loop back to this server is detected; `onExposure` is called for
   * keys in replies
   */
  constructor(
    egress: EgressPolicy,
    {
      server_id,
      onExposure = () => undefined,
    }: { server_id?: string; onExposure?: (exposure: KeyExposure) => void } = {},
  ) {
    this.#platforms = createEgressRoute(egress)
    this.#links = createEgressRoute(egress.createLinkPolicy())
    this.#hop = server_id === undefined ? {} : { [HOP_HEADER]: server_id }
    this.#onExposure = onExposure
  }

  /** @throws ProblemError: `denied`, `unreachable`, `late`, `cut` or `mismatch`. An error status does not throw. */
  async send(
    credential: PlatformCredential,
    upstreamRequest: UpstreamRequest,
    requestId: string,
  ): Promise<UpstreamResponse> {
    const url = new URL(credential.base_url + upstreamRequest.path)
    if (url.origin !== new URL(credential.base_url).origin) throw new Error('the path has changed the origin')
    return this.#send(this.#platforms, credential, url, upstreamRequest, requestId, {
      authorization: `Bearer ${credential.secret}`,
      accept: upstreamRequest.accept,
      ...(upstreamRequest.contentType ? { 'content-type': upstreamRequest.contentType } : {}),
      ...this.#toOwnHeaders(requestId),
    })
  }

  /**
   * Follows a signed link in a reply of the platform, without the key. Only the platform's own origin was entered by
   * an admin.
   * @throws ProblemError as `send`
   */
  fetchLink(credential: PlatformCredential, url: URL, requestId: string): Promise<UpstreamResponse> {
    const linkRequest = { method: 'GET', timeoutMs: TIMEOUTS_MS.read } as const
    const isOwn = url.origin === new URL(credential.base_url).origin
    return this.#send(isOwn ? this.#platforms : this.#links, credential, url, linkRequest, requestId, {
      accept: '*/*',
      ...(isOwn ? this.#toOwnHeaders(requestId) : {}),
    })
  }

  /** Only platforms get them. */
  #toOwnHeaders = (requestId: string) => ({ 'x-request-id': requestId, ...this.#hop })

  async #send(
    { egress, agent }: EgressRoute,
    credential: PlatformCredential,
    url: URL,
    { method, timeoutMs, body, person_id }: Pick<UpstreamRequest, 'method' | 'timeoutMs' | 'body' | 'person_id'>,
    requestId: string,
    headers: Record<string, string>,
  ): Promise<UpstreamResponse> {
    egress.requireAllowedUrl(url)
    const startedAt = performance.now()
    const response = await request(url, {
      dispatcher: agent,
      method,
      headersTimeout: timeoutMs,
      headers: {
        ...headers,
        'accept-encoding': 'identity',
        'user-agent': 'Loupe',
      },
      ...(body === undefined ? {} : { body }),
    }).catch((error: unknown) => {
      throw error instanceof ProblemError ? error : new ProblemError(toTransportProblem(error))
    })
    const latency_ms = Math.round(performance.now() - startedAt)
    const exposure = { credential, person_id: person_id ?? null, call_id: requestId }
    const redactor = new KeyRedactor(credential.secret, () => this.#onExposure(exposure))
    return { ...this.#toResponse(response, redactor.clean), latency_ms, redactor, largeReplies: this.largeReplies }
  }

  /** Messages may quote a header, so it is redacted like a body. */
  #toResponse(
    { statusCode, headers, body }: Dispatcher.ResponseData,
    redactText: (text: string) => string,
  ): Omit<UpstreamResponse, 'latency_ms' | 'redactor' | 'largeReplies'> {
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
      throwMismatch(`The platform answered with content-encoding ${String(encoding)}, which was not requested.`)
    return {
      status: statusCode,
      contentType: redactText(String(headers['content-type'] ?? '')),
      retryAfter: parseRetryAfter(headers['retry-after'], Date.now()),
      version: headers['x-version'] ? redactText(String(headers['x-version'])).slice(0, 64) : null,
      body,
    }
  }

  close = async () => {
    await Promise.all([this.#platforms.agent.destroy(), this.#links.agent.destroy()])
  }
}

interface EgressRoute {
  egress: EgressPolicy
  agent: Agent
}

const createEgressRoute = (egress: EgressPolicy): EgressRoute => ({
  egress,
  agent: createEgressAgent(egress, {
    connect: TIMEOUTS_MS.connect,
    headers: TIMEOUTS_MS.blocking,
    silence: TIMEOUTS_MS.silence,
  }),
})

export interface BodyLimits {
  /** Time limit in ms for the complete body. */
  timeoutMs?: number | undefined
  maxBytes?: number
  /** Called once for a body over 1 MiB; reading continues afterwards. */
  onLarge?: () => Promise<void>
}

/** The pieces of a body as they arrive. @throws ProblemError `cut`, or `mismatch` over the limit (64 MiB by default) */
export async function* readPieces(
  { body, status }: UpstreamResponse,
  { maxBytes = MAX_BODY_BYTES, onLarge }: BodyLimits,
): AsyncGenerator<Buffer> {
  let totalBytes = 0
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      const isFirstOver = totalBytes <= LARGE_REPLY_BYTES && totalBytes + piece.length > LARGE_REPLY_BYTES
      totalBytes += piece.length
      if (totalBytes > maxBytes) {
        const message = `The platform’s response exceeds ${maxBytes / 1024 ** 2} MiB.`
        throw new ProblemError({ kind: 'mismatch', message })
      }
      if (isFirstOver) await onLarge?.()
      yield piece
    }
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw new ProblemError({ ...toTransportProblem(error), upstream: { status, body: null } })
  }
}

/**
 * Reads a complete body unchanged. @throws ProblemError as `readPieces`; `late` if it is incomplete after the time
 * limit
 */
export const readBody = (response: UpstreamResponse, limits: BodyLimits = {}): Promise<Buffer> =>
  readInTime(response, readPieces(response, limits), limits)

/** @throws ProblemError `late` */
export async function readInTime(
  response: UpstreamResponse,
  pieces: AsyncIterable<Buffer>,
  { timeoutMs = TIMEOUTS_MS.silence }: BodyLimits,
): Promise<Buffer> {
  const message = `The platform did not finish its reply within ${timeoutMs / 1000} s.`
  const late = new ProblemError({ kind: 'late', message, upstream: { status: response.status, body: null } })
  const timer = setTimeout(() => response.body.destroy(late), timeoutMs)
  const parts: Buffer[] = []
  try {
    for await (const piece of pieces) parts.push(piece)
    return Buffer.concat(parts)
  } finally {
    clearTimeout(timer)
  }
}

export const readRedactedText = async (response: UpstreamResponse, timeoutMs?: number): Promise<string> =>
  toRedactedText(response, await readBody(response, { timeoutMs }))

/**
 * The text of a body with the key redacted: over 1 MiB piece by piece, so that other requests run in between. A piece
 * ends with a quotation mark, which no key contains, if there is one.
 */
export async function toRedactedText({ redactor }: Pick<UpstreamResponse, 'redactor'>, bytes: Buffer): Promise<string> {
  const text = bytes.toString('utf8')
  if (text.length <= LARGE_REPLY_BYTES) return redactor.clean(text)
  const redactPiece = redactor.createPieceRedactor()
  let cleanText = ''
  for (let at = 0; at < text.length;) {
    await setImmediate()
    const longest = text.slice(at, at + LARGE_REPLY_BYTES)
    const quotationMark = at + longest.length < text.length ? longest.lastIndexOf('"') : -1
    const piece = quotationMark > 0 ? longest.slice(0, quotationMark) : longest
    cleanText += redactPiece(piece)
    at += piece.length
  }
  return cleanText
}

/** Lets other requests of this thread run between two steps of work on a body of this size (bytes or characters). */
export async function letOthersRun(size: number): Promise<void> {
  if (size >= LARGE_REPLY_BYTES) await setImmediate()
}

/** The JSON body of a probe, if any. It does not wait for a stream. */
export async function readProbeBody(response: UpstreamResponse): Promise<unknown> {
  if (!/^\s*text\/event-stream\b/i.test(response.contentType))
    return parseJson(await readRedactedText(response, TIMEOUTS_MS.probe))
  response.body.on('error', () => undefined).destroy()
  return undefined
}

export const toMediaType = (contentType: string): string => contentType.split(';')[0]?.trim().toLowerCase() ?? ''

export const isSuccess = ({ status }: UpstreamResponse): boolean => status >= 200 && status < 300

/** The platform's error response: its status and its body, verbatim if it is JSON of a readable size. */
export async function toRefusal(response: UpstreamResponse): Promise<Problem> {
  const text = await readRedactedText(response)
  const body = parseJson(text)
  return {
    kind: 'refused',
    ...readPlatformError(response.status, body ?? text),
    upstream: { status: response.status, body: toReadableBody(body, text) },
    ...(response.retryAfter ? { retry_after: response.retryAfter } : {}),
  }
}

/** A reply with a success status that is an error; null for any other reply. */
export function toErrorReplyProblem(status: number, body: unknown, text: string): Problem | null {
  const error = readErrorReply(status, body)
  return error && { kind: 'refused', ...error, upstream: { status, body: toReadableBody(body, text) } }
}

const toReadableBody = (body: unknown, text: string): unknown =>
  body === undefined || text.length > MAX_VERBATIM_CHARS ? truncateText(text, MAX_EXCERPT_CHARS) : body

/** Statuses of gateways that forwarded a call and received no response (520 and 524: Cloudflare's). */
const GATEWAY_STATUSES = [502, 504, 520, 524]

/** Whether the platform may have done the work and charged for it, so that the call must not be reported as failed. */
export const mayHaveExecuted = ({ kind, upstream }: Problem): boolean =>
  ['cut', 'late', 'fault'].includes(kind) || GATEWAY_STATUSES.includes(upstream?.status ?? 0)

/** A success response that is not the expected JSON: another service, or a connection that broke silently. */
export function toNotJsonProblem(
  response: Pick<UpstreamResponse, 'status' | 'contentType'>,
  text: string,
  expected = 'JSON',
): Problem {
  const { status } = response
  if (text.trim() === '') {
    const message = `The platform answered ${status} with an empty body.`
    return { kind: 'cut', message, upstream: { status, body: null } }
  }
  const upstream = { status, body: truncateText(text, MAX_EXCERPT_CHARS) }
  if (/^\s*\{/.test(text)) return { kind: 'cut', message: 'The platform’s response was cut off.', upstream }
  return toMismatchProblem(response, text, expected)
}

/** A complete success response of another kind than requested. */
export function toMismatchProblem(
  { status, contentType }: Pick<UpstreamResponse, 'status' | 'contentType'>,
  text: string,
  expected: string,
): Problem {
  const message = `The platform answered with ${contentType || 'no content type'} where ${expected} was asked for`
  return createMismatch(message, quoteBody(text), { status, text })
}

/** `message` is a sentence without its end, `words` the platform's own message. */
export const createMismatch = (
  message: string,
  words: string | null,
  { status, text }: { status: number; text: string },
): Problem => ({
  kind: 'mismatch',
  message: words === null ? `${message}.` : `${message}: “${words}”.`,
  upstream: { status, body: truncateText(text, MAX_EXCERPT_CHARS) },
})

export function parseJson(text: string): unknown {
  try {
    return parseLosslessJson(text)
  } catch {
    return undefined
  }
}

/** The failure of a request that was already sent, as a message for people; addresses and causes are only logged. */
export function toTransportProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem
  const { code, cause } = error as { code?: string; cause?: unknown }
  if (cause instanceof ProblemError) return cause.problem
  switch (code) {
    case 'UND_ERR_HEADERS_TIMEOUT':
      return { kind: 'late', message: 'The platform took too long to answer.' }
    case 'UND_ERR_BODY_TIMEOUT':
      return {
        kind: 'cut',
        message: `Loupe closed the connection: the platform sent nothing for ${TIMEOUTS_MS.silence / 1000} s.`,
      }
    default:
      return { kind: 'cut', message: 'The connection to the platform was lost.' }
  }
}

/** Retry-After in whole seconds: a number or a date (RFC 9110, 10.2.3). */
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
