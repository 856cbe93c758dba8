import { randomBytes } from 'node:crypto'
import multipart from '@fastify/multipart'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Database } from '../db/database.ts'
import { registerAppRoutes } from './apps/appRoutes.ts'
import { registerSignedFileRoute } from './apps/files/fileContentRoutes.ts'
import { createFileLinks } from './apps/files/fileLinks.ts'
import type { PlatformContext } from './platformContext.ts'
import type { KnowledgeContext } from './datasets/knowledgeContext.ts'
import { registerKnowledgeRoutes } from './datasets/knowledgeRoutes.ts'
import { sendPlatformError, PlatformError } from './platformErrors.ts'
import { FIXED_HEADERS, registerRequestGate, type RequestGateOptions } from './requestGate.ts'
import { createIndexingQueue } from './indexing/indexingQueue.ts'
import { createWorkerPool } from './indexing/workerPool.ts'
import { acceptEmptyJsonBodies } from './platformRoute.ts'
import type { Model } from './model/model.ts'
import { rankSegments, retrieve } from './retrieval/retrieve.ts'
import { createVectorSearch } from './retrieval/vectorSearch.ts'
import { addSampleDataset } from './sample/sampleDataset.ts'

export interface PlatformOptions extends RequestGateOptions {
  database: Database
  model: Model | null
  log: FastifyBaseLogger
  /** Signs the links to uploaded files; without one, links are valid until the platform stops. */
  linkSecret?: Buffer
  /** Scheme and host under which others reach the platform; default: those of each request. */
  publicOrigin?: string | null
  /** Current time in epoch ms. */
  clock?: () => number
  /** Addresses of trusted proxies, whose forwarded client address is accepted; none if absent. */
  isProxy?: (address: string) => boolean
  /** Whether a new platform gets the sample dataset; false for an empty one. */
  sample?: boolean
}

/** Maximum bytes of a JSON body: 15 MB of text plus escapes. */
const MAX_BODY_BYTES = 32 * 1024 * 1024

/**
 * The built-in platform: all operations of the interface under `/v1`, on the given database. `ready()` starts its
 * indexing queue, `close()` stops it.
 */
export async function buildPlatform(options: PlatformOptions): Promise<FastifyInstance> {
  const { database, keys, model, log, clock = Date.now, version, sample = true, isProxy } = options
  const vectors = createVectorSearch(database)
  const workerPool = createWorkerPool()
  const context: PlatformContext = {
    database,
    keys,
    model,
    log,
    clock,
    retrieve: (question) => retrieve(context, { vectors }, question),
    extract: workerPool.extractText,
    countTokens: workerPool.countTokens,
    fileLinks: createFileLinks({
      secret: options.linkSecret ?? randomBytes(32),
      publicOrigin: options.publicOrigin ?? null,
      clock,
    }),
  }
  const indexingQueue = createIndexingQueue(context, workerPool, vectors)
  const knowledgeContext: KnowledgeContext = {
    ...context,
    indexingQueue,
    workerPool,
    rank: (input) => rankSegments(context, { vectors }, input),
  }

  const app = fastify({
    // As in server/app.ts: interrupted indexing is resumed before it is ready.
    pluginTimeout: 0,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: true,
    trustProxy: isProxy ?? false,
    // Errors of the router itself (a parameter that is too long, a broken escape) also get the platform's error
    // shape.
    frameworkErrors: (error, request, reply) => void sendPlatformError(error, request, reply.headers(FIXED_HEADERS)),
  })
  app.removeContentTypeParser('text/plain')
  acceptEmptyJsonBodies(app)
  const paths = trackPaths(app)
  app.decorateRequest('caller', null)
  app.setErrorHandler(sendPlatformError)
  app.setNotFoundHandler(({ method, url }) => {
    const allowed = paths.methodsOf(url)
    if (allowed.length === 0) throw new PlatformError(404, 'not_found', 'Path not found.')
    throw new PlatformError(405, 'method_not_allowed', `${method} is not answered here, but ${allowed.join(' and ')}.`)
  })
  await registerRequestGate(app, options)
  await app.register(multipart)
  registerSignedFileRoute(app, context)
  await app.register(
    async (v1) => {
      v1.get('/', () => ({ welcome: 'Loupe', api_version: 'v1', server_version: version }))
      registerKnowledgeRoutes(v1, knowledgeContext)
      registerAppRoutes(v1, context)
    },
    { prefix: '/v1' },
  )
  app.addHook('onReady', async () => {
    if (sample) await addSampleDataset(knowledgeContext)
    await indexingQueue.start()
  })
  app.addHook('onClose', async () => {
    await indexingQueue.stop()
    await workerPool.close()
  })
  return app
}

/** Records the registered paths, to distinguish a wrong method from a wrong path. */
function trackPaths(app: FastifyInstance) {
  const served: { pattern: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const path = url.replace(/:\w+\(\^(.+?)\$\)/g, '$1').replace(/:\w+/g, '[^/]+')
    const pattern = new RegExp(`^${path}(\\?.*)?$`)
    served.push({ pattern, methods: [method].flat() })
  })
  const methodsOf = (url: string): string[] => [
    ...new Set(served.filter(({ pattern }) => pattern.test(url)).flatMap(({ methods }) => methods)),
  ]
  return { methodsOf }
}
