import type { FastifyInstance } from 'fastify'
import { registerChildChunkRoutes } from './childChunkRoutes.ts'
import { registerDatasetRoutes } from './datasetRoutes.ts'
import { registerDocumentRoutes } from './documentRoutes.ts'
import { registerFileRoutes } from './fileRoutes.ts'
import { registerDownloadRoutes } from './downloads/downloadRoutes.ts'
import { registerDryRunRoute } from './dryRun/dryRunRoute.ts'
import type { KnowledgeContext } from './knowledgeContext.ts'
import { registerMetadataRoutes } from './metadata/metadataRoutes.ts'
import { registerModelRoutes } from './modelRoutes.ts'
import { registerRetrievalRoutes } from './retrievalRoutes.ts'
import { registerSegmentRoutes } from './segmentRoutes.ts'
import { registerTagRoutes } from './tags/tagRoutes.ts'

/** Operations 1 to 10, and the optional ones on datasets, their tags and metadata, documents, segments and child chunks. */
export function registerKnowledgeRoutes(app: FastifyInstance, context: KnowledgeContext): void {
  registerDatasetRoutes(app, context)
  registerTagRoutes(app, context)
  registerMetadataRoutes(app, context)
  registerDocumentRoutes(app, context)
  registerDownloadRoutes(app, context)
  registerFileRoutes(app, context)
  registerSegmentRoutes(app, context)
  registerChildChunkRoutes(app, context)
  registerRetrievalRoutes(app, context)
  registerDryRunRoute(app, context)
  registerModelRoutes(app, context)
}
