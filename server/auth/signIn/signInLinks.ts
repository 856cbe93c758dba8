import { randomBytes } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { Database } from '../../db/database.ts'
import { HAS_ACCOUNT_SQL, sha256 } from '../sessions.ts'

/** Milliseconds: the server's own link, and an invitation, which an admin has to deliver. */
const SETUP_LINK_TTL_MS = 30 * 60_000
const INVITATION_TTL_MS = 3 * 24 * 3600_000

/**
 * A one-time token that signs in the person who starts the server, valid for half an hour. It replaces the previous one;
 * each server of a shared database prints its own, and all of them are valid.
 */
export async function createSetupLink({ pool, kind }: Pick<Database, 'pool' | 'kind'>): Promise<string> {
  await pool.query('DELETE FROM sign_in_links WHERE ($2 AND person_id IS NULL) OR expires_at < $1', [
    new Date(),
    kind === 'pglite',
  ])
  return insertLink(pool, null, SETUP_LINK_TTL_MS)
}

/** A one-time token that signs a person in, valid for three days. */
export async function createInvitation(client: PoolClient, person_id: string): Promise<string> {
  await client.query('DELETE FROM sign_in_links WHERE person_id = $1', [person_id])
  return insertLink(client, person_id, INVITATION_TTL_MS)
}

async function insertLink(client: Pool | PoolClient, person_id: string | null, ttlMs: number): Promise<string> {
  const token = `lp_${randomBytes(32).toString('base64url')}`
  await client.query('INSERT INTO sign_in_links(token, person_id, expires_at) VALUES ($1, $2, $3)', [
    sha256(token),
    person_id,
    new Date(Date.now() + ttlMs),
  ])
  return token
}

/**
 * Redeems and deletes a link. The server's own link is invalid once an admin has an account.
 * @returns the owner (`person_id` null: the server's own link), null when it is wrong, used or expired.
 */
export async function redeemLink(client: PoolClient, token: string): Promise<{ person_id: string | null } | null> {
  const { rows } = await client.query<{ person_id: string | null }>(
    `DELETE FROM sign_in_links USING (SELECT token FROM sign_in_links LEFT JOIN people ON people.id = sign_in_links.person_id
       WHERE token = $1 AND expires_at > $2 AND people.disabled_at IS NULL
         AND (sign_in_links.person_id IS NOT NULL OR NOT EXISTS (${ADMIN_ACCOUNT})) FOR UPDATE OF sign_in_links) AS taken
     WHERE sign_in_links.token = taken.token RETURNING sign_in_links.person_id`,
    [sha256(token), new Date()],
  )
  return rows[0] ?? null
}

/** Enabled admins who can sign in without a link. */
const ADMIN_ACCOUNT = `SELECT FROM people WHERE role = 'admin' AND disabled_at IS NULL AND ${HAS_ACCOUNT_SQL}`

/** True when an admin can sign in without a link, so that the server's own link is not needed. */
export async function hasAdminAccount(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(`SELECT WHERE EXISTS (${ADMIN_ACCOUNT})`)
  return rows.length > 0
}
