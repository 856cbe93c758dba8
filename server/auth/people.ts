import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { Person } from '#contract/console/access.ts'
import type { Grant, Member } from '#contract/console/people.ts'
import { ProblemError } from '#contract/problem.ts'
import type { Role } from '#contract/permissions.ts'
import { ADVISORY_LOCKS } from '../db/advisoryLocks.ts'
import type { Database } from '../db/database.ts'
import { type AuditEntry, recordAudit } from './audit/auditLog.ts'
import { createInvitation } from './signIn/signInLinks.ts'
import { HAS_ACCOUNT_SQL } from './sessions.ts'
import { queryReplies } from '../db/replyRows.ts'

export interface Actor {
  person: Person
  address: string | null
}

export interface PersonChange {
  role?: Role | undefined
  disabled?: boolean | undefined
  narrowed?: boolean | undefined
  grants?: Grant[] | undefined
}

/** `narrowed`: the person sees only what the grants name. */
export interface Invitation {
  name: string
  role: Role
  narrowed: boolean
  grants: Grant[]
}

const SELECT_MEMBER = `
  SELECT people.id, people.name, people.role, people.default_user, people.narrowed, people.disabled_at, people.created_at, people.key_exposures,
    ${HAS_ACCOUNT_SQL} AS has_account, people.password IS NOT NULL AS has_password,
    (SELECT count(*)::int FROM sessions WHERE person_id = people.id AND expires_at > now() AND seen_at > now() - interval '8 hours') AS sessions,
    (SELECT max(seen_at) FROM sessions WHERE person_id = people.id) AS seen_at,
    (SELECT count(*)::int FROM access_tokens WHERE person_id = people.id AND expires_at > now()) AS tokens,
    (SELECT max(expires_at) FROM sign_in_links WHERE person_id = people.id AND expires_at > now()) AS invited_until,
    coalesce((SELECT json_agg(json_build_object('workspace', workspace_id, 'key', key_id)) FROM grants WHERE person_id = people.id), '[]') AS grants
  FROM people`

/**
 * Pauses the batches that a person runs and could not start now, and records it. Called in the transaction that changes the
 * person, after the change. It comes from `batches/`, which is built on this folder.
 * @returns the ids of the paused batches
 */
export type PauseBatches = (
  client: PoolClient,
  /** `isShutOut`: the person can no longer sign in, whatever `people` says. `reason`: a sentence for the screen. */
  change: { person_id: string; isShutOut: boolean; reason: string },
  entry: Omit<AuditEntry, 'action' | 'detail'>,
) => Promise<string[]>

/** The people of the console, as an admin sees and changes them. */
export class PeopleStore {
  readonly #database: Database
  readonly #pauseBatches: PauseBatches

  constructor(database: Database, pauseBatches: PauseBatches) {
    this.#database = database
    this.#pauseBatches = pauseBatches
  }

  list(): Promise<Member[]> {
    const order = 'ORDER BY people.disabled_at IS NOT NULL, lower(people.name)'
    return queryReplies(this.#database.pool, `${SELECT_MEMBER} ${order}`)
  }

  async invite({ name, role, narrowed, grants }: Invitation, actor: Actor): Promise<Member & { link: string }> {
    return this.#database.transaction(async (client) => {
      const id = randomUUID()
      await requireFreeName(client, name, id)
      await client.query(
        'INSERT INTO people(id, name, role, default_user, narrowed, created_at) VALUES ($1, $2, $3, $2, $4, $5)',
        [id, name, role, narrowed, new Date()],
      )
      await replaceGrants(client, id, grants)
      const link = await createInvitation(client, id)
      const detail = narrowed ? { role, narrowed, grants: await describeGrants(client, grants) } : { role }
      await recordAudit(client, { action: 'person.invited', ...actor, about: id, label: name, detail })
      return { ...(await getMember(client, id)), link }
    })
  }

  /** @throws ProblemError 409 for the caller's own account: a link for oneself would bypass the password. */
  async createLink(id: string, actor: Actor): Promise<{ id: string; link: string }> {
    if (id === actor.person.id)
      throw toConflictError('Sign-in links are for other people. Change your own password instead.')
    return this.#database.transaction(async (client) => {
      const { name, disabled_at } = await getMember(client, id)
      if (disabled_at) throw toConflictError(`${name} is disabled. Enable them first.`)
      const link = await createInvitation(client, id)
      await recordAudit(client, { action: 'person.linked', ...actor, about: id, label: name })
      return { id, link }
    })
  }

  /** @returns also the sessions and tokens to end, and the ids of the paused batches. */
  async update(
    id: string,
    change: PersonChange,
    actor: Actor,
  ): Promise<{ member: Member; ended: string[]; narrowed: string[]; paused: string[] }> {
    return this.#database.transaction(async (client) => {
      await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.people])
      const before = await getMember(client, id)
      const role = change.role ?? before.role
      const isDisabled = change.disabled ?? before.disabled_at !== null
      await client.query(
        `UPDATE people SET role = $2, narrowed = $3,
           disabled_at = CASE WHEN $4 THEN coalesce(disabled_at, $5::timestamptz) END WHERE id = $1`,
        [id, role, change.narrowed ?? before.narrowed, isDisabled, new Date()],
      )
      if (change.grants) await replaceGrants(client, id, change.grants)
      await requireRemainingAdmin(client)
      const after = await getMember(client, id)
      if (after.role !== before.role) await recordChange('person.role', { from: before.role, to: after.role })
      if ((after.disabled_at === null) !== (before.disabled_at === null))
        await recordChange(after.disabled_at ? 'person.disabled' : 'person.enabled')
      const isScopeChanged =
        after.narrowed !== before.narrowed || JSON.stringify(after.grants) !== JSON.stringify(before.grants)
      if (isScopeChanged)
        await recordChange('person.grants', {
          narrowed: after.narrowed,
          grants: await describeGrants(client, after.grants),
        })
      const endedSessionIds =
        after.role !== before.role || after.disabled_at
          ? await endAllSessions(client, id, after.disabled_at !== null)
          : []
      const reason = toPauseReason(before, after)
      const batches = { person_id: id, isShutOut: false, reason }
      const paused = await this.#pauseBatches(client, batches, { ...actor, about: id, label: before.name })
      return {
        member: await getMember(client, id),
        ended: endedSessionIds,
        narrowed: isScopeChanged ? await findOpenSessionIds(client, id) : [],
        paused,
      }

      function recordChange(action: string, detail?: unknown): Promise<void> {
        return recordAudit(client, { action, ...actor, about: id, label: before.name, detail })
      }
    })
  }

  /** Ends all sessions and tokens of the person. */
  async signOut(id: string, actor: Actor): Promise<string[]> {
    return this.#database.transaction(async (client) => {
      const { name } = await getMember(client, id)
      await recordAudit(client, { action: 'person.signed-out', ...actor, about: id, label: name })
      return endAllSessions(client, id, true)
    })
  }
}

