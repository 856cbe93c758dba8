import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import type { Role } from '#contract/permissions.ts'
import { recordAudit } from '../audit/auditLog.ts'
import { endAllSessions, type PauseBatches } from '../people.ts'
import { ADVISORY_LOCKS } from '../../db/advisoryLocks.ts'
import { toStorableText } from '../../db/storableText.ts'
import type { people } from '../schema.ts'

export interface SignInIdentity {
  issuer: string
  subject: string
  name: string
}

export interface ProvisioningResult {
  person: string
  refused: 'role' | 'disabled' | null
  ended: string[]
  paused: string[]
  /** True where the provider removes the role of the last admin. The person stays an admin, and the caller reports it. */
  isLastAdmin: boolean
}

const MAX_NAME_CHARS = 100

type IdentityRow = Pick<typeof people.$inferSelect, 'id' | 'name' | 'role' | 'disabled_at'>

/**
 * Finds or creates the person of an identity, with the role that applies from now on. People are never matched by name or
 * e-mail. A person without a role loses sessions and tokens, and their running batches pause. The last admin keeps the role.
 * @param decideRole the new role, given the current one (null: a new person); null denies access
 */
export async function provisionUser(
  client: PoolClient,
  identity: SignInIdentity,
  decideRole: (existing: Role | null) => Role | null,
  address: string | null,
  pauseBatches: PauseBatches,
): Promise<ProvisioningResult> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.provisioning])
  // Locked before any row of people, as in `PeopleStore.update`: no admin changes while admins are counted.
  await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.people])
  const { issuer, subject } = identity
  const { rows } = await client.query<IdentityRow>(
    `SELECT people.id, people.name, people.role, people.disabled_at FROM identities JOIN people ON people.id = person_id
     WHERE issuer = $1 AND subject = $2 FOR UPDATE OF people`,
    [issuer, subject],
  )
  const existing = rows[0]
  const role = decideRole(existing?.role ?? null)
  if (!existing)
    return role
      ? { ...UNCHANGED, person: await insertProvisionedUser(client, identity, role, address) }
      : REFUSED_UNKNOWN_USER
  const { id: person, name } = existing
  if (existing.disabled_at) return { ...UNCHANGED, person, refused: 'disabled' }
  if (role === existing.role) return { ...UNCHANGED, person }
  const isLastAdmin = existing.role === 'admin' && !(await hasAnotherAdmin(client, person))
  const about = { about: person, label: name, address }
  const detail = { from: existing.role, to: role, issuer }
  if (isLastAdmin) await recordAudit(client, { action: 'person.last-admin', ...about, detail })
  if (role === null) {
    const reason = `${name} has no role any more where they sign in.`
    const paused = await pauseBatches(client, { person_id: person, isShutOut: true, reason }, about)
    return { person, refused: 'role', ended: await endAllSessions(client, person, true), paused, isLastAdmin }
  }
  if (isLastAdmin) return { ...UNCHANGED, person, isLastAdmin }
  await client.query('UPDATE people SET role = $2 WHERE id = $1', [person, role])
  await recordAudit(client, { action: 'person.role', ...about, detail })
  const reason = `The role of ${name} is now ${role}.`
  const paused = await pauseBatches(client, { person_id: person, isShutOut: false, reason }, about)
  return { person, refused: null, ended: await endAllSessions(client, person, false), paused, isLastAdmin }
}

const UNCHANGED = { refused: null, ended: [], paused: [], isLastAdmin: false }
const REFUSED_UNKNOWN_USER: ProvisioningResult = { ...UNCHANGED, person: '', refused: 'role' }

async function hasAnotherAdmin(client: PoolClient, id: string): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT 1 FROM people WHERE role = 'admin' AND disabled_at IS NULL AND id <> $1 LIMIT 1`,
    [id],
  )
  return rows.length > 0
}

async function insertProvisionedUser(
  client: PoolClient,
  identity: SignInIdentity,
  role: Role,
  address: string | null,
): Promise<string> {
  const id = randomUUID()
  const { issuer, subject } = identity
  const name = await findFreeName(client, toStorableText(identity.name.trim() || subject, MAX_NAME_CHARS) ?? '')
  await client.query('INSERT INTO people(id, name, role, default_user, created_at) VALUES ($1, $2, $3, $2, $4)', [
    id,
    name,
    role,
    new Date(),
  ])
  await client.query('INSERT INTO identities(issuer, subject, person_id, created_at) VALUES ($1, $2, $3, $4)', [
    issuer,
    subject,
    id,
    new Date(),
  ])
  await recordAudit(client, {
    action: 'person.joined',
    about: id,
    label: name,
    detail: { issuer, subject, role },
    address,
  })
  return id
}

/** The name, with a number appended if another person has it. */
export async function findFreeName(client: PoolClient, name: string): Promise<string> {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name} (${n})`
    // Compared by the database: JavaScript lower-cases some capitals differently, such as İ.
    const { rows } = await client.query('SELECT FROM people WHERE lower(name) = lower($1)', [candidate])
    if (rows.length === 0) return candidate
  }
}
