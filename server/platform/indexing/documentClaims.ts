import { randomUUID } from 'node:crypto'
import type { DocumentFormKind, StoredProcessRule } from '#domain/chunking/chunkingPlan.ts'
import type { PlatformContext } from '../platformContext.ts'

/** A document claimed by a worker of the queue. Documents claimed together share their `run`. */
export interface Claim {
  id: string
  dataset_id: string
  version: number
  run: string
  began: Date
}

/** A claimed document with everything needed to index it. */
export interface ClaimedDocument extends Claim {
  title: string
  text: string
  extension: string
  rule: StoredProcessRule
  form: DocumentFormKind
  technique: string | null
  /** Number of its passages, counted up to `MAX_COUNTED_PASSAGES`. */
  stored_passages: number
}

/**
 * Lease in ms, by the database's clock: a run without a heartbeat for this long is dead, and another server claims its
 * documents.
 */
export const LEASE_MS = 60_000
/** Documents with at most this many bytes of text (UTF-8) are claimed and indexed together. */
const MAX_SMALL_TEXT_BYTES = 32 * 1024
/** Limits of a joint claim, which is in memory at once. */
const MAX_CLAIMED_DOCUMENTS = 32
const MAX_CLAIMED_TEXT_BYTES = 64 * 1024
/** Documents with more passages than this are replaced step by step. */
const MAX_COUNTED_PASSAGES = 200

export const isSmall = ({ text, stored_passages }: ClaimedDocument): boolean =>
  Buffer.byteLength(text) <= MAX_SMALL_TEXT_BYTES && stored_passages <= MAX_COUNTED_PASSAGES

/** Part of the index of waiting documents; without it all documents would be read. */
const IS_UNFINISHED_SQL = `indexing_status NOT IN ('completed', 'error')`
/** Documents that are indexed quickly; others wait for an embedding model, or are large. */
const IS_QUICK_SQL = `dataset_id IN (SELECT id FROM platform.datasets WHERE indexing_technique IS DISTINCT FROM 'high_quality')
          AND (SELECT octet_length(s.text) FROM platform.sources s WHERE s.id = source_id) <= ${MAX_SMALL_TEXT_BYTES}`

/**
 * Claims the document that has waited longest. If it is small, further small ones are claimed with it, and larger
 * ones in between keep waiting. Empty if none waits.
 * @param isQuickOnly claims only small documents without embedding
 */
export async function claimDocuments(context: PlatformContext, isQuickOnly: boolean): Promise<ClaimedDocument[]> {
  const { database, clock } = context
  const began = new Date(clock())
  const run: string = randomUUID()
  const { rows } = await database.pool.query<ClaimedRow>(
    `WITH waiting AS MATERIALIZED (
       SELECT id, source_id, queued_at FROM platform.documents
        WHERE ${IS_UNFINISHED_SQL} AND removed_at IS NULL
          AND (run IS NULL OR lease_until < now()) ${isQuickOnly ? `AND ${IS_QUICK_SQL}` : ''}
        ORDER BY queued_at LIMIT ${MAX_CLAIMED_DOCUMENTS} FOR UPDATE SKIP LOCKED
     ), sized AS (
       SELECT id, queued_at, (SELECT octet_length(s.text) FROM platform.sources s WHERE s.id = source_id) AS size
         FROM waiting
     ), summed AS (
       SELECT id, size, first_value(size) OVER by_age AS first_size,
              row_number() OVER by_age AS place,
              sum(size) FILTER (WHERE size <= ${MAX_SMALL_TEXT_BYTES}) OVER by_age AS total
         FROM sized WINDOW by_age AS (ORDER BY queued_at, id)
     ), chosen AS MATERIALIZED (
       SELECT id FROM summed
        WHERE place = 1 OR (first_size <= ${MAX_SMALL_TEXT_BYTES} AND size <= ${MAX_SMALL_TEXT_BYTES}
                            AND total <= ${MAX_CLAIMED_TEXT_BYTES})
     )
     UPDATE platform.documents d
        SET indexing_status = 'parsing', run = $1, lease_until = now() + $2 * interval '1 millisecond',
            processing_started_at = $3, error = NULL, parsing_completed_at = NULL, cleaning_completed_at = NULL,
            splitting_completed_at = NULL, completed_at = NULL, stopped_at = NULL, total_segments = NULL
      WHERE id = ANY(ARRAY(SELECT id FROM chosen))
      RETURNING id, dataset_id, version, name AS title, doc_form AS form, queued_at,
        (SELECT text FROM platform.sources s WHERE s.id = d.source_id) AS text,
        (SELECT extension FROM platform.sources s WHERE s.id = d.source_id) AS extension,
        (SELECT jsonb_build_object('mode', r.mode, 'rules', r.rules)
           FROM platform.process_rules r WHERE r.id = d.process_rule_id) AS rule,
        (SELECT indexing_technique FROM platform.datasets t WHERE t.id = d.dataset_id) AS technique,
        (SELECT count(*)::int4 FROM (SELECT FROM platform.passages p WHERE p.document_id = d.id
                                      LIMIT ${MAX_COUNTED_PASSAGES + 1}) AS rows) AS stored_passages`,
    [run, LEASE_MS, began],
  )
  const documents: ClaimedDocument[] = []
  for (const { text, queued_at: _, ...row } of rows.sort(byAge)) {
    const claim = { ...row, run, began }
    if (text !== null) documents.push({ ...claim, text })
    // Another server updated it while this statement began, which therefore could not read the new text.
    else await endClaim(context, claim, null)
  }
  return documents
}

interface ClaimedRow extends Omit<ClaimedDocument, 'text' | 'run' | 'began'> {
  text: string | null
  queued_at: Date
}

const byAge = (one: ClaimedRow, other: ClaimedRow): number => one.queued_at.getTime() - other.queued_at.getTime()

export const renewLeases = ({ database }: PlatformContext, runs: string[]) =>
  database.pool.query(
    `UPDATE platform.documents SET lease_until = now() + $2 * interval '1 millisecond'
      WHERE run = ANY($1::uuid[]) AND ${IS_UNFINISHED_SQL}`,
    [runs, LEASE_MS],
  )

/** Returns all unindexed documents of a run to waiting. */
export const requeueRun = ({ database }: PlatformContext, run: string) =>
  database.pool.query(
    `UPDATE platform.documents SET indexing_status = 'waiting', run = NULL, lease_until = NULL
      WHERE run = $1 AND ${IS_UNFINISHED_SQL}`,
    [run],
  )

/** Marks a document as failed for a reason, or returns it to waiting for the next poll. Only while the claim is valid. */
export const endClaim = ({ database, clock }: PlatformContext, claim: Claim, reason: string | null) =>
  database.pool.query(
    `UPDATE platform.documents
        SET indexing_status = $4, error = $5, stopped_at = $6, run = NULL, lease_until = NULL
      WHERE id = $1 AND version = $2 AND run = $3`,
    [claim.id, claim.version, claim.run, reason ? 'error' : 'waiting', reason, reason ? new Date(clock()) : null],
  )
