import { BackgroundJob } from '../../jobs/backgroundJob.ts'
import type { PlatformContext } from '../platformContext.ts'
import type { VectorSearch } from '../retrieval/vectorSearch.ts'
import { deleteRemoved } from './deleteSegments.ts'
import { claimDocuments, endClaim, isSmall, renewLeases, requeueRun, type ClaimedDocument } from './documentClaims.ts'
import { EmbeddingError } from './embedding/embeddingRequests.ts'
import { getEmbedder, indexDocument, type IndexingDeps } from './indexDocument.ts'
import { isTransient, SupersededError, toFailureReason } from './indexingFailure.ts'
import { indexTogether } from './indexTogether.ts'
import { createPassageEmbedder } from './embedding/passageEmbedding.ts'
import { createPendingEmbedding } from './embedding/pendingEmbedding.ts'
import { createTermUpgrade } from './termUpgrade.ts'
import type { WorkerPool } from './workerPool.ts'

/** Indexes waiting documents, small ones together, with limited concurrency, and deletes removed rows. */
export interface IndexingQueue {
  /** Call it after a document starts waiting, or something was removed. */
  runSoon: () => void
  start: () => Promise<void>
  stop: () => Promise<void>
}

/** Concurrent runs, each of one large document or several small ones. One run is reserved for quick documents. */
const MAX_RUNS = 3
const MAX_SLOW_RUNS = 2
/** Poll interval in ms for documents of other servers, and for those whose run failed with a database error. */
const POLL_INTERVAL_MS = 5_000
/** Minimum interval in ms between two claims: documents that arrive within it are indexed together. */
const CLAIM_INTERVAL_MS = 50
/** Minimum interval in ms between searches for quick documents behind slow ones: they read the whole queue. */
const QUICK_SEARCH_INTERVAL_MS = 500

export function createIndexingQueue(
  context: PlatformContext,
  workerPool: WorkerPool,
  vectors: VectorSearch,
): IndexingQueue {
  const { database, log } = context
  const embedder = createPassageEmbedder(context, vectors)
  const embedPending = createPendingEmbedding(database.pool, embedder)
  const running = new Map<string, { isSlow: boolean; ended: Promise<void> }>()
  let renewedAt = 0
  let claimedAt = 0
  /** When quick documents may be searched again. */
  let nextSearchAt = 0
  const upgradeTerms = createTermUpgrade(database)
  /** Whether the pending list of the term index may have entries. */
  let hasPendingTerms = true
  let timer: NodeJS.Timeout | undefined
  const runLater = (waitMs: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => job.runSoon(), waitMs).unref()
  }

  const poll = async (stopSignal: AbortSignal): Promise<void> => {
    if (performance.now() - renewedAt >= POLL_INTERVAL_MS) {
      await renewLeases(context, [...running.keys()])
      renewedAt = performance.now()
    }
    const isQuickOnly = [...running.values()].filter(({ isSlow }) => isSlow).length >= MAX_SLOW_RUNS
    if (running.size < MAX_RUNS) {
      const waitMs = Math.max(claimedAt + CLAIM_INTERVAL_MS, isQuickOnly ? nextSearchAt : 0) - performance.now()
      if (waitMs > 0) return runLater(waitMs)
      if (isQuickOnly) nextSearchAt = performance.now() + QUICK_SEARCH_INTERVAL_MS
      const documents = await claimDocuments(context, isQuickOnly)
      if (documents.length > 0) {
        claimedAt = performance.now()
        startRun(documents, stopSignal)
        return runLater(CLAIM_INTERVAL_MS)
      }
    }
    while (isIdle() && (await deleteRemoved(database.pool)));
    while (isIdle() && (await upgradeTerms()));
    while (isIdle() && (await embedPending(stopSignal)));
    if (!isIdle() || !hasPendingTerms) return
    hasPendingTerms = false
    // Every search reads this list in full.
    await database.pool.query(`SELECT gin_clean_pending_list('platform.passages_by_terms')`)
  }

  const startRun = (documents: readonly ClaimedDocument[], stopSignal: AbortSignal): void => {
    const tools = { context, workerPool, embedder, stopSignal, fail }
    const run = documents[0]?.run ?? ''
    const isSlow = documents.some((document) => !isSmall(document) || getEmbedder(tools, document) !== null)
    const ended = indexRun(tools, run, documents).finally(() => {
      running.delete(run)
      hasPendingTerms = true
      job.runSoon()
    })
    running.set(run, { isSlow, ended })
  }

  const isIdle = () => running.size === 0 && !job.isRequested && !job.isStopped

  const logFailure = (error: unknown): void => {
    const what = error instanceof EmbeddingError ? 'embedding model failed' : 'indexing queue failed'
    if (!job.isStopped) log.error({ err: error }, what)
  }

  const job = new BackgroundJob({ run: poll, onError: logFailure, intervalMs: POLL_INTERVAL_MS })

  const indexRun = async (tools: IndexingDeps, run: string, documents: readonly ClaimedDocument[]): Promise<void> => {
    try {
      // Documents that were completed before a failure are no longer claimed, and are skipped.
      const alone = await indexTogether(tools, documents).catch((error: unknown) => {
        if (tools.stopSignal.aborted || isTransient(error)) throw error
        log.warn({ err: error }, 'index documents together failed')
        return documents
      })
      for (const document of alone) {
        tools.stopSignal.throwIfAborted()
        await indexDocument(tools, document).catch((error: unknown) => fail(document, error))
      }
    } catch (error) {
      if (!tools.stopSignal.aborted) log.warn({ err: error }, 'index documents failed')
      await requeueRun(context, run).catch(logFailure)
    }
  }

  const fail: IndexingDeps['fail'] = async (document, error) => {
    if (error instanceof SupersededError) return
    if (!job.isStopped) log.warn({ err: error, document_id: document.id }, 'index document failed')
    await endClaim(context, document, job.isStopped ? null : toFailureReason(error)).catch(logFailure)
  }

  return {
    runSoon: () => {
      hasPendingTerms = true
      job.runSoon()
    },
    async start() {
      // The embedded database has only this server: any running claim is stale.
      if (database.kind === 'pglite')
        await database.pool.query(
          `UPDATE platform.documents SET run = NULL, lease_until = NULL WHERE indexing_status NOT IN ('completed', 'error')`,
        )
      // The model may have changed since the last start.
      await database.pool.query(
        `UPDATE platform.datasets SET embedding_pending = true WHERE indexing_technique = 'high_quality'`,
      )
      job.start()
      job.runSoon()
    },
    async stop() {
      job.stop()
      await job.whenIdle()
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}
