import type { Pool } from 'pg'
import { type AccessScope, scopeFilter } from '../auth/accessScope.ts'
import { GENERATING_ENTRIES } from './runStatus.ts'
import { SUMMARY_COLUMNS } from './callRow.ts'
import type { CallRow } from './callRow.ts'

/**
 * The tree of descent that a run stands in, from its first ancestor that is kept. What is made from another is younger
 * than it: so no claim of a parent, made up as it may be, leads in a ring.
 */
export async function findLineage(pool: Pool, id: string, accessScope: AccessScope): Promise<CallRow[]> {
  const { rows } = await pool.query<CallRow>(
    `WITH RECURSIVE up AS (
       SELECT id, parent_id, created_at, 0 AS depth FROM calls WHERE id = $1
       UNION ALL
       SELECT calls.id, calls.parent_id, calls.created_at, depth + 1 FROM calls JOIN up ON calls.id = up.parent_id
         WHERE calls.created_at < up.created_at AND depth < 50
     ), down AS (
       (SELECT id, created_at, 0 AS depth FROM up ORDER BY up.depth DESC LIMIT 1)
       UNION ALL
       SELECT calls.id, calls.created_at, depth + 1 FROM calls JOIN down ON calls.parent_id = down.id
         WHERE calls.created_at > down.created_at AND depth < 50
     )
     SELECT ${SUMMARY_COLUMNS}, people.name AS person FROM calls LEFT JOIN people ON people.id = calls.person_id
     WHERE calls.id IN (SELECT id FROM down LIMIT 100) AND calls.entry = ANY($2) AND ${scopeFilter('calls', 3)}
     ORDER BY calls.created_at, calls.id`,
    [id, GENERATING_ENTRIES, accessScope],
  )
  return rows
}
