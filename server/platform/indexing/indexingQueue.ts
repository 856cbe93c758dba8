import { randomUUID } from 'node:crypto'
import { BackgroundJob } from '../../jobs/backgroundJob.ts'
import type { PlatformContext } from '../platformContext.ts'
import type { VectorSearch } from '../retrieval/vectorSearch.ts'
import { embedPending, EmbeddingError } from './passageEmbedding.ts'
import { deleteRemoved } from './deleteSegments.ts'
import { createTermUpgrade } from './termUpgrade.ts'
import { indexDocument, IndexingError, SupersededError, type Claim } from './indexDocument.ts'
import type { WorkerPool } from './workerPool.ts'

/** Indexes waiting documents, with limited concurrency, and deletes removed rows. */
export interface IndexingQueue {
  /** To be called after a document starts waiting, or something was removed. */
  runSoon: () => void
  start: () => Promise<void>
  stop: () => Promise<void>
}

const MAX_CONCURRENT_DOCUMENTS = 2
/**
 * Lease in ms, by the database's clock: a run without a heartbeat for this long is dead, and another server claims its
 * document.
 */
const LEASE_MS = 60_000
/** Poll interval in ms for documents of other servers, and for those whose run failed with a database error. */
const POLL_INTERVAL_MS = 5_000

export function createIndexingQueue(
  context: PlatformContext,
  workerPool: WorkerPool,
  vectors: VectorSearch,
): IndexingQueue {
  const { database, log } = context
  const running = new Map<string, Promise<void>>()
  const upgradeTerms = createTermUpgrade(database)

  const poll = async (stopSignal: AbortSignal): Promise<void> => {
    await renewLeases(context, [...running.keys()])
    while (running.size < MAX_CONCURRENT_DOCUMENTS && !stopSignal.aborted) {
      const claim = await claimNext(context)
      if (!claim) break
      running.set(
        claim.run,
        indexClaim(claim, stopSignal).finally(() => {
          running.delete(claim.run)
          job.runSoon()
        }),
      )
    }
    while (isIdle() && (await deleteRemoved(database.pool)));
    while (isIdle() && (await upgradeTerms()));
    while (isIdle() && (await embedPending({ context, vectors, stopSignal })));
  }

  const isIdle = () => running.size === 0 && !job.isRequested && !job.isStopped

  const logFailure = (error: unknown): void => {
    if (job.isStopped) return
    const what = error instanceof EmbeddingError ? 'embedding model failed' : 'indexing queue failed'
    log.error({ err: error }, what)
  }

  const job = new BackgroundJob({ run: poll, onError: logFailure, intervalMs: POLL_INTERVAL_MS })

  const indexClaim = async (claim: Claim, stopSignal: AbortSignal): Promise<void> => {
    try {
      await indexDocument({ context, workerPool, vectors, leaseMs: LEASE_MS, stopSignal }, claim)
    } catch (error) {
      if (error instanceof SupersededError) return
      const reason = toFailureReason(error)
      if (!stopSignal.aborted) log.warn({ err: error, document_id: claim.id }, 'index document failed')
      const pendingUpdate =
        reason && !stopSignal.aborted ? markFailed(context, claim, reason) : requeueClaim(context, claim)
      await pendingUpdate.catch(logFailure)
    }
  }

  return {
    runSoon: () => job.runSoon(),
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
      await Promise.all(running.values())
    },
  }
}

/** The error to store with the document; null for transient ones, such as a lost connection: then it waits again. */
function toFailureReason(error: unknown): string | null {
  if (error instanceof IndexingError || error instanceof EmbeddingError) return error.message
  return isTransient(error) ? null : 'The server met a fault while it indexed this document. Its log has the reason.'
}

/** Lost connections, deadlocks, insufficient resources, a server shutdown: SQLSTATE classes 08, 40, 53, 55, 57. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    /^(08|40|53|55|57)...$|^E[A-Z]{4,}$/.test(code) || /connection terminated|timeout exceeded/i.test(error.message)
  )
}

async function claimNext({ database, clock }: PlatformContext): Promise<Claim | null> {
  const now = clock()
  const { rows } = await database.pool.query<Omit<Claim, 'began'>>(
    `UPDATE platform.documents
        SET indexing_status = 'parsing', run = $1, lease_until = now() + $2 * interval '1 millisecond', processing_started_at = $3, error = NULL,
            parsing_completed_at = NULL, cleaning_completed_at = NULL, splitting_completed_at = NULL,
            completed_at = NULL, stopped_at = NULL, total_segments = NULL
      WHERE id = (SELECT id FROM platform.documents
                   WHERE indexing_status NOT IN ('completed', 'error') AND removed_at IS NULL
                     AND (run IS NULL OR lease_until < now())
                   ORDER BY queued_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, dataset_id, version, run`,
    [randomUUID(), LEASE_MS, new Date(now)],
  )
  const row = rows[0]
  return row ? { ...row, began: new Date(now) } : null
}

async function renewLeases({ database }: PlatformContext, runs: string[]): Promise<void> {
  if (runs.length === 0) return
  await database.pool.query(
    `UPDATE platform.documents SET lease_until = now() + $2 * interval '1 millisecond' WHERE run = ANY($1::uuid[])`,
    [runs, LEASE_MS],
  )
}

async function markFailed({ database, clock }: PlatformContext, claim: Claim, reason: string): Promise<void> {
  await database.pool.query(
    `UPDATE platform.documents
        SET indexing_status = 'error', error = $4, stopped_at = $5, run = NULL, lease_until = NULL
      WHERE id = $1 AND version = $2 AND run = $3`,
    [claim.id, claim.version, claim.run, reason, new Date(clock())],
  )
}

/** Returns the document to waiting, for the next start or poll. */
async function requeueClaim({ database }: PlatformContext, claim: Claim): Promise<void> {
  await database.pool.query(
    `UPDATE platform.documents SET indexing_status = 'waiting', run = NULL, lease_until = NULL
      WHERE id = $1 AND version = $2 AND run = $3`,
    [claim.id, claim.version, claim.run],
  )
}
