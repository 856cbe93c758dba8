import type { KeyKind } from '#contract/endpoint.ts'

/** The platform under test: its base URL and one key of each kind. */
export interface Place {
  base: string
  keys: Record<KeyKind, string>
}

export interface Reply {
  status: number
  headers: Headers
  text: string
  /** The JSON of the reply; undefined when it is none. */
  body: unknown
}

export interface Ask {
  method: string
  path: string
  /** A kind of key, or an `Authorization` header as it is; null sends none. */
  key: KeyKind | { header: string } | null
  /** An object is sent as JSON, a form as multipart, a text as it is under `type`. */
  body?: unknown
  type?: string
}

/** Sends one request and reads the whole reply, a stream as well. */
export async function ask({ base, keys }: Place, { method, path, key, body, type }: Ask): Promise<Reply> {
  const authorization = key === null ? null : typeof key === 'string' ? `Bearer ${keys[key]}` : key.header
  const isForm = body instanceof FormData
  const content = type ?? (body === undefined || isForm ? null : 'application/json')
  const response = await fetch(base + path, {
    method,
    headers: { ...(authorization ? { authorization } : {}), ...(content ? { 'content-type': content } : {}) },
    ...(body === undefined ? {} : { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: read(text) }
}

export type StreamEvent = Record<string, unknown>

export interface Stream {
  events: StreamEvent[]
  pings: number
  /** Blocks that are neither one line of JSON data nor a bare ping. */
  strange: string[]
}

/** The events of a stream, in the platform's framing. */
export function readStream(text: string): Stream {
  const stream: Stream = { events: [], pings: 0, strange: [] }
  for (const block of text.split('\n\n').filter(Boolean)) {
    const event = block.startsWith('data: ') && !block.includes('\n') ? read(block.slice('data: '.length)) : undefined
    if (block === 'event: ping') stream.pings++
    else if (typeof event === 'object' && event !== null) stream.events.push(event as StreamEvent)
    else stream.strange.push(block)
  }
  return stream
}

function read(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
