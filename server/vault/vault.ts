import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { z } from 'zod'
import type { KeyKind } from '#contract/endpoint.ts'
import type { Key, KeyUpdate, KeyWrite, Workspace, WorkspaceWrite } from '#contract/console.ts'
import type { Dialect, DialectChoice } from '#contract/dialect.ts'
import type { Problem } from '#contract/problem.ts'
import type { Database } from '../database/database.ts'
import type { By } from '../access/people.ts'
import { type Reach, seenBy, sees } from '../access/reach.ts'
import { baseUrl, type Egress } from '../relay/egress.ts'
import { holdsKey } from './exposures.ts'
import type { Masters } from './masters.ts'
import { dialectOf, hintOf, type KeyRow, missing, SEALED, type SealedRow } from './rows.ts'
import { show, showKey, type WorkspaceRow } from './rows.ts'
import { Sealing } from './sealing.ts'
import { tell } from './telling.ts'

/** What the relay needs to carry a request; `secret` never leaves the server. */
export interface Credential {
  key_id: string
  kind: KeyKind
  label: string
  hint: string | null
  workspace_id: string
  base_url: string
  secret: string
  /** How the workspace's platform is spoken to. */
  dialect: Dialect
}

/** How long a credential may be used from memory before the table is asked again, for the case that another server's word of a change is lost. */
const CREDENTIAL_AGE = 5_000

/** Workspaces and their keys. Keys go in and are used; nothing gives one back. */
export class Vault {
  readonly #database: Database
  readonly #pool: Pool
  readonly sealing: Sealing
  readonly #check: Egress['check']
  readonly #known = new Map<string, { credential: Credential; at: number }>()
  /** Where this server's own platform is, and its keys by their ids; null where it has none. */
  own: { base_url: string; secrets: ReadonlyMap<string, string> } | null = null

  /** `check` is asked of every base URL before it is kept. */
  constructor(database: Database, masters: Masters, check: Egress['check']) {
    this.#check = check
    this.#database = database
    this.#pool = database.pool
    this.sealing = new Sealing(database, masters)
    database.post.hear('keys', () => this.#known.clear())
  }

  /** Those within reach, each with its keys within reach. */
  async list(reach: Reach = null): Promise<Workspace[]> {
    const { rows: workspaces } = await this.#pool.query<WorkspaceRow>(
      `SELECT * FROM workspaces WHERE ${seenBy('workspaces', 1)} ORDER BY created_at, id`,
      [reach],
    )
    const { rows: keys } = await this.#pool.query<KeyRow>(
      `SELECT * FROM keys WHERE ${seenBy('keys', 1)} ORDER BY created_at, id`,
      [reach],
    )
    return workspaces.map((workspace) =>
      show(
        { ...workspace, base_url: this.#baseOf(workspace) },
        keys.filter((key) => key.workspace_id === workspace.id).map((key) => showKey(key, this.sealing.isUsable(key))),
      ),
    )
  }

  async create(given: z.output<typeof WorkspaceWrite>, by: By | null, builtin = false): Promise<Workspace> {
    const row = {
      id: randomUUID(),
      name: given.name,
      base_url: baseUrl(given.base_url, this.#check),
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
      await tell(client, by, {
        action: 'workspace.created',
        workspace: id,
        about: id,
        label: name,
        detail: { base_url },
      })
    })
    return show(row, [])
  }

