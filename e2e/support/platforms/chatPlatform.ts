import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import {
  toEventBlock,
  type AnswerIds,
  toMessageBlock,
  toMessageEndBlock,
  openStream,
  sendError,
  type PlatformScript,
  type RecordedRequest,
} from './scriptedPlatform.ts'

export interface ChatTurn {
  id: string
  conversation_id: string
  user: string
  query: string
  answer: string
  files: unknown[]
  rating: string | null
  created_at: number
}

/** The platform's answer to one question: its pieces of text, one event each, and the events before them. */
export interface ScriptedReply {
  words: string[]
  /** Milliseconds between words. */
  gap_ms?: number
  /** Events between the first frame and the first word. */
  events_before?: (ids: AnswerIds) => Record<string, unknown>[]
  metadata?: Record<string, unknown>
}

/**
 * A platform that offers all that a real one has around a conversation: it lists, names, deletes, rates, suggests, stops
 * and takes uploads. It appends to its conversations, as real ones do: it has no branches.
 */
export class ChatPlatform {
  readonly turns: ChatTurn[] = []
  readonly uploads: { id: string; name: string; user: string }[] = []
  readonly stopped = new Set<string>()
  names = new Map<string, string>()
  parameters: Record<string, unknown> = {}
  createReply: (body: Record<string, unknown>) => ScriptedReply = ({ query }) => ({
    words: [`You said: `, String(query)],
  })
  /** Hook that runs before an upload is accepted. */
  holdBack: () => Promise<void> = () => Promise.resolve()
  #clock = Math.floor(Date.now() / 1000)

  readonly script: PlatformScript = async (seen, response) => {
    const { pathname, searchParams } = new URL(seen.path, 'http://platform')
    const path = pathname.replace(/^\/v1/, '')
    const route = `${seen.method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')}`
    const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(path)?.[0] ?? ''
    switch (route) {
      case 'GET /parameters':
        return sendJson(response, 200, { user_input_form: [], ...this.parameters })
      case 'GET /info':
        return sendJson(response, 200, { name: 'Scripted app', mode: 'advanced-chat' })
      case 'POST /chat-messages':
        return this.#answer(seen, response)
      case 'GET /conversations':
        return sendJson(response, 200, {
          data: this.#conversations(searchParams.get('user')),
          has_more: false,
          limit: 100,
        })
      case 'DELETE /conversations/:id':
        for (const one of this.turns.filter(({ conversation_id }) => conversation_id === id))
          this.turns.splice(this.turns.indexOf(one), 1)
        return void response.writeHead(204).end()
      case 'POST /conversations/:id/name': {
        const { name, auto_generate } = JSON.parse(seen.body) as { name?: string; auto_generate?: boolean }
        this.names.set(id, auto_generate ? 'A name by the platform' : (name ?? ''))
        return sendJson(response, 200, { id, name: this.names.get(id), inputs: {}, status: 'normal' })
      }
      case 'GET /messages':
        return sendJson(response, 200, { ...this.#messages(searchParams), limit: 100 })
      case 'GET /messages/:id/suggested':
        return sendJson(response, 200, { result: 'success', data: ['And what does it cost?', 'Who repairs it?'] })
      case 'POST /messages/:id/feedbacks': {
        const one = this.turns.find((message) => message.id === id)
        if (one) one.rating = (JSON.parse(seen.body) as { rating: string | null }).rating
        return sendJson(response, 200, { result: 'success' })
      }
      case 'POST /chat-messages/:id/stop':
        this.stopped.add(id)
        return sendJson(response, 200, { result: 'success' })
      case 'POST /files/upload':
        return this.#upload(seen, response)
      default:
        return sendError(response, 404, { code: 'not_found', message: 'no such route', status: 404 })
    }
  }

  /** Adds a turn to a conversation without the console. */
  addTurn(conversation_id: string, user: string, query: string, answer: string): void {
    const said = { id: randomUUID(), conversation_id, user, query, answer, files: [], rating: null }
    this.turns.push({ ...said, created_at: this.#clock++ - 100_000 })
  }

  async #answer(seen: RecordedRequest, response: ServerResponse): Promise<void> {
    const body = JSON.parse(seen.body) as Record<string, unknown>
    const { words, gap_ms = 5, events_before, metadata } = this.createReply(body)
    const created_at = this.#clock++
    const ids: AnswerIds = {
      task_id: randomUUID(),
      message_id: randomUUID(),
      conversation_id: String(body.conversation_id || randomUUID()),
      created_at,
    }
    const said: ChatTurn = {
      id: ids.message_id,
      conversation_id: ids.conversation_id,
      user: String(body.user),
      query: String(body.query),
      answer: '',
      files: (body.files as unknown[] | undefined) ?? [],
      rating: null,
      created_at,
    }
    this.turns.push(said)
    openStream(response)
    for (const event of events_before?.(ids) ?? []) response.write(toEventBlock({ ...ids, ...event }))
    for (const word of words) {
      if (this.stopped.has(ids.task_id)) break
      said.answer += word
      response.write(toMessageBlock(ids, word))
      await new Promise((resolve) => setTimeout(resolve, gap_ms))
    }
    response.end(
      toMessageEndBlock(ids, metadata ?? { usage: { total_tokens: words.length, completion_tokens: words.length } }),
    )
  }

  #conversations(user: string | null) {
    const own = this.turns.filter((said) => user === null || said.user === user)
    const latest = new Map(own.map((said) => [said.conversation_id, said]))
    return [...latest.values()]
      .sort((a, b) => b.created_at - a.created_at)
      .map(({ conversation_id, query, created_at }) => ({
        id: conversation_id,
        name: this.names.get(conversation_id) ?? query,
        inputs: {},
        status: 'normal',
        introduction: '',
        created_at,
        updated_at: created_at,
      }))
  }

  #messages(search: URLSearchParams) {
    const all = this.turns.filter(({ conversation_id }) => conversation_id === search.get('conversation_id'))
    const first = search.get('first_id')
    const until = first ? all.findIndex(({ id }) => id === first) : all.length
    const from = Math.max(0, until - Number(search.get('limit') ?? 20))
    const data = all.slice(from, until).map(({ rating, files: _files, user: _user, ...said }) => ({
      ...said,
      inputs: {},
      status: 'normal',
      feedback: rating ? { rating } : null,
      retriever_resources: [],
      agent_thoughts: [],
    }))
    return { data, has_more: from > 0 }
  }

  async #upload(seen: RecordedRequest, response: ServerResponse): Promise<void> {
    await this.holdBack()
    const name = /filename="([^"]+)"/.exec(seen.body)?.[1] ?? ''
    const user = /name="user"\r\n\r\n([^\r]+)/.exec(seen.body)?.[1] ?? ''
    const upload = { id: randomUUID(), name, user }
    this.uploads.push(upload)
    sendJson(response, 201, {
      ...upload,
      size: seen.body.length,
      extension: name.split('.').at(-1),
      mime_type: 'text/plain',
    })
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
