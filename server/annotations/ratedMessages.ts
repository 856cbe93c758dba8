import type { Pool } from 'pg'
import type { Run, RunRating } from '#contract/console/runs.ts'
import { SUMMARY_COLUMNS } from '../ledger/callRow.ts'
import type { CallRow } from '../ledger/callRow.ts'
import { findRatings, toMessageKey } from '../ledger/runRatings.ts'
import { toRun } from '../runs/toRun.ts'

export interface LedgerMessage {
  message_id: string
  run: Run | null
  /** The rating that was last given through this console; null if there is none, or it was removed. */
  rating: RunRating['rating'] | null
}

/** What the ledger knows of messages of one app; unknown messages are absent. */
export async function findRatedMessages(
  pool: Pool,
  { key_id, workspace_id }: { key_id: string; workspace_id: string },
  message_ids: readonly string[],
): Promise<LedgerMessage[]> {
  // PostgreSQL has no text with a NUL character.
  const ids = [...new Set(message_ids)].filter((id) => !id.includes('\u0000'))
  const [turns, ratings] = await Promise.all([
    pool.query<CallRow>(
      `SELECT DISTINCT ON (calls.message_id) ${SUMMARY_COLUMNS}, people.name AS person
       FROM calls LEFT JOIN people ON people.id = calls.person_id
       WHERE calls.workspace_id = $1 AND calls.key_id = $2 AND calls.resource_ids && $3::text[]
         AND calls.message_id = ANY($3::text[]) AND calls.entry IN ('chat.send', 'completion.send')
       ORDER BY calls.message_id, calls.created_at DESC, calls.id`,
      [workspace_id, key_id, ids],
    ),
    findRatings(pool, ids),
  ])
  const runs = new Map(turns.rows.map((row) => [row.message_id, toRun(row)]))
  return ids.flatMap((message_id) => {
    const run = runs.get(message_id) ?? null
    const rating = ratings.get(toMessageKey({ workspace_id, key_id, message_id }))?.rating ?? null
    return run || rating ? [{ message_id, run, rating }] : []
  })
}
