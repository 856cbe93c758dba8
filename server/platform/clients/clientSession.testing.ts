import { expect, vi } from 'vitest'
import type { ClientCall, ClientLibrary } from './clientCall.testing.ts'

interface ClientReply {
  status: number
  text: string
  body: unknown
}

/** One user of a library: what its calls saved goes into later ones. */
export class ClientSession {
  readonly #library: ClientLibrary
  readonly #saved = new Map<string, string>()

  readonly #getBase: () => string

  constructor(library: ClientLibrary, getBase: () => string) {
    this.#library = library
    this.#getBase = getBase
  }

  async call(call: ClientCall): Promise<ClientReply> {
    if (!call.until) return this.#send(call)
    return vi.waitFor(
      async () => {
        const reply = await this.#send(call)
        for (const [path, value] of Object.entries(call.until ?? {})) expect(readPath(reply.body, path)).toBe(value)
        return reply
      },
      { interval: 50 },
    )
  }

  save({ name, saves = {} }: ClientCall, { body }: ClientReply): void {
    for (const [key, path] of Object.entries(saves)) {
      const value = readPath(body, path)
      if (typeof value !== 'string') throw new Error(`${name} has no ${path}`)
      this.#saved.set(key, value)
    }
  }

  async #send({ key, request, query = {}, json, form }: ClientCall): Promise<ClientReply> {
    const [method = '', path = ''] = this.#fill(request).split(' ')
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query))
      if (value !== null) search.set(name, this.#fill(String(value)))
      else if (this.#library.nullQuery === 'empty') search.set(name, '')
    const hasJsonType = json !== undefined || (this.#library.jsonType === 'always' && !form)
    const body = form ? toFormData(form) : json && this.#fill(JSON.stringify(json))
    const response = await fetch(`${this.#getBase()}${path}${search.size > 0 ? `?${search}` : ''}`, {
      method,
      headers: {
        authorization: `Bearer key-${key}`,
        ...(hasJsonType ? { 'content-type': 'application/json' } : {}),
      },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    return { status: response.status, text, body: toValue(text) }
  }

  #fill = (text: string): string => text.replace(/\{(\w+)\}/g, (all, name: string) => this.#saved.get(name) ?? all)
}

function toFormData({ fields, file }: NonNullable<ClientCall['form']>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob(['The tea room opens at nine.'], { type: 'text/plain' }), file)
  return form
}

/** The JSON of a reply; of a stream, the first event with data; null for other bytes. */
function toValue(text: string): unknown {
  const [, event] = /^data: (.+)$/m.exec(text) ?? []
  try {
    return JSON.parse(event ?? text) as unknown
  } catch {
    return null
  }
}

const readPath = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], value)
