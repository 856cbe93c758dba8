import type { FastifyInstance } from 'fastify'
import type { PlatformContext } from '../platformContext.ts'
import type { IndexingQueue } from '../indexing/indexingQueue.ts'
import type { WorkerPool } from '../indexing/workerPool.ts'
import { registerChildChunkRoutes } from './childChunkRoutes.ts'
import { registerDatasetRoutes } from './datasetRoutes.ts'
import { registerDocumentRoutes } from './documentRoutes.ts'
import { registerFileRoutes } from './fileRoutes.ts'
import { registerModelRoutes } from './modelRoutes.ts'
import { registerRetrievalRoutes } from './retrievalRoutes.ts'
import { registerSegmentRoutes } from './segmentRoutes.ts'

/** What the routes of the knowledge half work with. */
export interface KnowledgeContext extends PlatformContext {
  indexingQueue: IndexingQueue
  workerPool: WorkerPool
}

/** Operations 1 to 10, and the adjacent ones on datasets, documents, segments and child chunks. */
export function registerKnowledgeRoutes(app: FastifyInstance, context: KnowledgeContext): void {
  registerDatasetRoutes(app, context)
  registerDocumentRoutes(app, context)
  registerFileRoutes(app, context)
  registerSegmentRoutes(app, context)
  registerChildChunkRoutes(app, context)
  registerRetrievalRoutes(app, context)
  registerModelRoutes(app, context)
}
