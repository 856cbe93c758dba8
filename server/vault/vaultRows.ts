import type { Dialect } from '#contract/console/dialect.ts'
import { ProblemError } from '#contract/problem.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import type { keys, workspaces } from './schema.ts'

export type KeyRow = typeof keys.$inferSelect
export type WorkspaceRow = typeof workspaces.$inferSelect
export type SealedRow = KeyRow & Pick<WorkspaceRow, 'base_url' | 'builtin' | 'chosen' | 'found'>

export const SELECT_SEALED_KEYS = `SELECT keys.*, workspaces.base_url, workspaces.builtin, workspaces.chosen, workspaces.found
  FROM keys JOIN workspaces ON workspaces.id = keys.workspace_id`

/** A person's choice has priority over the detected dialect; without either, the platform's version decides. */
export function getDialect({
  builtin,
  chosen,
  found: { version, ...found },
}: Pick<WorkspaceRow, 'builtin' | 'chosen' | 'found'>): Dialect {
  return { ...inferDialect(builtin ? undefined : version, found), ...chosen }
}

/** A platform that reports its version accepts what upstream accepts, unless its replies show otherwise. */
function inferDialect(version: string | undefined, found: Dialect): Dialect {
  const retrieval = found.retrieval ?? (version ? 'upstream' : undefined)
  if (!retrieval) return found
  const same: Dialect =
    retrieval === 'upstream'
      ? { retrieval, members: 'objects', embedding: 'required' }
      : { retrieval, members: 'ids', embedding: 'optional' }
  return { ...same, ...found }
}

export const toWorkspace = (row: WorkspaceRow, keys: Key[], access: Workspace['access'] = 'all'): Workspace => ({
  id: row.id,
  name: row.name,
  base_url: row.base_url,
  builtin: row.builtin,
  created_at: row.created_at.toISOString(),
  dialect: {
    chosen: row.chosen,
    found: getDialect({ ...row, chosen: {} }),
    version: row.found.version ?? null,
  },
  keys,
  access,
})

/** Four characters identify a key for people; a short key cannot reveal that many. */
export const toKeyHint = (key: string): string | null => (key.length >= 20 ? key.slice(-4) : null)

export const toKey = (row: KeyRow, isUsable = row.sealed !== null): Key => ({
  id: row.id,
  kind: row.kind,
  label: row.label,
  hint: row.hint,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  mode: row.mode,
  kind_confirmed: row.kind_confirmed,
  health: row.health,
  health_since: row.health_since?.toISOString() ?? null,
  last_ok_at: row.last_ok_at?.toISOString() ?? null,
  last_problem: row.last_problem,
  last_problem_at: row.last_problem_at?.toISOString() ?? null,
  latency_ms: row.latency_ms,
  exposed_at: row.exposed_at?.toISOString() ?? null,
  usable: isUsable,
  offers: Object.keys(row.capabilities).filter(
    (name) => !name.includes('.') && row.capabilities[name]?.state === 'offered',
  ),
  capabilities: row.capabilities,
})

export function throwNotFound(what: string): never {
  throw new ProblemError({ kind: 'invalid', status: 404, message: `The ${what} was not found.` })
}
