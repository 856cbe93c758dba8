import { randomBytes, randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { AccessToken, Person } from '#contract/access.ts'
import { type Role, ROLES } from '#contract/roles.ts'
import type { ExternalIdentity } from './external-people.ts'
import { reachOf } from './reach.ts'
import { hash, type SignedIn } from './sessions.ts'

const DAY = 24 * 3600_000
const TOUCHED = 60_000

interface Row {
  id: string
  name: string
  hint: string
  role: Role
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

/** The value is told once; the table holds its hash. */
export async function makeToken(
  client: PoolClient,
  person_id: string,
  given: { name: string; role: Role; days: number },
): Promise<AccessToken & { token: string }> {
  const token = `lpt_${randomBytes(32).toString('base64url')}`
  const now = Date.now()
  const { rows } = await client.query<Row>(
    `INSERT INTO access_tokens(id, token, person_id, name, hint, role, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING *`,
    [
      randomUUID(),
      hash(token),
      person_id,
      given.name,
      token.slice(-4),
      given.role,
      new Date(now),
      new Date(now + given.days * DAY),
    ],
  )
  if (!rows[0]) throw new Error('the token is not there')
  return { ...shown(rows[0]), token }
}

export async function tokensOf(pool: Pool, person_id: string): Promise<AccessToken[]> {
  const { rows } = await pool.query<Row>('SELECT * FROM access_tokens WHERE person_id = $1 ORDER BY created_at DESC', [
    person_id,
  ])
  return rows.map(shown)
}

interface FoundRow extends Person {
  token: string
  bound: Role
  narrowed: boolean
  created_at: Date
  expires_at: Date
  used_at: Date | null
  has_password: boolean
  identities: ExternalIdentity[]
}

/** Deletes all tokens of a person. @returns their ids */
export async function revokeTokens(client: PoolClient, person_id: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('DELETE FROM access_tokens WHERE person_id = $1 RETURNING id', [
    person_id,
  ])
  return rows.map(({ id }) => id)
}

/**
 * Who a script's token stands for: its person, with the lesser of both roles.
 * @param isLetIn whether somebody who has no password here, and these identities, could still sign in
 */
export async function findToken(
  pool: Pool,
  given: string,
  isLetIn: (identities: readonly ExternalIdentity[]) => boolean,
): Promise<SignedIn | null> {
  const { rows } = await pool.query<FoundRow>(
    `SELECT people.id, people.name, people.role, people.default_user, people.narrowed, access_tokens.id AS token,
       access_tokens.role AS bound, access_tokens.created_at, access_tokens.expires_at, access_tokens.used_at,
       people.password IS NOT NULL AS has_password,
       coalesce((SELECT json_agg(json_build_object('issuer', issuer, 'subject', subject)) FROM identities
         WHERE person_id = people.id), '[]') AS identities
     FROM access_tokens JOIN people ON people.id = access_tokens.person_id
     WHERE access_tokens.token = $1 AND access_tokens.expires_at > $2 AND people.disabled_at IS NULL`,
    [hash(given), new Date()],
  )
  if (!rows[0]) return null
  const { token, bound, narrowed, created_at, expires_at, used_at, has_password, identities, ...person } = rows[0]
  if (!has_password && identities.length > 0 && !isLetIn(identities)) return null
  if (used_at === null || Date.now() - used_at.getTime() > TOUCHED)
    await pool.query('UPDATE access_tokens SET used_at = $2 WHERE id = $1', [token, new Date()])
  const role = ROLES[Math.min(ROLES.indexOf(bound), ROLES.indexOf(person.role))] ?? 'viewer'
  const reach = narrowed && person.role !== 'admin' ? await reachOf(pool, person.id) : null
  return {
    id: token,
    person: { ...person, role },
    reach,
    via: 'token',
    has_account: true,
    signed_in_at: created_at,
    expires_at,
  }
}

const shown = (row: Row): AccessToken => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  role: row.role,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  used_at: row.used_at?.toISOString() ?? null,
})
