import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { Database } from '../../db/database.ts'
import { openEmptyDatabase } from '../../db/embedded/databasePool.testing.ts'
import { TEST_KEYS } from '../platformKeys.fixture.ts'
import type { Model } from '../model/model.ts'
import { buildPlatform } from '../platform.ts'

// Every test here waits for workers and a database that others may keep busy too.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** An empty database for all tests of a file. */
export async function openPlatformDatabase(): Promise<{ database: Database; close: () => Promise<void> }> {
  const database = await openEmptyDatabase()
  return { database, close: database.close }
}

export type JsonObject = Record<string, unknown>
export interface TestReply {
  status: number
  headers: Record<string, unknown>
  body: TestBody
}
/** A reply that a test walks through; what is not there is undefined. */
export interface TestBody {
  [name: string]: TestBody
  [index: number]: TestBody
}

export interface FoundRecord {
  segment: TestBody
  child_chunks: TestBody
  score: number
}

/** One field of each record of a list. */
export const listColumn = (records: TestBody | undefined, name: string): unknown[] =>
  (records as unknown as JsonObject[]).map((record) => record[name])

export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
export const anyUuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/) as string
export const anyInteger = expect.any(Number) as number

/** A process rule with a segmentation of its own, and with switches of the pre-processing. */
export const createCustomRule = (segmentation: JsonObject, switches: Record<string, boolean> = {}) => ({
  mode: 'custom',
  rules: {
    pre_processing_rules: Object.entries(switches).map(([id, enabled]) => ({ id, enabled })),
    segmentation: { separator: '\n', max_tokens: 200, ...segmentation },
  },
})

/** Settings of a document that make a segment of each line. */
export const SEGMENT_PER_LINE = { process_rule: createCustomRule({}) }

interface PlatformSettings {
  model?: Model | null
  sample?: boolean
}

/** The whole platform on a database, spoken to as a client would, with the knowledge key. */
export async function openPlatform(database: Database, { model = null, sample = false }: PlatformSettings = {}) {
  const log = pino({ level: 'silent' })
  const app = await buildPlatform({ database, keys: TEST_KEYS, model, log, version: '0.0.0', sample })
  await app.ready()
  return { app, ...createClient(app), close: () => app.close() }
}
export type OpenPlatform = Awaited<ReturnType<typeof openPlatform>>

interface TestPlatform extends OpenPlatform {
  database: Database
  /** The address of its interface, for clients that do not go through `send`. */
  base: string
  /** Closes it and opens another one on the same database. */
  reopen: (settings?: PlatformSettings) => Promise<void>
}

/** For a file of tests: a database and a platform on it, open before the first test and closed after the last one. */
export function setupPlatform(settings: PlatformSettings = {}): TestPlatform {
  const platform = {} as TestPlatform
  let store: Awaited<ReturnType<typeof openPlatformDatabase>> | null = null
  const open = async (database: Database, given: PlatformSettings) => {
    Object.assign(platform, await openPlatform(database, given))
    await platform.app.listen({ port: 0, host: '127.0.0.1' })
    platform.base = `http://127.0.0.1:${(platform.app.server.address() as AddressInfo).port}/v1`
  }
  platform.reopen = async (given = {}) => {
    await platform.close()
    await open(platform.database, given)
  }
  beforeAll(async () => {
    store = await openPlatformDatabase()
    platform.database = store.database
    await open(store.database, settings)
  })
  afterAll(async () => {
    await platform.close()
    await store?.close()
  })
  return platform
}