async function getMember(client: Pool | PoolClient, id: string): Promise<Member> {
  const [member] = await queryReplies<Member>(client, `${SELECT_MEMBER} WHERE people.id = $1`, [id])
  if (member) return member
  throw new ProblemError({ kind: 'invalid', status: 404, message: 'The person was not found.' })
}

/** @throws ProblemError 404 for an unknown workspace or key. */
async function replaceGrants(client: PoolClient, id: string, grants: Grant[]): Promise<void> {
  await client.query('DELETE FROM grants WHERE person_id = $1', [id])
  for (const { workspace, key } of grants) {
    const { rowCount } = await client.query(
      `INSERT INTO grants(id, person_id, workspace_id, key_id)
       SELECT $1, $2, workspaces.id, $4::uuid FROM workspaces WHERE workspaces.id = $3
         AND ($4::uuid IS NULL OR EXISTS (SELECT 1 FROM keys WHERE keys.id = $4 AND keys.workspace_id = workspaces.id))`,
      [randomUUID(), id, workspace, key],
    )
    if (!rowCount)
      throw new ProblemError({ kind: 'invalid', status: 404, message: 'The workspace or key was not found.' })
  }
}

/** Grants with the names that they have now: the audit log outlives workspaces and keys. */
async function describeGrants(client: PoolClient, grants: readonly Grant[]) {
  const { rows } = await client.query<{ id: string; label: string }>(
    `SELECT id, name AS label FROM workspaces WHERE id = ANY($1::uuid[])
     UNION ALL SELECT id, label FROM keys WHERE id = ANY($2::uuid[])`,
    [grants.map(({ workspace }) => workspace), grants.flatMap(({ key }) => key ?? [])],
  )
  const labels = new Map(rows.map(({ id, label }) => [id, label]))
  return grants.map(({ workspace, key }) => ({
    workspace,
    workspace_name: labels.get(workspace) ?? null,
    key,
    key_label: key && (labels.get(key) ?? null),
  }))
}

async function requireRemainingAdmin(client: PoolClient): Promise<void> {
  const { rows } = await client.query(`SELECT 1 FROM people WHERE role = 'admin' AND disabled_at IS NULL LIMIT 1`)
  if (rows.length === 0) throw toConflictError('This is the last admin. Make another person an admin first.')
}

export async function endAllSessions(client: PoolClient, id: string, withTokens: boolean): Promise<string[]> {
  await client.query('DELETE FROM sign_in_links WHERE person_id = $1', [id])
  const { rows } = await client.query<{ id: string }>('DELETE FROM sessions WHERE person_id = $1 RETURNING id', [id])
  const { rows: tokens } = withTokens
    ? await client.query<{ id: string }>('DELETE FROM access_tokens WHERE person_id = $1 RETURNING id', [id])
    : { rows: [] }
  return [...rows, ...tokens].map((row) => row.id)
}

/** The reason why a person's batches pause, as the screen shows it. */
function toPauseReason(before: Member, after: Member): string {
  if (after.disabled_at) return `${after.name} was disabled.`
  if (after.role !== before.role) return `The role of ${after.name} is now ${after.role}.`
  return `${after.name} may no longer use this app.`
}

async function findOpenSessionIds(client: PoolClient, id: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM sessions WHERE person_id = $1 UNION ALL SELECT id FROM access_tokens WHERE person_id = $1',
    [id],
  )
  return rows.map((row) => row.id)
}

const toConflictError = (message: string) => new ProblemError({ kind: 'invalid', status: 409, message })

/** @throws ProblemError 409 at the field when another person has that name (case-insensitive). */
export async function requireFreeName(client: PoolClient, name: string, id: string): Promise<void> {
  const { rows } = await client.query('SELECT 1 FROM people WHERE lower(name) = lower($1) AND id <> $2', [name, id])
  if (rows.length === 0) return
  const message = 'is taken'
  throw new ProblemError({
    kind: 'invalid',
    status: 409,
    message: `body.name ${message}`,
    fields: [{ path: 'body.name', message }],
  })
}
