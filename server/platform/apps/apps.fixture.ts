import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import multipart from '@fastify/multipart'
import fastify from 'fastify'
import { openDatabase, type Database } from '../../db/database.ts'
import { authenticate } from '../bearerAuth.ts'
import type { PlatformContext } from '../platformContext.ts'
import { PlatformError, sendPlatformError } from '../platformErrors.ts'
import type { WorkerPool } from '../indexing/workerPool.ts'
import { TEST_KEYS } from '../platformKeys.fixture.ts'
import { acceptEmptyJsonBodies } from '../platformRoute.ts'
import type { Model } from '../model/model.ts'
import type { RetrievalHit } from '../retrieval/retrievalHit.ts'
import { registerAppRoutes } from './appRoutes.ts'
import { registerSignedFileRoute } from './files/fileContentRoutes.ts'
import { createFileLinks } from './files/fileLinks.ts'

/** A real database in a folder of its own, for all tests of a file. */
export async function openAppsDatabase(): Promise<{ database: Database; close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'loupe-apps-'))
  const database = await openDatabase({ folder })
  return {
    database,
    close: async () => {
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface AppsSettings {
  database: Database
  workerPool: Pick<WorkerPool, 'extractText' | 'countTokens'>
  model?: Model | null
  /** What retrieval finds; the knowledge half is tried on its own. */
  find?: (query: string) => RetrievalHit[] | Promise<RetrievalHit[]>
  pace_ms?: number
  clock?: () => number
}

/** The application half alone on a free port, behind the platform's keys and error shape. */
export async function openApps({
  database,
  workerPool: { extractText, countTokens },
  model = null,
  find = () => [],
  pace_ms = 0,
  clock = Date.now,
}: AppsSettings) {
  const asked: string[] = []
  const app = fastify({
    logger: false,
    forceCloseConnections: true,
    frameworkErrors: (error, request, reply) => void sendPlatformError(error, request, reply),
  })
  const context: PlatformContext = {
    database,
    keys: TEST_KEYS,
    model,
    log: app.log,
    clock,
    retrieve: async ({ query }) => {
      asked.push(query)
      return { hits: await find(query), search_method: 'keyword_search', fallback: null }
    },
    extract: extractText,
    countTokens,
    fileLinks: createFileLinks({ secret: Buffer.alloc(32, 1), publicOrigin: null, clock }),
  }
  app.decorateRequest('caller', null)
  app.setErrorHandler(sendPlatformError)
  app.setNotFoundHandler(() => {
    throw new PlatformError(404, 'not_found', 'Path not found.')
  })
  app.addHook('onRequest', async (request) => authenticate(TEST_KEYS, request))
  acceptEmptyJsonBodies(app)
  registerSignedFileRoute(app, context)
  await app.register(multipart)
  await app.register(async (v1) => registerAppRoutes(v1, context, { pace_ms }), { prefix: '/v1' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1`
  return {
    app,
    context,
    base,
    asked,
    ...createCallers(base),
    close: () => app.close(),
  }
}

export type OpenApps = Awaited<ReturnType<typeof openApps>>
type App = 'chat' | 'completion' | 'workflow' | (string & {})

/** The key of an application, by its id. */
export const getTestKey = (app: string): string => `key-${app}`

function createCallers(base: string) {
  const request = (app: App, method: string, path: string, body?: unknown, signal?: AbortSignal) =>
    fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${getTestKey(app)}`,
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    })
  /** Sends a request and gives its status and its JSON. */
  const call = async (app: App, method: string, path: string, body?: unknown) => {
    const response = await request(app, method, path, body)
    const text = await response.text()
    return { status: response.status, body: (text ? JSON.parse(text) : null) as Record<string, unknown> }
  }
  return {
    request,
    call,
    /** Asks a chat, in blocking mode. */
    ask: (app: App, question: object) =>
      call(app, 'POST', '/chat-messages', { ...question, response_mode: 'blocking' }),
    /** Sends a generating request and gives the events of its whole stream. */
    stream: async (app: App, path: string, body: object) => {
      const response = await request(app, 'POST', path, { response_mode: 'streaming', ...body })
      return readStream(await response.text())
    },
  }
}

export type TestStreamEvent = Record<string, unknown> & { event: string }

/** The events of a stream in platform framing; a ping, which has no data, is given as the event `ping`. */
export function readStream(text: string): TestStreamEvent[] {
  return text
    .split('\n\n')
    .filter(Boolean)
    .map((block) => {
      if (block === 'event: ping') return { event: 'ping' }
      if (!block.startsWith('data: ') || block.includes('\n')) throw new Error(`not a block of the platform: ${block}`)
      return JSON.parse(block.slice('data: '.length)) as TestStreamEvent
    })
}

/** The text that the events of an answer make. */
export const joinAnswer = (events: TestStreamEvent[]): string =>
  events
    .filter(({ event }) => event === 'message')
    .map(({ answer }) => String(answer))
    .join('')

/** A segment that retrieval found. */
export function createHit(position: number, content: string, more: Partial<RetrievalHit> = {}): RetrievalHit {
  return {
    position,
    score: 1 / position,
    dataset_id: '11111111-1111-4111-8111-111111111111',
    dataset_name: 'Handbook',
    document_id: '22222222-2222-4222-8222-222222222222',
    document_name: `chapter-${position}.md`,
    data_source_type: 'upload_file',
    doc_metadata: null,
    segment_id: `33333333-3333-4333-8333-33333333333${position}`,
    segment_position: position,
    content,
    answer: null,
    word_count: content.split(' ').length,
    hit_count: 1,
    index_node_hash: 'hash',
    child_chunks: [],
    search_method: 'keyword_search',
    ...more,
  }
}

/** The events of a run by their names, each with its node where it has one. */
export const listEventNames = (events: TestStreamEvent[]): string[] =>
  events.map(({ event, data }) =>
    [event, (data as { node_id?: string } | undefined)?.node_id].filter(Boolean).join(' '),
  )

/** The names of the events of nodes that run one after the other. */
export const listNodeEvents = (...nodes: string[]): string[] =>
  nodes.flatMap((node) => [`node_started ${node}`, `node_finished ${node}`])

/** The data of the first event of a name, and of a node where one is given. */
export const findEventData = (events: TestStreamEvent[], event: string, node_id?: string) =>
  events
    .filter((one) => one.event === event)
    .map(({ data }) => data as Record<string, unknown>)
    .find((data) => !node_id || data['node_id'] === node_id)

interface UploadSettings {
  app?: string
  user?: string
  type?: string
}

/** Uploads a file to an application; the file is named by `toFileReference` in a request. */
export function uploadFile(
  { call }: OpenApps,
  name: string,
  content: string | Buffer,
  { app = 'chat', user = 'ada', type = '' }: UploadSettings = {},
) {
  const form = new FormData()
  form.append('user', user)
  form.append('file', new Blob([new Uint8Array(Buffer.from(content))], { type }), name)
  return call(app, 'POST', '/files/upload', form)
}

export const toFileReference = ({ body }: Awaited<ReturnType<typeof uploadFile>>, type = 'document') => ({
  type,
  transfer_method: 'local_file',
  upload_file_id: body['id'],
})

/** A picture of one dot. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