function createClient(app: FastifyInstance) {
  const send = async (
    method: Method,
    path: string,
    payload?: JsonObject,
    headers: JsonObject = {},
  ): Promise<TestReply> => {
    const reply = await app.inject({
      method,
      url: `/v1${path}`,
      headers: { authorization: 'Bearer key-knowledge', ...(headers as Record<string, string>) },
      ...(payload === undefined ? {} : { payload }),
    })
    return { status: reply.statusCode, headers: reply.headers, body: parseBody(reply.body) }
  }
  const upload = async (path: string, parts: FormData): Promise<TestReply> => {
    const request = new Request('http://localhost', { method: 'POST', body: parts })
    const reply = await app.inject({
      method: 'POST',
      url: `/v1${path}`,
      headers: {
        authorization: 'Bearer key-knowledge',
        'content-type': request.headers.get('content-type') ?? '',
      },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    return { status: reply.statusCode, headers: reply.headers, body: parseBody(reply.body) }
  }
  const newDataset = async (settings: JsonObject = {}): Promise<string> =>
    (await send('POST', '/datasets', { name: `Dataset ${randomUUID().slice(0, 8)}`, ...settings })).body[
      'id'
    ] as unknown as string
  const settle = (dataset_id: string, document_id: string) =>
    vi.waitFor(
      async () => {
        const { body } = await send('GET', `/datasets/${dataset_id}/documents/${document_id}`)
        if (!['completed', 'error'].includes(String(body['indexing_status']))) throw new Error('still indexing')
        return body
      },
      { interval: 20 },
    )
  /** Adds a document and waits until it is indexed, or is not to be. */
  const addText = async (dataset_id: string, text: string, settings: JsonObject = {}): Promise<TestBody> => {
    const { body, status } = await send('POST', `/datasets/${dataset_id}/document/create-by-text`, {
      name: 'Document',
      text,
      ...settings,
    })
    if (status !== 200) throw new Error(`not added: ${JSON.stringify(body)}`)
    return settle(dataset_id, String(body['document']?.['id']))
  }
  const updateText = (dataset_id: string, document_id: unknown, body: JsonObject) =>
    send('POST', `/datasets/${dataset_id}/documents/${String(document_id)}/update-by-text`, body)
  const setStatus = (dataset_id: string, action: string, document_ids: unknown[]) =>
    send('PATCH', `/datasets/${dataset_id}/documents/status/${action}`, { document_ids })
  const readDocument = async (dataset_id: string, document_id: unknown) =>
    (await send('GET', `/datasets/${dataset_id}/documents/${String(document_id)}`)).body
  const listSegments = async (dataset_id: string, document_id: unknown, page = 1) =>
    (await send('GET', `/datasets/${dataset_id}/documents/${String(document_id)}/segments?limit=100&page=${page}`)).body
  const listContents = async (dataset_id: string, document_id: unknown) =>
    listColumn((await listSegments(dataset_id, document_id))['data'], 'content')
  const retrieve = async (dataset_id: string, query: string, retrieval_model?: object): Promise<FoundRecord[]> => {
    const { status, body } = await send('POST', `/datasets/${dataset_id}/retrieve`, { query, retrieval_model })
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body['records'] as unknown as FoundRecord[]
  }
  const retrieveContents = async (...question: Parameters<typeof retrieve>): Promise<string[]> =>
    (await retrieve(...question)).map(({ segment }) => segment['content'] as unknown as string)
  return {
    send,
    upload,
    newDataset,
    settle,
    addText,
    updateText,
    setStatus,
    readDocument,
    listSegments,
    listContents,
    retrieve,
    retrieveContents,
  }
}

const overtakenContext = new AsyncLocalStorage<true>()
/** Sends a request, and another one between its reads and its transaction. */
export function sendOvertaken(
  database: Database,
  request: () => Promise<TestReply>,
  overtaking: () => Promise<TestReply>,
): Promise<TestReply> {
  const { transaction } = database
  const spy = vi.spyOn(database, 'transaction').mockImplementation(async (work) => {
    // The queue has transactions too.
    if (!overtakenContext.getStore()) return transaction(work)
    spy.mockRestore()
    const { status } = await overtakenContext.exit(overtaking)
    if (status >= 400) throw new Error(`the other request was refused with ${status}`)
    return transaction(work)
  })
  return overtakenContext.run(true, request)
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

const parseBody = (text: string): TestBody => (text === '' ? null : JSON.parse(text)) as unknown as TestBody
