import type { Pool } from 'pg'
import type { Run } from '#contract/console/runs.ts'
import { SUMMARY_COLUMNS } from '../ledger/callRow.ts'
import type { CallRow } from '../ledger/callRow.ts'
import { toRun } from '../runs/toRun.ts'

export interface LedgerMessage {
  message_id: string
  run: Run | null
  /** The rating that was last given through this console; null if there is none, or it was removed. */
  rating: 'like' | 'dislike' | null
}

/** What the ledger knows of messages of one app; messages that it does not know are absent. */
export async function findRatedMessages(
  pool: Pool,
  { key_id, workspace_id }: { key_id: string; workspace_id: string },
  message_ids: readonly string[],
): Promise<LedgerMessage[]> {
  // PostgreSQL has no text with a NUL character.
  const ids = [...new Set(message_ids)].filter((id) => !id.includes('\u0000'))
  const given = [workspace_id, key_id, ids]
  const [turns, ratings] = await Promise.all([
    pool.query<CallRow>(
      `SELECT DISTINCT ON (calls.message_id) ${SUMMARY_COLUMNS}, people.name AS person
       FROM calls LEFT JOIN people ON people.id = calls.person_id
       WHERE calls.workspace_id = $1 AND calls.key_id = $2 AND calls.resource_ids && $3::text[]
         AND calls.message_id = ANY($3::text[]) AND calls.entry IN ('chat.send', 'completion.send')
       ORDER BY calls.message_id, calls.created_at DESC, calls.id`,
      given,
    ),
    // The request may contain text that the JSON operators reject, so it is compared as text.
    pool.query<{ message_id: string; rating: 'like' | 'dislike' | null }>(
      `SELECT DISTINCT ON (resource_ids[1]) resource_ids[1] AS message_id,
         substring(request::text FROM '"rating" ?: ?"(like|dislike)"') AS rating
       FROM calls WHERE workspace_id = $1 AND key_id = $2 AND resource_ids && $3::text[]
         AND resource_ids[1] = ANY($3::text[]) AND entry = 'adjacent.feedback' AND status = 'succeeded'
       ORDER BY resource_ids[1], created_at DESC`,
      given,
    ),
  ])
  const runs = new Map(turns.rows.map((row) => [row.message_id, toRun(row)]))
  const ratingsHere = new Map(ratings.rows.map(({ message_id, rating }) => [message_id, rating]))
  return ids.flatMap((message_id) => {
    const run = runs.get(message_id) ?? null
    const rating = ratingsHere.get(message_id) ?? null
    return run || rating ? [{ message_id, run, rating }] : []
  })
}
