import type { Pool } from 'pg'
import { Id, type ResourceKind } from '#contract/endpoint.ts'
import type { IdLookupResult } from '#contract/console/resources.ts'
import { type AccessScope, scopeFilter } from '../auth/accessScope.ts'
import { GENERATING_ENTRIES } from './runStatus.ts'
import { queryReplies } from '../db/replyRows.ts'

type FoundId = Omit<IdLookupResult, 'holders' | 'run'> & { parent: string | null }

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
  const found = await queryReplies<FoundId>(
    pool,
    `SELECT kind, id, workspace_id AS workspace, label, parent, first_seen, last_seen FROM resources
     WHERE id = $1 AND ${scopeFilter('resources', 2)} LIMIT 20`,
    [id, accessScope],
  )
  const consoleRecords = Id.safeParse(id).success ? await findConsoleRecords(pool, id, accessScope) : []
  return Promise.all([...found, ...consoleRecords].map((one) => toIdLookupResult(pool, one, accessScope)))
}

const findConsoleRecords = (pool: Pool, id: string, reach: AccessScope): Promise<FoundId[]> =>
  queryReplies(
    pool,
    `SELECT CASE WHEN entry = ANY($2) THEN 'run' ELSE 'call' END AS kind, id::text, workspace_id AS workspace, title AS label,
       NULL AS parent, created_at AS first_seen, created_at + coalesce(duration_ms, 0) * interval '1 millisecond' AS last_seen
     FROM calls WHERE id = $1 AND ${scopeFilter('calls', 3)}
     UNION ALL SELECT 'batch', id::text, workspace_id, name, NULL, created_at, coalesce(ended_at, began_at, created_at)
     FROM batches WHERE id = $1 AND ${scopeFilter('batches', 3)}
     UNION ALL SELECT 'app', id::text, workspace_id, label, NULL, created_at, last_ok_at FROM keys WHERE id = $1 AND ${scopeFilter('keys', 3)}
     UNION ALL SELECT 'workspace', id::text, id, name, NULL, created_at, NULL FROM workspaces WHERE id = $1 AND ${scopeFilter('workspaces', 3)}`,
    [id, [...GENERATING_ENTRIES], reach],
  )

async function toIdLookupResult(pool: Pool, found: FoundId, reach: AccessScope): Promise<IdLookupResult> {
  const { parent: _, ...shown } = found
  const holders = await findParents(pool, found)
  return {
    ...shown,
    holders,
    run: RUN_RESOURCE_KINDS.includes(found.kind) ? await findRunId(pool, found, reach) : null,
  }
}

async function findParents(pool: Pool, { kind, parent, workspace }: FoundId): Promise<IdLookupResult['holders']> {
  const parents: IdLookupResult['holders'] = []
  let next = PARENT_KINDS[kind]
  let id = parent
  while (next && id) {
    parents.push({ kind: next, id })
    const { rows } = await pool.query<{ parent: string | null }>(
      'SELECT parent FROM resources WHERE workspace_id = $1 AND kind = $2 AND id = $3',
      [workspace, next, id],
    )
    id = rows[0]?.parent ?? null
    next = PARENT_KINDS[next]
  }
  return parents
}

async function findRunId(pool: Pool, { id, workspace }: FoundId, reach: AccessScope): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM calls WHERE resource_ids @> $1 AND workspace_id = $2 AND entry = ANY($3) AND ${scopeFilter('calls', 4)}
     ORDER BY created_at DESC LIMIT 1`,
    [[id], workspace, [...GENERATING_ENTRIES], reach],
  )
  return rows[0]?.id ?? null
}
