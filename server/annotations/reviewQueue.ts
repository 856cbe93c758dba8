import type { Pool } from 'pg'
import type { ReviewReason } from '#contract/console/review.ts'
import { RUN_FIGURES, ACTIVE_STATUSES, SUCCESS_STATUSES, UNCLEAR_STATUSES } from '#contract/console/runs.ts'
import { SUMMARY_COLUMNS } from '../ledger/callRow.ts'
import type { CallRow } from '../ledger/callRow.ts'
import { toSqlList } from '../db/sqlConditions.ts'

/** How far back the queue looks, in turns. */
const MAX_REVIEWED_TURNS = 5_000

export interface ReviewPage {
  rows: (CallRow & { reasons: ReviewReason[] })[]
  total: number
  reviewedTurns: number
}

/**
 * The last rating that passed through this console counts. A stream without a first token has no answer; for a complete
 * reply the fold decides, whose first field is the text. JSON may contain text that PostgreSQL's JSON operators reject
 * (`\u0000`), so it is compared as text.
 */
export async function findTurnsToReview(
  pool: Pool,
  { key_id, workspace_id }: { key_id: string; workspace_id: string },
  reason: ReviewReason | undefined,
  limit: number,
): Promise<ReviewPage> {
  const { rows } = await pool.query<CallRow & { reasons: ReviewReason[]; total: number; looked: number }>(
    `WITH turns AS (
       SELECT * FROM calls WHERE workspace_id = $1 AND key_id = $2 AND entry IN ('chat.send', 'completion.send')
         AND status NOT IN (${toSqlList(ACTIVE_STATUSES)})
       ORDER BY created_at DESC LIMIT ${MAX_REVIEWED_TURNS}
     ), rated AS (
       SELECT DISTINCT ON (resource_ids[1]) resource_ids[1] AS message_id, request::text ~ '"rating" ?: ?"dislike"' AS is_low
       FROM calls WHERE workspace_id = $1 AND key_id = $2 AND entry = 'adjacent.feedback' AND status = 'succeeded'
       ORDER BY resource_ids[1], created_at DESC
     ), found AS (
       SELECT turns.*, array_remove(ARRAY[
         CASE WHEN message_id IN (SELECT message_id FROM rated WHERE is_low) THEN 'low_rated' END,
         CASE WHEN status IN (${toSqlList(['failed', ...UNCLEAR_STATUSES])}) THEN 'failed' END,
         CASE WHEN status IN (${toSqlList(SUCCESS_STATUSES)}) AND CASE WHEN response_mode = 'streaming' THEN ${RUN_FIGURES.firstToken.field} IS NULL
           ELSE answer::text LIKE '{"text":"",%' END THEN 'unanswered' END
       ], NULL) AS reasons FROM turns
     ), calls AS (
       SELECT * FROM found WHERE cardinality(reasons) > 0 AND ($3::text IS NULL OR $3 = ANY(reasons))
         AND NOT EXISTS (SELECT 1 FROM saved_items WHERE saved_items.workspace_id = $1 AND saved_items.kind = 'mark' AND saved_items.about = found.id::text)
         AND NOT EXISTS (SELECT 1 FROM calls AS made WHERE made.parent_id = found.id AND made.workspace_id = $1
           AND made.entry IN ('annotations.create', 'adjacent.updateAnnotation') AND made.status = 'succeeded')
     )
     SELECT ${SUMMARY_COLUMNS}, calls.reasons, people.name AS person, (SELECT count(*)::int FROM calls) AS total,
       (SELECT count(*)::int FROM turns) AS looked
     FROM (SELECT 1) AS one LEFT JOIN calls ON true LEFT JOIN people ON people.id = calls.person_id
     ORDER BY calls.created_at DESC, calls.id LIMIT ${limit}`,
    [workspace_id, key_id, reason ?? null],
  )
  const [first] = rows
  return {
    rows: rows.filter((row) => (row.id as string | null) !== null),
    total: first?.total ?? 0,
    reviewedTurns: first?.looked ?? 0,
  }
}
