import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const DATASET = '/datasets/[^/]+'
const DOCUMENT = `${DATASET}/documents/[^/]+`
const CHILD_CHUNKS = `${DOCUMENT}/segments/[^/]+/child_chunks`

/** The 18 operations of the interface, in its order. */
const OPERATION_PATTERNS = [
  'POST /datasets',
  `PATCH ${DATASET}`,
  `POST ${DATASET}/document/create-by-text`,
  `POST ${DOCUMENT}/update-by-text`,
  `POST ${DOCUMENT}/update-by-file`,
  `GET ${DATASET}/documents`,
  `GET ${DOCUMENT}/segments/[^/]+`,
  `GET ${CHILD_CHUNKS}`,
  `POST ${CHILD_CHUNKS}`,
  `PATCH ${CHILD_CHUNKS}/[^/]+`,
  'POST /workflows/run',
  'GET /workflows/run/[^/]+',
  'GET /parameters',
  'POST /chat-messages',
  'POST /conversations/[^/]+/name',
  'POST /completion-messages',
  'POST /apps/annotation-reply/[^/]+',
  'POST /apps/annotations',
].map((operation) => new RegExp(`^${operation}$`))

/** A platform that offers the 18 operations and nothing else: it stands before a whole one and answers 404 for the rest. */
export class EighteenOperations {
  /** Paths that were asked for and are none of the 18. */
  readonly rejectedRequests: string[] = []
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async startBefore(platform: string): Promise<EighteenOperations> {
    const server = createServer()
    const own = new EighteenOperations(server)
    server.on('request', (incoming, response) => own.#answer(platform, incoming, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return own
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  #answer(platform: string, incoming: IncomingMessage, response: ServerResponse): void {
    const path = (incoming.url ?? '').replace(/^\/v1/, '')
    const operation = `${incoming.method} ${path.split('?')[0]}`
    if (!OPERATION_PATTERNS.some((one) => one.test(operation))) {
      this.rejectedRequests.push(operation)
      incoming.resume()
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end(JSON.stringify({ code: 'not_found', message: 'The requested URL was not found.', status: 404 }))
      return
    }
    const { host: _host, ...headers } = incoming.headers
    const onward = request(platform + path, { method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }
}
