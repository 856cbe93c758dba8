import type { Pool } from 'pg'
import { invalidFieldError, ProblemError } from '#contract/problem.ts'
import { MAX_RUN_TAGS } from '#contract/console/runs.ts'
import { type AccessScope, scopeFilter } from '../auth/accessScope.ts'
import type { Database } from '../db/database.ts'
import { GENERATING_ENTRIES } from '../ledger/runStatus.ts'

/** Tags and notes that people put on runs. */

const MAX_TAGGED_RUNS = 2_000
const MAX_LISTED_TAGS = 200

export async function setRunMarks(
  pool: Pool,
  run_id: string,
  { tags, run_note }: { tags?: string[] | undefined; run_note?: string | null | undefined },
): Promise<void> {
  await pool.query(
    `UPDATE calls SET tags = CASE WHEN $2 THEN nullif($3::text[], '{}') ELSE tags END,
       run_note = CASE WHEN $4 THEN nullif($5, '') ELSE run_note END WHERE id = $1`,
    [run_id, tags !== undefined, toDistinct(tags ?? []), run_note !== undefined, run_note ?? null],
  )
}

/** @throws ProblemError 404 if a run does not exist or is out of scope, 400 if one would have too many tags */
export function tagRuns(
  database: Database,
  { run_ids, add, remove }: { run_ids: string[]; add: string[]; remove: string[] },
  accessScope: AccessScope,
): Promise<{ id: string; tags: string[] }[]> {
  const ids = toDistinct(run_ids)
  return database.transaction(async (client) => {
    const { rows } = await client.query<{ id: string; tags: string[] | null }>(
      `SELECT id, tags FROM calls WHERE id = ANY($1::uuid[]) AND entry = ANY($2) AND ${scopeFilter('calls', 3)} ORDER BY id FOR UPDATE`,
      [ids, GENERATING_ENTRIES, accessScope],
    )
    if (rows.length < ids.length)
      throw new ProblemError({ kind: 'invalid', status: 404, message: 'The run was not found.' })
    const tagged = rows.map(({ id, tags }) => ({
      id,
      tags: toDistinct([...(tags ?? []), ...add]).filter((tag) => !remove.includes(tag)),
    }))
    if (tagged.some(({ tags }) => tags.length > MAX_RUN_TAGS))
      throw invalidFieldError('body.add', `would give a run more than ${MAX_RUN_TAGS} tags`)
    for (const { id, tags } of tagged)
      await client.query(`UPDATE calls SET tags = nullif($2::text[], '{}') WHERE id = $1`, [id, tags])
    return tagged
  })
}

/** The tags of the newest tagged runs of a workspace, the most frequent first. */
export async function listRunTags(
  pool: Pool,
  workspace: string,
  accessScope: AccessScope,
): Promise<{ tag: string; runs: number }[]> {
  const { rows } = await pool.query<{ tag: string; runs: number }>(
    `SELECT tag, count(*)::int AS runs FROM (
       SELECT tags FROM calls WHERE tags IS NOT NULL AND workspace_id = $1 AND ${scopeFilter('calls', 2)}
       ORDER BY created_at DESC LIMIT ${MAX_TAGGED_RUNS}
     ) AS tagged, unnest(tagged.tags) AS tag GROUP BY tag ORDER BY count(*) DESC, tag LIMIT ${MAX_LISTED_TAGS}`,
    [workspace, accessScope],
  )
  return rows
}

const toDistinct = (values: readonly string[]): string[] => [...new Set(values)]
