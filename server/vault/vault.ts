import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { KeyKind } from '#contract/endpoint.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { Dialect, DialectOverride } from '#contract/console/dialect.ts'
import type { KeyUpdate, KeyInput, WorkspaceInput } from '#contract/console/admin/workspaceAdmin.ts'
import type { KeyHealthState, Key, Workspace } from '#contract/console/workspaces.ts'
import type { Database } from '../db/database.ts'
import { lockForSealing } from '../db/sealedTables.ts'
import type { Actor } from '../auth/people.ts'
import { type AccessScope, scopeFilter, isInScope } from '../auth/accessScope.ts'
import { toBaseUrl, type EgressPolicy } from './egressPolicy.ts'
import { isCurrentSecret } from './keyExposures.ts'
import type { MasterKeys } from './masterKeys.ts'
import { getDialect, toKeyHint, type KeyRow, throwNotFound, SELECT_SEALED_KEYS, type SealedRow } from './vaultRows.ts'
import { toWorkspace, toKey, type WorkspaceRow } from './vaultRows.ts'
import { KeyEncryption } from './keyEncryption.ts'
import { auditKeyChange } from './auditKeyChange.ts'

/** The data that the relay needs to send a request; `secret` never leaves the server. */
export interface PlatformCredential {
  key_id: string
  kind: KeyKind
  mode: string | null
  label: string
  hint: string | null
  workspace_id: string
  base_url: string
  secret: string
  dialect: Dialect
}

/** How long a credential is cached before the table is read again, in case another server's notification is lost. */
const CREDENTIAL_TTL_MS = 5_000

/** Observations of a key do not apply to its replacement. */
const RESET_OBSERVATIONS = `mode = NULL, kind_confirmed = false, health = 'untested', health_since = NULL, last_ok_at = NULL,
  last_problem = NULL, last_problem_at = NULL, latency_ms = NULL, capabilities = '{}'`

/** A failure, or a success. The relay decides; the vault stores it. */
export type KeyObservation =
  | { state: Exclude<KeyHealthState, 'healthy' | 'untested'>; problem: Problem }
  | {
      state: 'healthy'
      latency_ms: number | null
      /** True for a reply that only a key of this kind gets. */
      provesKind: boolean
    }

/** A key that its platform refuses (401). */
export interface RefusedKey {
  key_id: string
  workspace_id: string
  label: string
  kind: KeyKind
}

/** Workspaces and their keys. Keys are stored and used; no method returns one to a client. */
export class Vault {
  readonly #database: Database
  readonly #pool: Pool
  readonly encryption: KeyEncryption
  readonly #requireAllowedUrl: EgressPolicy['requireAllowedUrl']
  readonly #cache = new Map<string, { credential: PlatformCredential; at: number }>()
  /** The address of this server's built-in platform, and its keys by id; null without one. */
  builtIn: { base_url: string; secrets: ReadonlyMap<string, string> } | null = null

  /** Called in the transaction that records the first refusal of a key that was not refused before. */
  onKeyRefused: (client: PoolClient, key: RefusedKey) => Promise<void> = () => Promise.resolve()

  /** `check` validates every base URL before it is stored. */
  constructor(database: Database, masters: MasterKeys, check: EgressPolicy['requireAllowedUrl'], log: Logger) {
    this.#requireAllowedUrl = check
    this.#database = database
    this.#pool = database.pool
    this.encryption = new KeyEncryption(database, masters, log)
    database.messageBus.subscribe('keys', () => this.#cache.clear())
  }

  async listWorkspaces(accessScope: AccessScope = null): Promise<Workspace[]> {
    const { rows: workspaces } = await this.#pool.query<WorkspaceRow>(
      `SELECT * FROM workspaces WHERE ${scopeFilter('workspaces', 1)} ORDER BY created_at, id`,
      [accessScope],
    )
    const { rows: keys } = await this.#pool.query<KeyRow>(
      `SELECT * FROM keys WHERE ${scopeFilter('keys', 1)} ORDER BY created_at, id`,
      [accessScope],
    )
    return workspaces.map((workspace) =>
      toWorkspace(
        { ...workspace, base_url: this.#getBaseUrl(workspace) },
        keys.filter((key) => key.workspace_id === workspace.id).map((key) => toKey(key, this.encryption.isUsable(key))),
        accessScope === null || accessScope.includes(workspace.id) ? 'all' : 'keys',
      ),
    )
  }

