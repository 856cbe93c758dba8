import { hkdfSync } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { AuditKey } from '../auth/audit/auditLog.ts'
import type { MasterKey, MasterKeys } from './masterKeys.ts'
import { getMasterKeyId, createKeyEnvelope } from './keyEnvelope.ts'

/**
 * The key of the audit log's rows while this master key is current: HKDF-SHA256, so that it reveals nothing about the master
 * key.
 */
export const toAuditKey = ({ id, key }: MasterKey): AuditKey => ({
  id,
  key: Buffer.from(hkdfSync('sha256', key, '', 'loupe audit chain', 32)),
})

interface RetainedKey {
  id: string
  sealed: string
}
const SELECT_RETAINED_KEYS = 'SELECT id, sealed FROM audit_keys'
const toAssociatedData = (id: string) => `audit ${id}`

/**
 * Called before an older master key is deleted: its audit key is encrypted with the current one, and so are the audit keys
 * of earlier ones. Their rows can then be verified as long as the current master key exists.
 */
export async function retainAuditKeys(client: PoolClient, masters: MasterKeys): Promise<void> {
  const { id: current } = masters.getSealingKey()
  const { rows } = await client.query<RetainedKey>(`${SELECT_RETAINED_KEYS} FOR UPDATE`)
  const keys = openRetainedKeys(
    rows.filter(({ sealed }) => getMasterKeyId(sealed) !== current),
    masters,
  )
  for (const master of masters.all)
    if (master.id !== current && !rows.some(({ id }) => id === master.id)) keys.set(master.id, toAuditKey(master).key)
  const { seal } = createKeyEnvelope(masters)
  for (const [id, key] of keys)
    await client.query(
      'INSERT INTO audit_keys(id, sealed) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed',
      [id, seal(key.toString('hex'), toAssociatedData(id))],
    )
}

/** The available audit keys by the ids of their master keys. */
export async function findAuditKeys(pool: Pool, masters: MasterKeys): Promise<Map<string, Buffer>> {
  const { rows } = await pool.query<RetainedKey>(SELECT_RETAINED_KEYS)
  const keys = openRetainedKeys(rows, masters)
  for (const master of masters.all) keys.set(master.id, toAuditKey(master).key)
  return keys
}

/** Skips a key whose envelope is damaged or of another master key: its rows are then reported as unproven. */
function openRetainedKeys(rows: RetainedKey[], masters: MasterKeys): Map<string, Buffer> {
  const { open } = createKeyEnvelope(masters)
  const keys = new Map<string, Buffer>()
  for (const { id, sealed } of rows)
    try {
      keys.set(id, Buffer.from(open(sealed, toAssociatedData(id)), 'hex'))
    } catch {
      continue
    }
  return keys
}
