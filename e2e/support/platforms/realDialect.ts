import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Fields = Record<string, unknown>

/**
 * A platform in the real dialect: it stands before the built-in one, refuses what the real one refuses, and answers with
 * its deviations from the interface document.
 */
export class RealDialect {
  /** What was refused, and why. */
  readonly rejectedRequests: string[] = []
  /** What the real platform refuses for the state that something is in, once it is told so: by name, for as long as it is in. */
  readonly activeStates = new Set<keyof typeof ERROR_STATES>()
  /** Deviations that were sent, by name. */
  readonly shownFiles = new Set<string>()
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async startBefore(platform: string): Promise<RealDialect> {
    const server = createServer()
    const own = new RealDialect(server)
    server.on('request', (incoming, response) => own.#adaptRequest(platform, incoming, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return own
  }

  /** Without `/v1`, as a person may type it. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  #adaptRequest(platform: string, incoming: IncomingMessage, response: ServerResponse): void {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const path = incoming.url ?? ''
      if (!path.startsWith('/v1/'))
        return void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>404</h1>')
      const isJson = /json/.test(incoming.headers['content-type'] ?? '')
      const body = Buffer.concat(parts)
      for (const name of this.activeStates) {
        const { asks, status, code, message } = ERROR_STATES[name]
        if (asks.test(`${incoming.method} ${path}`))
          return this.#addFile(response, status, { code, message, status }, name)
      }
      const wrong = isJson ? findRejection(path, JSON.parse(body.toString() || '{}') as Fields) : null
      if (!wrong) return this.#send(platform, incoming, body, response)
      this.rejectedRequests.push(`${incoming.method} ${path}: ${wrong}`)
      this.#answer(response, 400, { code: 'invalid_param', message: wrong, status: 400 })
    })
  }

  #send(platform: string, incoming: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const path = (incoming.url ?? '').replace(/^\/v1/, '')
    const { host: _host, ...headers } = incoming.headers
    const onward = request(platform + path, { method: incoming.method, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString()
        const status = answer.statusCode ?? 502
        const type = answer.headers['content-type'] ?? ''
        if (/event-stream/.test(type)) return this.#stream(response, text, /FAIL/.test(body.toString()))
        if (incoming.method === 'DELETE' && status < 300)
          return this.#addFile(response, 200, 204, 'a delete answers 200 with a number')
        if (!/json/.test(type) || text === '')
          return void response.writeHead(status, { ...VERSION_HEADERS, 'content-type': type }).end(text)
        this.#answer(response, status, this.#turn(path, JSON.parse(text)))
      })
    })
    onward.on('error', () => response.destroy())
    onward.end(body)
  }

  /**
   * Pings without data, a delta under another name, a file whose address is relative, and a word after the end. A chatflow
   * that fails tells of it without a `task_id`.
   */
  #stream(response: ServerResponse, text: string, fails: boolean): void {
    const blocks = text.split('\n\n').filter(Boolean)
    const second = blocks.findLastIndex((one) => one.includes('"event":"message"'))
    if (second > 0) blocks[second] = (blocks[second] ?? '').replace('"event":"message"', '"event":"message_file"')
    this.shownFiles.add('a ping without data').add('a word after the end').add('a file with a relative address')
    response.writeHead(200, { ...VERSION_HEADERS, 'content-type': 'text/event-stream' })
    const file = 'data: {"event":"message_file","id":"f","type":"image","belongs_to":"assistant","url":"/files/f.png"}'
    const tail = 'data: {"event":"tts_message_end","audio":""}'
    const error = 'data: {"event":"error","status":400,"code":"invoke_error","message":"The model is overloaded."}'
    if (fails) this.shownFiles.add('an error without a task_id')
    const said = fails ? [...blocks.slice(0, 2), error] : [...blocks.slice(0, 1), file, ...blocks.slice(1), tail]
    response.end(['event: ping', ...said, ''].join('\n\n'))
  }

