import { randomBytes, randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { Person } from '#contract/console/access.ts'
import type { AccessToken } from '#contract/console/people.ts'
import { type Role, ROLES } from '#contract/permissions.ts'
import type { ExternalIdentity } from './signIn/externalIdentities.ts'
import { loadAccessScope } from './accessScope.ts'
import { sha256, type SignedIn } from './sessions.ts'
import { queryReplies } from '../db/replyRows.ts'
import type { accessTokens, people } from './schema.ts'

const DAY_MS = 24 * 3600_000
const LAST_USED_INTERVAL_MS = 60_000

const TOKEN_COLUMNS = 'id, name, hint, role, created_at, expires_at, used_at'

/** The value is shown once; the table stores only its hash. */
export async function createAccessToken(
  client: PoolClient,
  person_id: string,
  input: { name: string; role: Role; days: number },
): Promise<AccessToken & { token: string }> {
  const token = `lpt_${randomBytes(32).toString('base64url')}`
  const now = Date.now()
  const [created] = await queryReplies<AccessToken>(
    client,
    `INSERT INTO access_tokens(id, token, person_id, name, hint, role, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${TOKEN_COLUMNS}`,
    [
      randomUUID(),
      sha256(token),
      person_id,
      input.name,
      token.slice(-4),
      input.role,
      new Date(now),
      new Date(now + input.days * DAY_MS),
    ],
  )
  if (!created) throw new Error('the token is not there')
  return { ...created, token }
}

export const listAccessTokens = (pool: Pool, person_id: string): Promise<AccessToken[]> =>
  queryReplies(pool, `SELECT ${TOKEN_COLUMNS} FROM access_tokens WHERE person_id = $1 ORDER BY created_at DESC`, [
    person_id,
  ])

type FoundRow = Person &
  Pick<typeof accessTokens.$inferSelect, 'created_at' | 'expires_at' | 'used_at'> &
  Pick<typeof people.$inferSelect, 'narrowed'> & {
    token: string
    bound: Role
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
 * The person that an access token acts for, with the lower of the token's and the person's role.
 * @param isLetIn whether a person with these identities and no local password could still sign in
 */
export async function findByAccessToken(
  pool: Pool,
  accessToken: string,
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
    [sha256(accessToken), new Date()],
  )
  if (!rows[0]) return null
  const {
    token,
    bound: tokenRole,
    narrowed,
    created_at,
    expires_at,
    used_at,
    has_password,
    identities,
    ...person
  } = rows[0]
  if (!has_password && identities.length > 0 && !isLetIn(identities)) return null
  if (used_at === null || Date.now() - used_at.getTime() > LAST_USED_INTERVAL_MS)
    await pool.query('UPDATE access_tokens SET used_at = $2 WHERE id = $1', [token, new Date()])
  const role = ROLES[Math.min(ROLES.indexOf(tokenRole), ROLES.indexOf(person.role))] ?? 'viewer'
  const accessScope = narrowed && person.role !== 'admin' ? await loadAccessScope(pool, person.id) : null
  return {
    id: token,
    person: { ...person, role },
    accessScope,
    method: 'token',
    has_account: true,
    signed_in_at: created_at,
    expires_at,
  }
}
