import type { PlatformContext } from '../platformContext.ts'
import type { IndexingQueue } from '../indexing/indexingQueue.ts'
import type { WorkerPool } from '../indexing/workerPool.ts'

/** Context of the routes of datasets, documents, segments and child chunks. */
export interface KnowledgeContext extends PlatformContext {
  indexingQueue: IndexingQueue
  workerPool: WorkerPool
}
