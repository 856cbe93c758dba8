import type { Pool, PoolClient } from 'pg'
import type { RunRating } from '#contract/console/runs.ts'

/** The newest ratings of a workspace that a filter considers. */
const MAX_FILTERED_RATINGS = 2_000

/**
 * The string after the field's name: the request may contain text that the JSON operators reject (`\u0000`). Null if
 * the rating was removed. A regular expression would be several times slower.
 */
const RATING_SQL = `CASE split_part(split_part(calls.request::text, '"rating"', 2), '"', 2)
  WHEN 'like' THEN 'like' WHEN 'dislike' THEN 'dislike' END`
const IS_RATING_SQL = `calls.entry = 'adjacent.feedback' AND calls.status = 'succeeded'`

export interface RatedMessage {
  workspace_id: string
  key_id: string
  message_id: string
}

export const toMessageKey = ({ workspace_id, key_id, message_id }: RatedMessage): string =>
  `${workspace_id} ${key_id} ${message_id}`

/** The rating that was last given through this console, by message; without those that were removed. */
export async function findRatings(pool: Pool, message_ids: readonly string[]): Promise<Map<string, RunRating>> {
  if (message_ids.length === 0) return new Map()
  const { rows } = await pool.query<
    RatedMessage & { rating: RunRating['rating'] | null; person: string | null; created_at: Date }
  >(
    `SELECT DISTINCT ON (calls.workspace_id, calls.key_id, calls.resource_ids[1]) calls.workspace_id, calls.key_id,
       calls.resource_ids[1] AS message_id, ${RATING_SQL} AS rating, people.name AS person, calls.created_at
     FROM calls LEFT JOIN people ON people.id = calls.person_id
     WHERE calls.resource_ids && $1::text[] AND calls.resource_ids[1] = ANY($1::text[]) AND ${IS_RATING_SQL}
     ORDER BY calls.workspace_id, calls.key_id, calls.resource_ids[1], calls.created_at DESC, calls.id DESC`,
    [[...new Set(message_ids)]],
  )
  return new Map(
    rows.flatMap(({ rating, person, created_at, ...message }) =>
      rating ? [[toMessageKey(message), { rating, person, at: created_at.toISOString() }]] : [],
    ),
  )
}

/** The messages whose last rating is this one, among the newest ratings of each workspace. */
export async function findMessagesByRating(
  client: PoolClient,
  rating: RunRating['rating'],
  workspace: string | undefined,
): Promise<{ keys: string[]; messages: string[] }> {
  const { rows } = await client.query<{ key_id: string; message_id: string }>(
    `SELECT key_id, message_id FROM (
       SELECT DISTINCT ON (given.key_id, given.message_id) given.* FROM workspaces CROSS JOIN LATERAL (
         SELECT calls.key_id, calls.resource_ids[1] AS message_id, ${RATING_SQL} AS rating, calls.created_at, calls.id
         FROM calls WHERE calls.workspace_id = workspaces.id AND ${IS_RATING_SQL}
         ORDER BY calls.created_at DESC, calls.id DESC LIMIT ${MAX_FILTERED_RATINGS}
       ) AS given WHERE $2::uuid IS NULL OR workspaces.id = $2::uuid
       ORDER BY given.key_id, given.message_id, given.created_at DESC, given.id DESC
     ) AS last WHERE rating = $1`,
    [rating, workspace ?? null],
  )
  return { keys: rows.map(({ key_id }) => key_id), messages: rows.map(({ message_id }) => message_id) }
}
