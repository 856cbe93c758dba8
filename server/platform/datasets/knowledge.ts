import type { FastifyInstance } from 'fastify'
import type { PlatformContext } from '../context.ts'
import type { Queue } from '../indexing/queue.ts'
import type { Workshop } from '../indexing/workshop.ts'
import { childChunks } from './child-chunks.ts'
import { datasets } from './datasets.ts'
import { documents } from './documents.ts'
import { files } from './files.ts'
import { models } from './models.ts'
import { retrieval } from './retrieval.ts'
import { segments } from './segments.ts'

/** What the routes of the knowledge half work with. */
export interface Knowledge extends PlatformContext {
  queue: Queue
  workshop: Workshop
}

/** Operations 1 to 10, and the adjacent ones on datasets, documents, segments and child chunks. */
export function knowledge(app: FastifyInstance, context: Knowledge): void {
  datasets(app, context)
  documents(app, context)
  files(app, context)
  segments(app, context)
  childChunks(app, context)
  retrieval(app, context)
  models(app, context)
}
