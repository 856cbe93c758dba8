import type { Pool } from 'pg'

/**
 * What a person may see: null is everything, otherwise the ids of whole workspaces, of single keys, and of the person. One
 * list for all three, since ids are unique across kinds.
 */
export type AccessScope = readonly string[] | null

/** The scope of a narrowed person, from their grants. */
export async function loadAccessScope(pool: Pool, person_id: string): Promise<AccessScope> {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT coalesce(key_id, workspace_id) AS id FROM grants WHERE person_id = $1',
    [person_id],
  )
  return [person_id, ...rows.map(({ id }) => id)]
}

/** The scope of any person, as a session of theirs has it. */
export async function findAccessScope(pool: Pool, person_id: string | null): Promise<AccessScope> {
  if (person_id === null) return []
  const { rows } = await pool.query<{ sees_all: boolean }>(
    `SELECT role = 'admin' OR NOT narrowed AS sees_all FROM people WHERE id = $1`,
    [person_id],
  )
  return rows[0]?.sees_all ? null : loadAccessScope(pool, person_id)
}

/** Whether a record of a key (a call, a batch) is in scope. */
export const isInScope = (
  accessScope: AccessScope,
  { workspace_id, key_id }: { workspace_id: string; key_id: string },
): boolean => accessScope === null || accessScope.includes(workspace_id) || accessScope.includes(key_id)

/** The kinds of resources that the knowledge key of a workspace can access. */
const KNOWLEDGE_KINDS_SQL = `('dataset', 'document', 'segment', 'child_chunk')`

/**
 * Conditions on a row of each table, `?` being the scope. The table has its own name, no alias. If a person has only single
 * keys of a workspace, a resource is visible when it belongs to one of them.
 */
export const SCOPE_CONDITIONS = {
  workspaces:
    '(workspaces.id = ANY(?::uuid[]) OR workspaces.id IN (SELECT workspace_id FROM keys WHERE id = ANY(?::uuid[])))',
  keys: '(keys.workspace_id = ANY(?::uuid[]) OR keys.id = ANY(?::uuid[]))',
  calls: '(calls.workspace_id = ANY(?::uuid[]) OR calls.key_id = ANY(?::uuid[]))',
  /** A job over runs has no key: it is seen by the person who created it, and each of its runs by those in whose scope it is. */
  batches: `(batches.workspace_id = ANY(?::uuid[]) OR batches.key_id = ANY(?::uuid[])
    OR batches.kind = 'runs' AND batches.person_id = ANY(?::uuid[]))`,
  /** A retrieval is that of the workspace's knowledge key; any other suite is about the key of an app. */
  suites: `(suites.workspace_id = ANY(?::uuid[]) OR suites.about = ANY(?::text[]) AND suites.target_kind <> 'retrieval'
    OR suites.target_kind = 'retrieval' AND suites.workspace_id IN (SELECT workspace_id FROM keys WHERE kind = 'knowledge' AND id = ANY(?::uuid[])))`,
  /** Drift is not recorded by key. */
  drifts: '(drifts.workspace_id = ANY(?::uuid[]))',
  saved_items: `(saved_items.workspace_id = ANY(?::uuid[]) OR saved_items.workspace_id IN (SELECT workspace_id FROM keys WHERE id = ANY(?::uuid[]))
    AND (saved_items.about = ANY(?::text[]) OR saved_items.person_id = ANY(?::uuid[])))`,
  resources: `(resources.workspace_id = ANY(?::uuid[]) OR resources.parent = ANY(?::text[])
    OR resources.kind IN ${KNOWLEDGE_KINDS_SQL} AND resources.workspace_id IN (SELECT workspace_id FROM keys WHERE kind = 'knowledge' AND id = ANY(?::uuid[]))
    OR resources.kind = 'message' AND EXISTS (SELECT 1 FROM resources AS talk WHERE talk.workspace_id = resources.workspace_id
      AND talk.kind = 'conversation' AND talk.id = resources.parent AND talk.parent = ANY(?::text[])))`,
} as const

/** The same for a statement with numbered parameters: `$n` is the scope, and null sees all. */
export const scopeFilter = (table: keyof typeof SCOPE_CONDITIONS, n: number): string =>
  `($${n}::uuid[] IS NULL OR ${SCOPE_CONDITIONS[table].replaceAll('?', `$${n}`)})`
