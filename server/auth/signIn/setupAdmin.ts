import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { ADVISORY_LOCKS } from '../../db/advisoryLocks.ts'
import { recordAudit } from '../audit/auditLog.ts'
import { findFreeName } from './provisioning.ts'
import { HAS_ACCOUNT_SQL } from '../sessions.ts'

const SETTING_NAME = 'setup_admin'

/**
 * The admin whom the server's link and SETUP_TOKEN sign in: always a person that this function created, never one found by
 * name, since people choose their names at their provider. Once that person has a password or an identity, the row is a real
 * account; a lower role or a disabled row is an admin's decision. In both cases the next call creates another person.
 * @returns the person's id
 */
export async function findOrCreateSetupAdmin(client: PoolClient, address: string | null): Promise<string> {
  // Names are assigned under a lock, and two concurrent sign-ins create one person.
  await client.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.provisioning])
  const { rows } = await client.query<{ id: string }>(
    `SELECT people.id FROM people JOIN settings ON settings.value = people.id::text
     WHERE settings.name = $1 AND role = 'admin' AND disabled_at IS NULL AND NOT ${HAS_ACCOUNT_SQL}`,
    [SETTING_NAME],
  )
  if (rows[0]) return rows[0].id
  const id = randomUUID()
  const name = await findFreeName(client, 'admin')
  await client.query(`INSERT INTO people(id, name, role, default_user, created_at) VALUES ($1, $2, 'admin', $2, $3)`, [
    id,
    name,
    new Date(),
  ])
  await client.query(
    'INSERT INTO settings(name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [SETTING_NAME, id],
  )
  await recordAudit(client, { action: 'person.created', about: id, label: name, detail: { role: 'admin' }, address })
  return id
}