  /** Changing the origin wipes the keys in the same transaction: a key is for one host only. */
  async update(
    id: string,
    given: Partial<z.output<typeof WorkspaceWrite>> & { dialect?: DialectChoice | undefined },
    by: By | null,
  ): Promise<Workspace> {
    const next = given.base_url === undefined ? undefined : baseUrl(given.base_url, this.#check)
    await this.#database.transaction(async (client) => {
      const { rows } = await client.query<WorkspaceRow>('SELECT * FROM workspaces WHERE id = $1 FOR UPDATE', [id])
      const before = rows[0] ?? missing('workspace')
      const chosen = Object.fromEntries(
        Object.entries({ ...before.chosen, ...given.dialect }).filter(([, choice]) => choice !== null),
      )
      await client.query('UPDATE workspaces SET name = $2, base_url = $3, chosen = $4 WHERE id = $1', [
        id,
        given.name ?? before.name,
        next ?? before.base_url,
        JSON.stringify(chosen),
      ])
      const isElsewhere = next !== undefined && new URL(next).origin !== new URL(before.base_url).origin
      if (isElsewhere)
        await client.query(
          'UPDATE keys SET sealed = NULL, hint = NULL, exposed_at = NULL, updated_at = $2 WHERE workspace_id = $1',
          [id, new Date()],
        )
      await tell(client, by, {
        action: 'workspace.changed',
        workspace: id,
        about: id,
        label: before.name,
        detail: { ...given, ...(isElsewhere ? { keys: 'wiped' } : {}) },
      })
    })
    await this.#changed()
    return (await this.list()).find((workspace) => workspace.id === id) ?? missing('workspace')
  }

  async remove(id: string, by: By): Promise<{ id: string }> {
    await this.#database.transaction(async (client) => {
      const { rows } = await client.query<{ name: string }>('DELETE FROM workspaces WHERE id = $1 RETURNING name', [id])
      const { name } = rows[0] ?? missing('workspace')
      await tell(client, by, { action: 'workspace.deleted', workspace: id, about: id, label: name })
    })
    await this.#changed()
    return { id }
  }

  async createKey(workspace_id: string, given: z.output<typeof KeyWrite>, by: By | null): Promise<Key> {
    const workspace = await this.#workspace(workspace_id)
    const id = randomUUID()
    const { kind, label } = given
    const hint = hintOf(given.key)
    const sealed = this.sealing.close(id, workspace, given.key)
    return this.#database.transaction(async (client) => {
      const { rows } = await client.query<KeyRow>(
        `INSERT INTO keys(id, workspace_id, kind, label, hint, sealed, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7) RETURNING *`,
        [id, workspace_id, kind, label, hint, sealed, new Date()],
      )
      await tell(client, by, {
        action: 'key.created',
        workspace: workspace_id,
        about: id,
        label,
        detail: { kind, hint },
      })
      return showKey(rows[0] ?? missing('key'))
    })
  }

  async updateKey(workspace_id: string, id: string, given: z.output<typeof KeyUpdate>, by: By | null): Promise<Key> {
    const workspace = await this.#workspace(workspace_id)
    const hint = given.key && hintOf(given.key)
    const sealed = given.key && this.sealing.close(id, workspace, given.key)
    const key = await this.#database.transaction(async (client) => {
      const isReplaced = given.key !== undefined && !(await holdsKey(client, this, id, given.key))
      const { rows } = await client.query<KeyRow>(
        `UPDATE keys SET label = COALESCE($3, label), hint = COALESCE($4, hint), sealed = COALESCE($5, sealed),
           exposed_at = CASE WHEN $7 THEN NULL ELSE exposed_at END, updated_at = $6
         WHERE id = $2 AND workspace_id = $1 RETURNING *`,
        [workspace_id, id, given.label, hint, sealed, new Date(), isReplaced],
      )
      const row = rows[0] ?? missing('key')
      await tell(client, by, {
        action: given.key === undefined ? 'key.renamed' : 'key.replaced',
        workspace: workspace_id,
        about: id,
        label: row.label,
        detail: { hint: row.hint },
      })
      return showKey(row)
    })
    await this.#changed()
    return key
  }

  /** @throws ProblemError 404 */
  async baseUrlOf(workspace_id: string): Promise<string> {
    return (await this.#workspace(workspace_id)).base_url
  }

  async readKey(workspace_id: string, id: string): Promise<Key> {
    const { rows } = await this.#pool.query<KeyRow>('SELECT * FROM keys WHERE id = $1 AND workspace_id = $2', [
      id,
      workspace_id,
    ])
    return showKey(rows[0] ?? missing('key'))
  }

  async removeKey(workspace_id: string, id: string, by: By): Promise<{ id: string }> {
    await this.#database.transaction(async (client) => {
      const { rows } = await client.query<KeyRow>('DELETE FROM keys WHERE id = $1 AND workspace_id = $2 RETURNING *', [
        id,
        workspace_id,
      ])
      const { label, kind, hint } = rows[0] ?? missing('key')
      await tell(client, by, {
        action: 'key.deleted',
        workspace: workspace_id,
        about: id,
        label,
        detail: { kind, hint },
      })
    })
    await this.#changed()
    return { id }
  }

  /**
   * The credential of a key, opened, for somebody of this reach.
   * @throws ProblemError when there is no such key, or it has to be entered again
   */
  async credential(key_id: string, reach: Reach = null): Promise<Credential> {
    const credential = await this.#credential(key_id)
    return sees(reach, credential) ? credential : missing('key')
  }

  async #credential(key_id: string): Promise<Credential> {
    const known = this.#known.get(key_id)
    if (known && Date.now() - known.at < CREDENTIAL_AGE) return known.credential
    const { rows } = await this.#pool.query<SealedRow>(`${SEALED} WHERE keys.id = $1`, [key_id])
    const row = rows[0] ?? missing('key')
    const credential = {
      key_id,
      kind: row.kind,
      label: row.label,
      hint: row.hint,
      workspace_id: row.workspace_id,
      base_url: this.#baseOf(row),
      secret: this.secretOf(row),
      dialect: dialectOf(row),
    }
    this.#known.set(key_id, { credential, at: Date.now() })
    return credential
  }

  /** @throws ProblemError when the key has to be entered again */
  secretOf = (row: SealedRow): string => this.own?.secrets.get(row.id) ?? this.sealing.open(row)

  #baseOf = ({ builtin, base_url }: Pick<WorkspaceRow, 'builtin' | 'base_url'>): string =>
    (builtin ? this.own?.base_url : undefined) ?? base_url

  /** The values of all keys that can be opened, for whoever has to take them out of something. */
  async secrets(): Promise<string[]> {
    return [...(this.own?.secrets.values() ?? []), ...(await this.sealing.values())]
  }

  /** Remembers how the platform took a key: a first success, a refusal, or a success after a refusal. */
  async note(key_id: string, problem: Problem | null, latency_ms: number | null): Promise<void> {
    await this.#pool.query(
      problem
        ? 'UPDATE keys SET last_problem = $2, last_problem_at = $3, latency_ms = COALESCE($4, latency_ms) WHERE id = $1'
        : 'UPDATE keys SET last_problem = $2, last_ok_at = $3, latency_ms = COALESCE($4, latency_ms) WHERE id = $1',
      [key_id, problem && JSON.stringify(problem), new Date(), latency_ms],
    )
  }

  /** Remembers what a platform's answers tell of how it is spoken to. */
  async hear(workspace_id: string, found: WorkspaceRow['found']): Promise<void> {
    await this.#pool.query('UPDATE workspaces SET found = found || $2::jsonb WHERE id = $1', [
      workspace_id,
      JSON.stringify(found),
    ])
    this.#forget()
  }

  /** Every server forgets what it knows of keys. */
  #forget(): void {
    this.#known.clear()
    this.#database.post.say('keys', ['all'])
  }

  async #changed(): Promise<void> {
    this.#forget()
    if (this.sealing.lock) await this.sealing.look()
  }

  async #workspace(id: string): Promise<WorkspaceRow> {
    const { rows } = await this.#pool.query<WorkspaceRow>('SELECT * FROM workspaces WHERE id = $1', [id])
    return rows[0] ?? missing('workspace')
  }
}