  #turn(path: string, body: unknown): unknown {
    if (typeof body !== 'object' || body === null) return body
    const record = body as Fields
    const list = Array.isArray(record.data) ? (record.data as Fields[]) : [record]
    for (const one of list) {
      if (one.retrieval_model_dict) {
        this.shownFiles.add('a retrieval model of upstream’s shape')
        one.retrieval_model_dict = {
          search_method: 'semantic_search',
          reranking_enable: false,
          reranking_mode: 'weighted_score',
          reranking_model: null,
          top_k: 3,
          score_threshold_enabled: false,
          score_threshold: null,
          weights: {
            weight_type: 'customized',
            vector_setting: { vector_weight: 0.7 },
            keyword_setting: { keyword_weight: 0.3 },
          },
        }
      }
      if (/child_chunks/.test(path))
        for (const name of [
          'tokens',
          'index_node_id',
          'index_node_hash',
          'status',
          'created_by',
          'indexing_at',
          'completed_at',
          'error',
          'stopped_at',
        ]) {
          this.shownFiles.add('a child chunk of few fields')
          delete one[name]
        }
    }
    if (/^\/workflows\/run\/[^/]+$/.test(path) && 'outputs' in record) {
      this.shownFiles.add('a run whose inputs and outputs are text')
      record.inputs = JSON.stringify(record.inputs ?? {})
      this.shownFiles.add('a file among the outputs of a run')
      record.outputs = JSON.stringify({ ...(record.outputs as object | null), report: OUTPUT_FILE })
    }
    if (path === '/completion-messages') record.mode = 'completion'
    if (/\/documents\?/.test(path)) record.has_more = list.length === Number(record.limit)
    return record
  }

  #addFile(response: ServerResponse, status: number, body: unknown, name: string): void {
    this.shownFiles.add(name)
    this.#answer(response, status, body)
  }

  #answer(response: ServerResponse, status: number, body: unknown): void {
    const refusal = status === 401 ? { 'www-authenticate': 'Bearer realm="api"' } : {}
    response
      .writeHead(status, { ...VERSION_HEADERS, ...refusal, 'content-type': 'application/json' })
      .end(JSON.stringify(body))
  }
}

/** A file as the outputs of a run hold it; its address is signed and expires. */
const OUTPUT_FILE = {
  dify_model_identity: '__dify__file__',
  type: 'document',
  transfer_method: 'tool_file',
  filename: 'report-of-lamps.pdf',
  extension: '.pdf',
  mime_type: 'application/pdf',
  size: 1234,
  url: 'http://files.internal.example/report-of-lamps.pdf?timestamp=1&nonce=2&sign=3',
}

const ERROR_STATES = {
  'a segment whose embedding model is gone': {
    asks: /^GET .*\/segments\/[^/?]+$/,
    status: 400,
    code: 'invalid_param',
    message: 'No Embedding Model available. Please configure a valid provider.',
  },
  'an archived document': {
    asks: /^DELETE .*\/documents\/[^/?]+$/,
    status: 403,
    code: 'archived_document_immutable',
    message: 'The archived document is not editable.',
  },
  'a document that is being indexed': {
    asks: /^POST .*\/documents\/[^/?]+\/segments$/,
    status: 404,
    code: 'not_found',
    message: 'Document is already completed indexing is not ready.',
  },
} as const

const VERSION_HEADERS = { 'x-version': '1.12.0', 'x-env': 'PRODUCTION' }

/** What the real platform refuses, though the interface document has it so. */
function findRejection(path: string, body: Fields): string | null {
  const model = (body.retrieval_model ?? {}) as Fields
  if (typeof model.weights === 'number') return 'retrieval_model.weights: Input should be a valid dictionary'
  if (typeof model.reranking_mode === 'object' && model.reranking_mode)
    return 'reranking_mode: Input should be a valid string'
  if (body.retrieval_model && typeof model.reranking_enable !== 'boolean') return 'reranking_enable: Field required'
  if (Array.isArray(body.partial_member_list) && body.partial_member_list.some((one) => typeof one === 'string'))
    return 'partial_member_list: Input should be a valid dictionary'
  if (/\/(chat-messages|completion-messages|workflows\/run)$/.test(path)) {
    if (!body.response_mode) return 'response_mode: nothing is streamed unless it is asked for'
    if (typeof body.inputs !== 'object') return 'inputs: Field required'
  }
  if (/annotation-reply\/\w+$/.test(path) && (body.embedding_model_name ?? null) === null)
    return 'embedding_model_name: Field required'
  return null
}
