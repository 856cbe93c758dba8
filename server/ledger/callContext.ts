import type { Pool } from 'pg'
import { type AccessScope, scopeFilter } from '../auth/accessScope.ts'
import type { CallContext, CallRow } from './callRow.ts'
import { findRatings, toMessageKey } from './runRatings.ts'

/** Characters before a match, and of the excerpt. */
const CHARS_BEFORE_MATCH = 50
const MAX_EXCERPT_CHARS = 180

/**
 * What a list shows of its calls in addition to their rows, by call id: names of batches and boards, ratings, and
 * excerpts of matches.
 */
export async function loadCallContexts(
  pool: Pool,
  rows: readonly CallRow[],
  { q, accessScope }: { q?: string | undefined; accessScope: AccessScope },
): Promise<Map<string, CallContext>> {
  const names = await findOriginNames(pool, rows, accessScope)
  const ratings = await findRatings(
    pool,
    rows.flatMap(({ message_id }) => message_id ?? []),
  )
  const excerpts = q ? await findExcerpts(pool, rows, q) : new Map<string, string>()
  return new Map(
    rows.map(({ id, origin_id, message_id, ...row }) => [
      id,
      {
        originName: names.get(origin_id ?? '') ?? null,
        excerpt: excerpts.get(id),
        rating: message_id === null ? null : (ratings.get(toMessageKey({ ...row, message_id })) ?? null),
      },
    ]),
  )
}

async function findOriginNames(
  pool: Pool,
  rows: readonly CallRow[],
  accessScope: AccessScope,
): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ origin_id }) => origin_id ?? []))]
  if (ids.length === 0) return new Map()
  const { rows: named } = await pool.query<{ id: string; name: string }>(
    `SELECT id, name FROM batches WHERE id = ANY($1::uuid[]) AND ${scopeFilter('batches', 2)}
     UNION ALL SELECT id, name FROM saved_items WHERE id = ANY($1::uuid[]) AND kind = 'board' AND ${scopeFilter('saved_items', 2)}`,
    [ids, accessScope],
  )
  return new Map(named.map(({ id, name }) => [id, name]))
}

/** The text around the first match. Case is folded as by ILIKE; where folding changes lengths there is none. */
async function findExcerpts(pool: Pool, rows: readonly CallRow[], q: string): Promise<Map<string, string>> {
  const { rows: found } = await pool.query<{ id: string; text: string; starts: boolean; ends: boolean }>(
    `SELECT id, substr(search_text, begins, ${MAX_EXCERPT_CHARS}) AS text, begins = 1 AS starts,
       length(search_text) < begins + ${MAX_EXCERPT_CHARS} AS ends
     FROM (SELECT id, search_text, strpos(lower(search_text), lower($2)) AS match,
             greatest(1, strpos(lower(search_text), lower($2)) - ${CHARS_BEFORE_MATCH}) AS begins
           FROM calls WHERE id = ANY($1)) AS searched
     WHERE match > 0`,
    [rows.map(({ id }) => id), q],
  )
  return new Map(
    found.map(({ id, text, starts, ends }) => [
      id,
      `${starts ? '' : '…'}${text.replaceAll(/\s+/g, ' ').trim()}${ends ? '' : '…'}`,
    ]),
  )
}
