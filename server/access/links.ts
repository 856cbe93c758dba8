import { randomBytes, randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { Database } from '../database/database.ts'
import { hash } from './sessions.ts'

/** Milliseconds: the server's own link, and an invitation, which somebody has to be sent. */
const FIRST_AGE = 30 * 60_000
const INVITATION_AGE = 3 * 24 * 3600_000

/**
 * A token that signs in whoever starts the server, once, within half an hour. The one before is no longer taken; of servers
 * that share a database each prints its own, and all of them are.
 */
export async function firstLink({ pool, kind }: Pick<Database, 'pool' | 'kind'>): Promise<string> {
  await pool.query('DELETE FROM links WHERE ($2 AND person_id IS NULL) OR expires_at < $1', [
    new Date(),
    kind === 'pglite',
  ])
  return makeLink(pool, null, FIRST_AGE)
}

/** A token that signs a person in, once, within three days. */
export async function invitation(client: PoolClient, person_id: string): Promise<string> {
  await client.query('DELETE FROM links WHERE person_id = $1', [person_id])
  return makeLink(client, person_id, INVITATION_AGE)
}

async function makeLink(client: Pool | PoolClient, person_id: string | null, age: number): Promise<string> {
  const token = `lp_${randomBytes(32).toString('base64url')}`
  await client.query('INSERT INTO links(token, person_id, expires_at) VALUES ($1, $2, $3)', [
    hash(token),
    person_id,
    new Date(Date.now() + age),
  ])
  return token
}

/** Takes a link, which is gone then. @returns whose it is, null when it is wrong, used up or too old. */
export async function takeLink(
  client: PoolClient,
  given: string,
): Promise<{ person_id: string; via: 'link' | 'invitation' } | null> {
  const { rows } = await client.query<{ person_id: string | null }>(
    `DELETE FROM links USING (SELECT token FROM links LEFT JOIN people ON people.id = links.person_id
       WHERE token = $1 AND expires_at > $2 AND people.disabled_at IS NULL FOR UPDATE OF links) AS taken
     WHERE links.token = taken.token RETURNING links.person_id`,
    [hash(given), new Date()],
  )
  if (!rows[0]) return null
  const { person_id } = rows[0]
  return person_id === null ? { person_id: await firstAdmin(client), via: 'link' } : { person_id, via: 'invitation' }
}

/** The admin who is here longest; made, if there is none yet. */
export async function firstAdmin(client: PoolClient): Promise<string> {
  const find = () =>
    client.query<{ id: string }>(
      `SELECT id FROM people WHERE role = 'admin' AND disabled_at IS NULL ORDER BY created_at, id LIMIT 1`,
    )
  const before = (await find()).rows[0]
  if (before) return before.id
  await client.query(
    `INSERT INTO people(id, name, role, default_user, created_at) VALUES ($1, 'admin', 'admin', 'admin', $2)
     ON CONFLICT (name) DO UPDATE SET role = 'admin', disabled_at = NULL`,
    [randomUUID(), new Date()],
  )
  const made = (await find()).rows[0]
  if (!made) throw new Error('the first admin is not there')
  return made.id
}
