import type { KeyKind } from '#contract/endpoint.ts'

/** The platform under test: its base URL and one key of each kind. */
export interface PlatformUnderTest {
  base: string
  keys: Record<KeyKind, string>
}

export interface ConformanceReply {
  status: number
  headers: Headers
  text: string
  /** The JSON of the reply; undefined when it is none. */
  body: unknown
}

export interface ConformanceRequest {
  method: string
  path: string
  /** A kind of key, or an `Authorization` header as it is; null sends none. */
  key: KeyKind | { header: string } | null
  /** An object is sent as JSON, a form as multipart, a text as it is under `type`. */
  body?: unknown
  type?: string
}

/** Sends one request and reads the whole reply, a stream as well. */
export async function sendRequest(
  { base, keys }: PlatformUnderTest,
  { method, path, key, body, type }: ConformanceRequest,
): Promise<ConformanceReply> {
  const authorization = key === null ? null : typeof key === 'string' ? `Bearer ${keys[key]}` : key.header
  const isForm = body instanceof FormData
  const content = type ?? (body === undefined || isForm ? null : 'application/json')
  const response = await fetch(base + path, {
    method,
    headers: { ...(authorization ? { authorization } : {}), ...(content ? { 'content-type': content } : {}) },
    ...(body === undefined ? {} : { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parseJson(text) }
}

export type StreamEvent = Record<string, unknown>

export interface ParsedStream {
  events: StreamEvent[]
  pings: number
  /** Blocks that are neither one line of JSON data nor a bare ping. */
  unknownBlocks: string[]
}

/** The events of a stream, in the platform's framing. */
export function parseStream(text: string): ParsedStream {
  const stream: ParsedStream = { events: [], pings: 0, unknownBlocks: [] }
  for (const block of text.split('\n\n').filter(Boolean)) {
    const event =
      block.startsWith('data: ') && !block.includes('\n') ? parseJson(block.slice('data: '.length)) : undefined
    if (block === 'event: ping') stream.pings++
    else if (typeof event === 'object' && event !== null) stream.events.push(event as StreamEvent)
    else stream.unknownBlocks.push(block)
  }
  return stream
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
