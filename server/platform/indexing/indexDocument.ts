import type { PoolClient } from 'pg'
import type { DocumentFormKind, StoredProcessRule } from '#domain/chunking/chunkingPlan.ts'
import type { PlatformContext } from '../platformContext.ts'
import type { VectorSearch } from '../retrieval/vectorSearch.ts'
import { embedPassages } from './passageEmbedding.ts'
import type { ChunkingStage } from './chunkDocument.ts'
import { deleteSegments } from './deleteSegments.ts'
import { storeSegments } from './segmentStore.ts'
import type { WorkerPool } from './workerPool.ts'

/** A document claimed by a worker of the queue. */
export interface Claim {
  id: string
  dataset_id: string
  version: number
  run: string
  began: Date
}

/** The document was updated, deleted or claimed by another worker: this run stops. */
export class SupersededError extends Error {}
/** The document cannot be indexed; the reason is stored with it. */
export class IndexingError extends Error {}

export interface IndexingDeps {
  context: PlatformContext
  workerPool: WorkerPool
  vectors: VectorSearch
  /** Duration of a claim without renewal, in ms. */
  leaseMs: number
  stopSignal: AbortSignal
}

/**
 * Indexes one document. Every step is written only while the claim is valid.
 * @throws Superseded, IndexingFailure; database errors.
 */
export async function indexDocument(tools: IndexingDeps, claim: Claim): Promise<void> {
  const { database, clock } = tools.context
  const { text, title, extension, rule, form, technique } = await readSource(tools, claim)
  await updateProgress(tools, claim, { indexing_status: 'cleaning', parsing_completed_at: true })
  const totals = { position: 1, tokens: 0, word_count: 0, passages: 0 }
  const stages = tools.workerPool.chunk({
    text,
    extension,
    rule,
    form,
    passageContext: { dataset_id: claim.dataset_id, title },
  })
  for await (const stage of withIndexingErrors(stages)) {
    tools.stopSignal.throwIfAborted()
    if (stage.stage === 'cleaned') {
      totals.word_count = stage.word_count
      await updateProgress(tools, claim, { indexing_status: 'splitting', cleaning_completed_at: true })
      await deleteSegments(database.pool, claim.id)
    } else if (stage.stage === 'split') {
      await updateProgress(tools, claim, {
        indexing_status: 'indexing',
        splitting_completed_at: true,
        total_segments: stage.total,
      })
    } else {
      const units = await database.transaction(async (client) => {
        await updateProgress(tools, claim, {}, client)
        const segmentPosition = { ...claim, document_id: claim.id, position: totals.position, now: new Date(clock()) }
        return (await storeSegments(client, stage.segments, segmentPosition)).units
      })
      if (technique === 'high_quality') await embedPassages(tools, claim.dataset_id, units)
      totals.position += stage.segments.length
      totals.passages += units.length
      totals.tokens += stage.segments.reduce((sum, { tokens }) => sum + tokens, 0)
    }
  }
  await markCompleted(tools, claim, totals)
}

interface SourceRow {
  text: string
  title: string
  extension: string
  rule: StoredProcessRule
  form: DocumentFormKind
  technique: string | null
}

async function readSource({ context }: IndexingDeps, claim: Claim): Promise<SourceRow> {
  const { rows } = await context.database.pool.query<Omit<SourceRow, 'rule'> & StoredProcessRule>(
    `SELECT s.text, d.name AS title, s.extension, r.mode, r.rules, d.doc_form AS form, t.indexing_technique AS technique
       FROM platform.documents d
       JOIN platform.sources s ON s.id = d.source_id
       JOIN platform.process_rules r ON r.id = d.process_rule_id
       JOIN platform.datasets t ON t.id = d.dataset_id
      WHERE d.id = $1 AND d.version = $2`,
    [claim.id, claim.version],
  )
  const row = rows[0]
  if (!row) throw new SupersededError()
  return { ...row, rule: { mode: row.mode, rules: row.rules } }
}

interface IndexingStep {
  indexing_status?: string
  total_segments?: number
  parsing_completed_at?: true
  cleaning_completed_at?: true
  splitting_completed_at?: true
}

/** Writes the changes and renews the lease. Inside a transaction it also blocks updates until the commit. */
async function updateProgress(
  { context, leaseMs }: IndexingDeps,
  claim: Claim,
  change: IndexingStep,
  client?: PoolClient,
): Promise<void> {
  const now = context.clock()
  const values: unknown[] = [claim.id, claim.version, claim.run, leaseMs]
  const settings = Object.entries(change).map(
    ([name, value]) => `, ${name} = $${values.push(value === true ? new Date(now) : value)}`,
  )
  const { rowCount } = await (client ?? context.database.pool).query(
    `UPDATE platform.documents SET lease_until = now() + $4 * interval '1 millisecond'${settings.join('')}
      WHERE id = $1 AND version = $2 AND run = $3 AND removed_at IS NULL`,
    values,
  )
  if (rowCount === 0) throw new SupersededError()
}

/** A failure in the worker pool is a failure of the document, not of the database. */
async function* withIndexingErrors(stages: AsyncGenerator<ChunkingStage>): AsyncGenerator<ChunkingStage> {
  try {
    yield* stages
  } catch (error) {
    throw toIndexingError(error)
  }
}

const toIndexingError = (error: unknown): IndexingError =>
  new IndexingError(error instanceof Error ? error.message : String(error), { cause: error })

interface IndexingTotals {
  tokens: number
  word_count: number
  passages: number
}

async function markCompleted(
  { context }: IndexingDeps,
  claim: Claim,
  { tokens, word_count, passages }: IndexingTotals,
): Promise<void> {
  const now = context.clock()
  const latency = (now - claim.began.getTime()) / 1000
  await context.database.transaction(async (client) => {
    const { rowCount } = await client.query(
      `UPDATE platform.documents
          SET indexing_status = 'completed', completed_at = $4, indexing_latency = $5, tokens = $6, word_count = $7,
              passages = $8, error = NULL, stopped_at = NULL, run = NULL, lease_until = NULL
        WHERE id = $1 AND version = $2 AND run = $3 AND removed_at IS NULL`,
      [claim.id, claim.version, claim.run, new Date(now), latency, tokens, word_count, passages],
    )
    if (rowCount === 0) throw new SupersededError()
    await client.query('UPDATE platform.datasets SET changed = changed + 1 WHERE id = $1', [claim.dataset_id])
  })
}
