import type { PlatformContext } from '../platformContext.ts'
import type { IndexingQueue } from '../indexing/indexingQueue.ts'
import type { WorkerPool } from '../indexing/workerPool.ts'
import type { Ranking, RankingInput } from '../retrieval/retrieve.ts'

/** Context of the routes of datasets, documents, segments and child chunks. */
export interface KnowledgeContext extends PlatformContext {
  indexingQueue: IndexingQueue
  workerPool: WorkerPool
  /** Ranks segments as they would be; counts no hits. */
  rank: (input: RankingInput) => Promise<Ranking>
}
