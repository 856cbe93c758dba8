import { z } from 'zod'
import type { RecordedExchange } from '#support/recordings/recordings.ts'
import type { ComparedReply } from './replyDifferences.testing.ts'
import { parseStreamEvents } from './replyDifferences.testing.ts'

/** What a recorded request may have besides its method, path and key. */
const RequestParts = z.object({
  body: z.unknown().optional(),
  raw: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  multipart: z
    .object({
      fields: z.record(z.string(), z.string()),
      file: z.object({ name: z.string(), type: z.string(), size: z.number() }),
    })
    .optional(),
})

/** Where a platform under test listens, and its keys by the recordings' names; the other kinds of key have none. */
export interface ReplayTarget {
  /** Ends in `/v1`. */
  base: string
  keys: Record<string, string>
}

/** The content of a recorded file is not in the recording: any content of the kind. */
const PNG_BASE64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const toFileContent = (name: string): Buffer<ArrayBuffer> =>
  name.endsWith('.png')
    ? Buffer.from(PNG_BASE64, 'base64')
    : Buffer.from('# Tea room\n\nThe tea room opens at nine.\n\n## Oolong\n\nOolong is a partially oxidised tea.\n')

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<!\d)\d{20}(?!\d)/g
/** An id of the recordings that is meant to be unknown. */
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000001'

/**
 * Sends recorded requests to a platform. Ids of the recording are replaced by those that the platform gave at the same
 * place of an earlier reply.
 */
export class RecordingReplay {
  readonly #target: ReplayTarget
  readonly #ids = new Map<string, string>()

  constructor(target: ReplayTarget) {
    this.#target = target
  }

  async send({ request }: RecordedExchange, body?: unknown): Promise<ComparedReply> {
    const parts = RequestParts.parse(request)
    const key = request.key === null ? undefined : (this.#target.keys[request.key] ?? 'unknown-key')
    const { content, type } = this.#toContent(body === undefined ? parts : { ...parts, body })
    const response = await fetch(`${this.#target.base}${this.toOurPath(request.path)}`, {
      method: request.method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      ...(content === undefined ? {} : { body: content }),
    })
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    }
  }

  /** Learns which id of the platform stands for which of the recording. */
  learn(recorded: ComparedReply, ours: ComparedReply): void {
    this.#pair(toValue(recorded), toValue(ours))
  }

  #pair(recorded: unknown, ours: unknown): void {
    if (typeof recorded === 'string' && typeof ours === 'string') {
      if (recorded.match(ID)?.[0] === recorded && recorded !== UNKNOWN_ID && !this.#ids.has(recorded))
        this.#ids.set(recorded, ours)
      return
    }
    if (typeof recorded !== 'object' || recorded === null || typeof ours !== 'object' || ours === null) return
    for (const [name, value] of Object.entries(recorded)) this.#pair(value, (ours as Record<string, unknown>)[name])
  }

  /** A recorded path with the ids that the platform gave. */
  toOurPath = (path: string): string => this.#toOurs(path)

  #toOurs = (text: string): string => text.replace(ID, (id) => this.#ids.get(id) ?? id)

  #toContent({ body, raw, headers, multipart }: z.output<typeof RequestParts>): {
    content?: string | FormData
    type?: string | undefined
  } {
    if (multipart) {
      const form = new FormData()
      for (const [name, value] of Object.entries(multipart.fields)) form.append(name, this.#toOurs(value))
      const { name, type } = multipart.file
      form.append('file', new Blob([toFileContent(name)], { type }), name)
      return { content: form }
    }
    if (raw !== undefined) return { content: raw, type: headers?.['content-type'] }
    if (body === undefined) return {}
    return { content: this.#toOurs(JSON.stringify(body)), type: 'application/json' }
  }
}

/** The JSON of a reply; of a stream, its events by their order. */
function toValue({ body, headers }: ComparedReply): unknown {
  const type = headers['content-type'] ?? ''
  if (type.startsWith('text/event-stream')) return parseStreamEvents(body)
  return type.startsWith('application/json') && body !== '' ? (JSON.parse(body) as unknown) : null
}
