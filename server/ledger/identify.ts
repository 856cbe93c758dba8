import type { Pool } from 'pg'
import { Id, type ThingKind } from '#contract/endpoint.ts'
import type { Sighting } from '#contract/things.ts'
import { type Reach, seenBy } from '../access/reach.ts'
import { GENERATING } from '../runs/outcome.ts'

interface Row {
  kind: Sighting['kind']
  id: string
  workspace_id: string
  label: string | null
  parent: string | null
  first_seen: Date | null
  last_seen: Date | null
}

/** What holds a thing of each kind. */
const HOLDERS: Partial<Record<Sighting['kind'], Sighting['kind']>> = {
  child_chunk: 'segment',
  segment: 'document',
  document: 'dataset',
  message: 'conversation',
  conversation: 'app',
}
/** What a run names. */
const OF_A_RUN: Sighting['kind'][] = ['conversation', 'message', 'workflow_run', 'task'] satisfies ThingKind[]

/** All that the console knows under an id. Each statement asks an index for it. */
export async function identify(pool: Pool, id: string, reach: Reach = null): Promise<Sighting[]> {
  const { rows } = await pool.query<Row>(
    `SELECT kind, id, workspace_id, label, parent, first_seen, last_seen FROM things
     WHERE id = $1 AND ${seenBy('things', 2)} LIMIT 20`,
    [id, reach],
  )
  const own = Id.safeParse(id).success ? await ownOf(pool, id, reach) : []
  return Promise.all([...rows, ...own].map((row) => sightingOf(pool, row, reach)))
}

/** What the console itself has given this id. */
async function ownOf(pool: Pool, id: string, reach: Reach): Promise<Row[]> {
  const { rows } = await pool.query<Row>(
    `SELECT CASE WHEN entry = ANY($2) THEN 'run' ELSE 'call' END AS kind, id::text, workspace_id, title AS label,
       NULL AS parent, created_at AS first_seen, created_at + coalesce(duration_ms, 0) * interval '1 millisecond' AS last_seen
     FROM calls WHERE id = $1 AND ${seenBy('calls', 3)}
     UNION ALL SELECT 'batch', id::text, workspace_id, name, NULL, created_at, coalesce(ended_at, began_at, created_at)
     FROM batches WHERE id = $1 AND ${seenBy('batches', 3)}
     UNION ALL SELECT 'app', id::text, workspace_id, label, NULL, created_at, last_ok_at FROM keys WHERE id = $1 AND ${seenBy('keys', 3)}
     UNION ALL SELECT 'workspace', id::text, id, name, NULL, created_at, NULL FROM workspaces WHERE id = $1 AND ${seenBy('workspaces', 3)}`,
    [id, [...GENERATING], reach],
  )
  return rows
}

async function sightingOf(pool: Pool, row: Row, reach: Reach): Promise<Sighting> {
  return {
    kind: row.kind,
    id: row.id,
    workspace: row.workspace_id,
    label: row.label,
    first_seen: row.first_seen?.toISOString() ?? null,
    last_seen: row.last_seen?.toISOString() ?? null,
    holders: await holdersOf(pool, row),
    run: OF_A_RUN.includes(row.kind) ? await runOf(pool, row, reach) : null,
  }
}

async function holdersOf(pool: Pool, { kind, parent, workspace_id }: Row): Promise<Sighting['holders']> {
  const holders: Sighting['holders'] = []
  let next = HOLDERS[kind]
  let id = parent
  while (next && id) {
    holders.push({ kind: next, id })
    const { rows } = await pool.query<{ parent: string | null }>(
      'SELECT parent FROM things WHERE workspace_id = $1 AND kind = $2 AND id = $3',
      [workspace_id, next, id],
    )
    id = rows[0]?.parent ?? null
    next = HOLDERS[next]
  }
  return holders
}

async function runOf(pool: Pool, { id, workspace_id }: Row, reach: Reach): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM calls WHERE touched @> $1 AND workspace_id = $2 AND entry = ANY($3) AND ${seenBy('calls', 4)}
     ORDER BY created_at DESC LIMIT 1`,
    [[id], workspace_id, [...GENERATING], reach],
  )
  return rows[0]?.id ?? null
}
