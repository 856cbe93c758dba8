import type { Pool } from 'pg'
import { Id, type ResourceKind } from '#contract/endpoint.ts'
import type { IdLookupResult } from '#contract/console/resources.ts'
import { type AccessScope, scopeFilter } from '../auth/accessScope.ts'
import { GENERATING_ENTRIES } from './runStatus.ts'

interface IdRow {
  kind: IdLookupResult['kind']
  id: string
  workspace_id: string
  label: string | null
  parent: string | null
  first_seen: Date | null
  last_seen: Date | null
}

/** The parent kind of each resource kind. */
const PARENT_KINDS: Partial<Record<IdLookupResult['kind'], IdLookupResult['kind']>> = {
  child_chunk: 'segment',
  segment: 'document',
  document: 'dataset',
  message: 'conversation',
  conversation: 'app',
}
/** Ids that a run names. */
const RUN_RESOURCE_KINDS: IdLookupResult['kind'][] = [
  'conversation',
  'message',
  'workflow_run',
  'task',
] satisfies ResourceKind[]

export async function lookupId(pool: Pool, id: string, accessScope: AccessScope): Promise<IdLookupResult[]> {
  const { rows } = await pool.query<IdRow>(
    `SELECT kind, id, workspace_id, label, parent, first_seen, last_seen FROM resources
     WHERE id = $1 AND ${scopeFilter('resources', 2)} LIMIT 20`,
    [id, accessScope],
  )
  const consoleRecords = Id.safeParse(id).success ? await findConsoleRecords(pool, id, accessScope) : []
  return Promise.all([...rows, ...consoleRecords].map((row) => toIdLookupResult(pool, row, accessScope)))
}

async function findConsoleRecords(pool: Pool, id: string, reach: AccessScope): Promise<IdRow[]> {
  const { rows } = await pool.query<IdRow>(
    `SELECT CASE WHEN entry = ANY($2) THEN 'run' ELSE 'call' END AS kind, id::text, workspace_id, title AS label,
       NULL AS parent, created_at AS first_seen, created_at + coalesce(duration_ms, 0) * interval '1 millisecond' AS last_seen
     FROM calls WHERE id = $1 AND ${scopeFilter('calls', 3)}
     UNION ALL SELECT 'batch', id::text, workspace_id, name, NULL, created_at, coalesce(ended_at, began_at, created_at)
     FROM batches WHERE id = $1 AND ${scopeFilter('batches', 3)}
     UNION ALL SELECT 'app', id::text, workspace_id, label, NULL, created_at, last_ok_at FROM keys WHERE id = $1 AND ${scopeFilter('keys', 3)}
     UNION ALL SELECT 'workspace', id::text, id, name, NULL, created_at, NULL FROM workspaces WHERE id = $1 AND ${scopeFilter('workspaces', 3)}`,
    [id, [...GENERATING_ENTRIES], reach],
  )
  return rows
}

async function toIdLookupResult(pool: Pool, row: IdRow, reach: AccessScope): Promise<IdLookupResult> {
  return {
    kind: row.kind,
    id: row.id,
    workspace: row.workspace_id,
    label: row.label,
    first_seen: row.first_seen?.toISOString() ?? null,
    last_seen: row.last_seen?.toISOString() ?? null,
    holders: await findParents(pool, row),
    run: RUN_RESOURCE_KINDS.includes(row.kind) ? await findRunId(pool, row, reach) : null,
  }
}

async function findParents(pool: Pool, { kind, parent, workspace_id }: IdRow): Promise<IdLookupResult['holders']> {
  const parents: IdLookupResult['holders'] = []
  let next = PARENT_KINDS[kind]
  let id = parent
  while (next && id) {
    parents.push({ kind: next, id })
    const { rows } = await pool.query<{ parent: string | null }>(
      'SELECT parent FROM resources WHERE workspace_id = $1 AND kind = $2 AND id = $3',
      [workspace_id, next, id],
    )
    id = rows[0]?.parent ?? null
    next = PARENT_KINDS[next]
  }
  return parents
}

async function findRunId(pool: Pool, { id, workspace_id }: IdRow, reach: AccessScope): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM calls WHERE resource_ids @> $1 AND workspace_id = $2 AND entry = ANY($3) AND ${scopeFilter('calls', 4)}
     ORDER BY created_at DESC LIMIT 1`,
    [[id], workspace_id, [...GENERATING_ENTRIES], reach],
  )
  return rows[0]?.id ?? null
}
