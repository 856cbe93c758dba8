import type { PoolClient } from 'pg'
import { ADVISORY_LOCKS } from '../../db/advisoryLocks.ts'
import type { Database } from '../../db/database.ts'
import { toTermVector } from '#domain/keywordSearch/termVector.ts'
import { toPassageText } from '#domain/retrieval/passageText.ts'
import { TERMS_VERSION } from '../retrieval/termsVersion.ts'
import { findKeywordsByHand } from './keywords.ts'
import { FIRST_ID, HAS_SEGMENT_SQL } from './segmentStore.ts'

/** Passages per transaction, so that neither the database nor this thread is blocked for long. */
const PASSAGES_PER_BATCH = 50

/**
 * Updates passages to the terms of the current version and of the current name of their document, a few per call;
 * each call returns whether there may be more. Searches continue meanwhile with the old terms.
 */
export function createTermUpgrade(database: Database): () => Promise<boolean> {
  // The last upgraded passage, so that earlier ones are not read again with every call.
  let reached = { scope: '', id: FIRST_ID }
  const upgradeNext = async (client: PoolClient, scope: string, condition: string, id: string): Promise<boolean> => {
    const after = reached.scope === scope ? reached.id : FIRST_ID
    const last = await updateTerms(client, `${condition} AND id > $2 ORDER BY id LIMIT ${PASSAGES_PER_BATCH}`, [
      id,
      after,
    ])
    reached = last === null ? { scope: '', id: FIRST_ID } : { scope, id: last }
    return last !== null
  }
  return () =>
    database.transaction(async (client) => {
      // One server upgrades at a time; another one continues when it stops.
      const { rows: locks } = await client.query<{ isHeld: boolean }>(
        'SELECT pg_try_advisory_xact_lock($1) AS "isHeld"',
        [ADVISORY_LOCKS.termUpgrade],
      )
      if (!locks[0]?.isHeld) return false
      const { rows: documents } = await client.query<{ id: string; dataset_id: string; name: string }>(
        `SELECT id, dataset_id, name FROM platform.documents WHERE retitled ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
      )
      const [document] = documents
      if (document) {
        const { id, dataset_id, name } = document
        await lockTotals(client, dataset_id)
        if (!(await upgradeNext(client, `${id} ${name}`, 'document_id = $1', id)))
          await client.query('UPDATE platform.documents SET retitled = false WHERE id = $1', [id])
        return true
      }
      const { rows: datasets } = await client.query<{ id: string }>(
        `SELECT id FROM platform.datasets WHERE terms_version < $1 AND removed_at IS NULL ORDER BY id LIMIT 1`,
        [TERMS_VERSION],
      )
      const [dataset] = datasets
      if (!dataset) return false
      await lockTotals(client, dataset.id)
      const condition = `dataset_id = $1 AND terms_version < ${TERMS_VERSION}`
      return (
        (await upgradeNext(client, dataset.id, condition, dataset.id)) || (await completeDataset(client, dataset.id))
      )
    })
}

/** After a document was renamed: the terms of a small document follow at once, others in the background. */
export async function updateTitleTerms(client: PoolClient, document_id: string): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM platform.passages WHERE document_id = $1 LIMIT ${PASSAGES_PER_BATCH + 1}`,
    [document_id],
  )
  if ((rowCount ?? 0) <= PASSAGES_PER_BATCH) await updateTerms(client, 'document_id = $1', [document_id])
  else await client.query('UPDATE platform.documents SET retitled = true WHERE id = $1', [document_id])
}

interface StoredPassage {
  id: string
  dataset_id: string
  title: string
  content: string
  answer: string | null
  keywords: string[]
  child: string | null
}

/**
 * Rebuilds the terms of the passages that meet a condition, except those that others are changing. Their vectors
 * stay.
 * @returns the id of the last; null if there is none
 */
export async function updateTerms(client: PoolClient, condition: string, values: unknown[]): Promise<string | null> {
  const { rows: passages } = await client.query<StoredPassage>(
    `SELECT p.id, p.dataset_id, d.name AS title, s.content, s.answer, s.keywords, c.content AS child
       FROM (SELECT id, dataset_id, document_id, segment_id, child_chunk_id FROM platform.passages p
              WHERE ${HAS_SEGMENT_SQL} AND ${condition} FOR NO KEY UPDATE SKIP LOCKED) p
       JOIN platform.documents d ON d.id = p.document_id
       JOIN platform.segments s ON s.id = p.segment_id
       LEFT JOIN platform.child_chunks c ON c.id = p.child_chunk_id
      ORDER BY p.id`,
    values,
  )
  const rows = passages.map(({ id, dataset_id, title, keywords, child, ...segment }) => {
    const text = toPassageText(segment)
    return { id, ...toTermVector(child ?? text, { dataset_id, title, keywords: findKeywordsByHand(keywords, text) }) }
  })
  await client.query(
    `UPDATE platform.passages p SET terms = row.terms, length = row.length, terms_version = $2
       FROM json_to_recordset($1::json) AS row (id uuid, terms int4[], length int4) WHERE p.id = row.id`,
    [JSON.stringify(rows), TERMS_VERSION],
  )
  return passages.at(-1)?.id ?? null
}

/** @returns false if a passage was locked and remains: it is retried later */
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
 * Locks what every change of passages locks last. Otherwise a writer that continues with further passages would wait
 * for this upgrade, which waits for the writer.
 */
const lockTotals = (client: PoolClient, dataset_id: string) =>
  client.query(
    `INSERT INTO platform.passage_totals AS t (dataset_id, passages, length) VALUES ($1, 0, 0)
     ON CONFLICT (dataset_id) DO UPDATE SET passages = t.passages`,
    [dataset_id],
  )
