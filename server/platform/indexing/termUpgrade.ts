import type { PoolClient } from 'pg'
import { ADVISORY_LOCKS } from '../../db/advisoryLocks.ts'
import type { Database } from '../../db/database.ts'
import { toTermVector } from '#domain/keywordSearch/termVector.ts'
import { TERMS_VERSION } from '../retrieval/termsVersion.ts'
import { HAS_SEGMENT_SQL, PASSAGE_TEXT_SQL } from './segmentStore.ts'

/** Passages per transaction, so that neither the database nor this thread is blocked for long. */
const PASSAGES_PER_BATCH = 50

interface OutdatedPassage {
  id: string
  title: string
  text: string
}

/**
 * Gives passages the terms of the current version, a few with each call, which says whether there may be more. A dataset
 * is searched meanwhile: its passages are found by the terms that both versions share.
 */
export function createTermUpgrade(database: Database): () => Promise<boolean> {
  // The last upgraded passage, so that those before it are not read again with every call.
  let reached = { dataset_id: '', id: FIRST_ID }
  return () =>
    database.transaction(async (client) => {
      const { rows: datasets } = await client.query<{ id: string }>(
        `SELECT id FROM platform.datasets WHERE terms_version < $1 AND removed_at IS NULL ORDER BY id LIMIT 1`,
        [TERMS_VERSION],
      )
      const [dataset] = datasets
      if (!dataset || !(await lockTermUpgrade(client))) return false
      await lockTotals(client, dataset.id)
      const after = reached.dataset_id === dataset.id ? reached.id : FIRST_ID
      const { rows: passages } = await client.query<OutdatedPassage>(
        `SELECT p.id, d.name AS title, ${PASSAGE_TEXT_SQL} AS text
           FROM (SELECT id, document_id, segment_id, child_chunk_id FROM platform.passages p
                  WHERE dataset_id = $1 AND id > $2 AND terms_version < $3
                    AND ${HAS_SEGMENT_SQL} ORDER BY id LIMIT ${PASSAGES_PER_BATCH} FOR UPDATE SKIP LOCKED) p
           JOIN platform.documents d ON d.id = p.document_id
           JOIN platform.segments s ON s.id = p.segment_id
           LEFT JOIN platform.child_chunks c ON c.id = p.child_chunk_id
          ORDER BY p.id`,
        [dataset.id, after, TERMS_VERSION],
      )
      const last = passages.at(-1)
      if (!last) {
        reached = { dataset_id: '', id: FIRST_ID }
        return completeDataset(client, dataset.id)
      }
      const rows = passages.map(({ id, title, text }) => ({
        id,
        ...toTermVector(text, { dataset_id: dataset.id, title }),
      }))
      await client.query(
        `UPDATE platform.passages p SET terms = row.terms, length = row.length, terms_version = $2
           FROM json_to_recordset($1::json) AS row (id uuid, terms int4[], length int4) WHERE p.id = row.id`,
        [JSON.stringify(rows), TERMS_VERSION],
      )
      reached = { dataset_id: dataset.id, id: last.id }
      return true
    })
}

/** One server upgrades at a time; another one goes on when this one stops. */
async function lockTermUpgrade(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
    ADVISORY_LOCKS.termUpgrade,
  ])
  return rows[0]?.locked ?? false
}

/** @returns false if a passage is left that was locked when its turn came: it is tried again later. */
async function completeDataset(client: PoolClient, dataset_id: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE platform.datasets SET terms_version = $2
      WHERE id = $1 AND NOT EXISTS (
        SELECT 1 FROM platform.passages p WHERE dataset_id = $1 AND terms_version < $2 AND ${HAS_SEGMENT_SQL})`,
    [dataset_id, TERMS_VERSION],
  )
  return rowCount !== 0
}

/**
 * Locks what every change of passages locks at last. A writer that has changed some passages and goes on to others would
 * otherwise wait for this upgrade, which waits for it.
 */
const lockTotals = (client: PoolClient, dataset_id: string) =>
  client.query(
    `INSERT INTO platform.passage_totals AS t (dataset_id, passages, length) VALUES ($1, 0, 0)
     ON CONFLICT (dataset_id) DO UPDATE SET passages = t.passages`,
    [dataset_id],
  )

/** Less than every random id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
