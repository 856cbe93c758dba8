import type { PlatformContext } from '../platformContext.ts'
import type { IndexingQueue } from '../indexing/indexingQueue.ts'
import type { WorkerPool } from '../indexing/workerPool.ts'

/** What the routes of datasets, documents, segments and child chunks work with. */
export interface KnowledgeContext extends PlatformContext {
  indexingQueue: IndexingQueue
  workerPool: WorkerPool
}