  async createWorkspace(
    input: z.output<typeof WorkspaceInput>,
    actor: Actor | null,
    builtin = false,
  ): Promise<Workspace> {
    const row = {
      id: randomUUID(),
      name: input.name,
      base_url: toBaseUrl(input.base_url, this.#requireAllowedUrl),
      builtin,
      chosen: {},
      found: {},
      created_at: new Date(),
    }
    const { id, name, base_url } = row
    await this.#database.transaction(async (client) => {
      await client.query(
        'INSERT INTO workspaces(id, name, base_url, builtin, created_at) VALUES ($1, $2, $3, $4, $5)',
        [id, name, base_url, row.builtin, row.created_at],
      )
      await auditKeyChange(client, actor, {
        action: 'workspace.created',
        workspace: id,
        about: id,
        label: name,
        detail: { base_url },
      })
    })
    return toWorkspace(row, [])
  }

  /** A changed origin deletes the keys in the same transaction: a key belongs to one host. */
  async updateWorkspace(
    id: string,
    changes: Partial<z.output<typeof WorkspaceInput>> & { dialect?: DialectOverride | undefined },
    actor: Actor | null,
  ): Promise<Workspace> {
    const newBaseUrl = changes.base_url === undefined ? undefined : toBaseUrl(changes.base_url, this.#requireAllowedUrl)
    await this.#database.transaction(async (client) => {
      const { rows } = await client.query<WorkspaceRow>('SELECT * FROM workspaces WHERE id = $1 FOR UPDATE', [id])
      const before = rows[0] ?? throwNotFound('workspace')
      const chosen = Object.fromEntries(
        Object.entries({ ...before.chosen, ...changes.dialect }).filter(([, choice]) => choice !== null),
      )
      await client.query('UPDATE workspaces SET name = $2, base_url = $3, chosen = $4 WHERE id = $1', [
        id,
        changes.name ?? before.name,
        newBaseUrl ?? before.base_url,
        JSON.stringify(chosen),
      ])
      const isOriginChanged = newBaseUrl !== undefined && new URL(newBaseUrl).origin !== new URL(before.base_url).origin
      if (isOriginChanged)
        await client.query(
          `UPDATE keys SET sealed = NULL, hint = NULL, exposed_at = NULL, updated_at = $2, ${RESET_OBSERVATIONS}
           WHERE workspace_id = $1`,
          [id, new Date()],
        )
      await auditKeyChange(client, actor, {
        action: 'workspace.changed',
        workspace: id,
        about: id,
        label: before.name,
        detail: { ...changes, ...(isOriginChanged ? { keys: 'wiped' } : {}) },
      })
    })
    await this.#onKeysChanged()
    return (await this.listWorkspaces()).find((workspace) => workspace.id === id) ?? throwNotFound('workspace')
  }

  async deleteWorkspace(id: string, by: Actor): Promise<{ id: string }> {
    await this.#database.transaction(async (client) => {
      const { rows } = await client.query<{ name: string }>('DELETE FROM workspaces WHERE id = $1 RETURNING name', [id])
      const { name } = rows[0] ?? throwNotFound('workspace')
      await auditKeyChange(client, by, { action: 'workspace.deleted', workspace: id, about: id, label: name })
    })
    await this.#onKeysChanged()
    return { id }
  }

  /**
   * @param verifiedAt the base URL that the key was verified at
   * @throws ProblemError 409 when the workspace has another origin now
   */
  async createKey(
    workspace_id: string,
    input: z.output<typeof KeyInput>,
    actor: Actor | null,
    verifiedAt?: string,
  ): Promise<Key> {
    const id = randomUUID()
    const { kind, label } = input
    const hint = toKeyHint(input.key)
    return this.#database.transaction(async (client) => {
      const workspace = await lockWorkspace(client, workspace_id, verifiedAt)
      await lockForSealing(client, 'keys')
      const sealed = this.encryption.seal(id, workspace, input.key)
      const { rows } = await client.query<KeyRow>(
        `INSERT INTO keys(id, workspace_id, kind, label, hint, sealed, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7) RETURNING *`,
        [id, workspace_id, kind, label, hint, sealed, new Date()],
      )
      await auditKeyChange(client, actor, {
        action: 'key.created',
        workspace: workspace_id,
        about: id,
        label,
        detail: { kind, hint },
      })
      return toKey(rows[0] ?? throwNotFound('key'))
    })
  }

  /**
   * @param verifiedAt the base URL that a new value was verified at
   * @throws ProblemError 409 when the workspace has another origin now
   */
  async updateKey(
    workspace_id: string,
    id: string,
    changes: z.output<typeof KeyUpdate>,
    actor: Actor | null,
    verifiedAt?: string,
  ): Promise<Key> {
    const hint = changes.key && toKeyHint(changes.key)
    const key = await this.#database.transaction(async (client) => {
      const workspace = await lockWorkspace(client, workspace_id, verifiedAt)
      await lockForSealing(client, 'keys')
      const sealed = changes.key && this.encryption.seal(id, workspace, changes.key)
      const isReplaced = changes.key !== undefined && !(await isCurrentSecret(client, this, id, changes.key))
      const { rows } = await client.query<KeyRow>(
        `UPDATE keys SET label = COALESCE($3, label), sealed = COALESCE($5, sealed),
           hint = CASE WHEN $5::text IS NULL THEN hint ELSE $4 END,
           exposed_at = CASE WHEN $7 THEN NULL ELSE exposed_at END, updated_at = $6
         WHERE id = $2 AND workspace_id = $1 RETURNING *`,
        [workspace_id, id, changes.label, hint, sealed, new Date(), isReplaced],
      )
      const row = rows[0] ?? throwNotFound('key')
      if (isReplaced) await client.query(`UPDATE keys SET ${RESET_OBSERVATIONS} WHERE id = $1`, [id])
      await auditKeyChange(client, actor, {
        action: changes.key === undefined ? 'key.renamed' : 'key.replaced',
        workspace: workspace_id,
        about: id,
        label: row.label,
        detail: { hint: row.hint },
      })
      return toKey(row)
    })
    await this.#onKeysChanged()
    return key
  }

  /** @throws ProblemError 404 */
  async getBaseUrl(workspace_id: string): Promise<string> {
    return (await this.#getWorkspace(workspace_id)).base_url
  }

  async getKey(workspace_id: string, id: string): Promise<Key> {
    const { rows } = await this.#pool.query<KeyRow>('SELECT * FROM keys WHERE id = $1 AND workspace_id = $2', [
      id,
      workspace_id,
    ])
    return toKey(rows[0] ?? throwNotFound('key'))
  }

  async deleteKey(workspace_id: string, id: string, by: Actor): Promise<{ id: string }> {
    await this.#database.transaction(async (client) => {
      const { rows } = await client.query<KeyRow>('DELETE FROM keys WHERE id = $1 AND workspace_id = $2 RETURNING *', [
        id,
        workspace_id,
      ])
      const { label, kind, hint } = rows[0] ?? throwNotFound('key')
      await auditKeyChange(client, by, {
        action: 'key.deleted',
        workspace: workspace_id,
        about: id,
        label,
        detail: { kind, hint },
      })
    })
    await this.#onKeysChanged()
    return { id }
  }

  /** @throws ProblemError when the key does not exist, or must be entered again */
  async getCredential(key_id: string, reach: AccessScope = null): Promise<PlatformCredential> {
    const credential = await this.#getCredential(key_id)
    return isInScope(reach, credential) ? credential : throwNotFound('key')
  }

  async #getCredential(key_id: string): Promise<PlatformCredential> {
    const cached = this.#cache.get(key_id)
    if (cached && Date.now() - cached.at < CREDENTIAL_TTL_MS) return cached.credential
    const { rows } = await this.#pool.query<SealedRow>(`${SELECT_SEALED_KEYS} WHERE keys.id = $1`, [key_id])
    const row = rows[0] ?? throwNotFound('key')
    const credential = {
      key_id,
      kind: row.kind,
      mode: row.mode,
      label: row.label,
      hint: row.hint,
      workspace_id: row.workspace_id,
      base_url: this.#getBaseUrl(row),
      secret: this.secretOf(row),
      dialect: getDialect(row),
    }
    this.#cache.set(key_id, { credential, at: Date.now() })
    return credential
  }

  /** @throws ProblemError when the key must be entered again */
  secretOf = (row: SealedRow): string => this.builtIn?.secrets.get(row.id) ?? this.encryption.open(row)

  #getBaseUrl = ({ builtin, base_url }: Pick<WorkspaceRow, 'builtin' | 'base_url'>): string =>
    (builtin ? this.builtIn?.base_url : undefined) ?? base_url

  /** The values of all keys that can be opened, for redaction. */
  async listSecrets(): Promise<string[]> {
    return [...(this.builtIn?.secrets.values() ?? []), ...(await this.encryption.openAll())]
  }

  /**
   * Records the result of a reply, or of its absence, for a key. A wrong kind ends with a success that proves the
   * kind.
   */
  async recordKeyHealth(key_id: string, observation: KeyObservation): Promise<void> {
    const now = new Date()
    if (observation.state !== 'healthy') return this.#recordKeyFailure(key_id, observation, now)
    const recovers = "($4 OR health NOT IN ('wrong_kind', 'app_unavailable'))"
    const { rows } = await this.#pool.query<Pick<KeyRow, 'workspace_id'>>(
      `UPDATE keys SET last_ok_at = $2, latency_ms = COALESCE($3, latency_ms), kind_confirmed = kind_confirmed OR $4,
         last_problem = CASE WHEN ${recovers} THEN NULL ELSE last_problem END,
         health_since = CASE WHEN ${recovers} AND health <> 'healthy' THEN $2 ELSE health_since END,
         health = CASE WHEN ${recovers} THEN 'healthy' ELSE health END
       WHERE id = $1 RETURNING workspace_id`,
      [key_id, now, observation.latency_ms, observation.provesKind],
    )
    // The platform responds again, for the other keys of its workspace too.
    await this.#pool.query(
      `UPDATE keys SET health = CASE WHEN last_ok_at IS NULL THEN 'untested' ELSE 'healthy' END, health_since = $2,
         last_problem = NULL WHERE workspace_id = $1 AND health = 'unreachable'`,
      [rows[0]?.workspace_id ?? null, now],
    )
  }

  async #recordKeyFailure(
    key_id: string,
    { state, problem }: Exclude<KeyObservation, { state: 'healthy' }>,
    now: Date,
  ): Promise<void> {
    await this.#database.transaction(async (client) => {
      const { rows } = await client.query<RefusedKey & { health_before: KeyHealthState }>(
        `UPDATE keys SET health = $2, health_since = CASE WHEN keys.health = $2 THEN keys.health_since ELSE $3 END,
           last_problem = $4, last_problem_at = $3
         FROM (SELECT id, health FROM keys WHERE id = $1 FOR UPDATE) AS before WHERE keys.id = before.id
         RETURNING keys.id AS key_id, keys.workspace_id, keys.label, keys.kind, before.health AS health_before`,
        [key_id, state, now, JSON.stringify(problem)],
      )
      const [row] = rows
      if (!row || state !== 'refused' || row.health_before === 'refused') return
      const { health_before: _before, ...key } = row
      await this.onKeyRefused(client, key)
    })
  }

  async recordKeyKind(
    key_id: string,
    { mode, isConfirmed }: { mode: string | null; isConfirmed: boolean },
  ): Promise<void> {
    await this.#pool.query('UPDATE keys SET mode = $2, kind_confirmed = kind_confirmed OR $3 WHERE id = $1', [
      key_id,
      mode,
      isConfirmed,
    ])
  }

  async recordDialect(workspace_id: string, dialect: WorkspaceRow['found']): Promise<void> {
    await this.#pool.query('UPDATE workspaces SET found = found || $2::jsonb WHERE id = $1', [
      workspace_id,
      JSON.stringify(dialect),
    ])
    this.#invalidateCache()
  }

  /** On every server. */
  #invalidateCache(): void {
    this.#cache.clear()
    this.#database.messageBus.publish('keys', ['all'])
  }

  async #onKeysChanged(): Promise<void> {
    this.#invalidateCache()
    if (this.encryption.lockReason) await this.encryption.checkLock()
  }

  async #getWorkspace(id: string): Promise<WorkspaceRow> {
    const { rows } = await this.#pool.query<WorkspaceRow>('SELECT * FROM workspaces WHERE id = $1', [id])
    return rows[0] ?? throwNotFound('workspace')
  }
}

/**
 * Locks the workspace and its base URL until the end of the transaction. A key belongs to the origin it was entered
 * for.
 */
async function lockWorkspace(client: PoolClient, id: string, verifiedAt?: string): Promise<WorkspaceRow> {
  const { rows } = await client.query<WorkspaceRow>('SELECT * FROM workspaces WHERE id = $1 FOR SHARE', [id])
  const workspace = rows[0] ?? throwNotFound('workspace')
  if (verifiedAt !== undefined && new URL(verifiedAt).origin !== new URL(workspace.base_url).origin)
    throw new ProblemError({
      kind: 'denied',
      status: 409,
      message: 'The origin of the workspace was changed while the key was being verified. Enter the key again.',
    })
  return workspace
}
