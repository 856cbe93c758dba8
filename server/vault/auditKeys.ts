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
  const { open, seal: close } = createKeyEnvelope(masters)
  const { id: current } = masters.getSealingKey()
  const { rows } = await client.query<RetainedKey>(`${SELECT_RETAINED_KEYS} FOR UPDATE`)
  const keys = new Map<string, string>()
  for (const { id, sealed } of rows)
    if (getMasterKeyId(sealed) !== current && masters.findById(getMasterKeyId(sealed)))
      keys.set(id, open(sealed, toAssociatedData(id)))
  for (const master of masters.all)
    if (master.id !== current && !rows.some(({ id }) => id === master.id))
      keys.set(master.id, toAuditKey(master).key.toString('hex'))
  for (const [id, key] of keys)
    await client.query(
      'INSERT INTO audit_keys(id, sealed) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed',
      [id, close(key, toAssociatedData(id))],
    )
}

/** The available audit keys by the ids of their master keys. */
export async function findAuditKeys(pool: Pool, masters: MasterKeys): Promise<Map<string, Buffer>> {
  const { open } = createKeyEnvelope(masters)
  const { rows } = await pool.query<RetainedKey>(SELECT_RETAINED_KEYS)
  const retained = rows
    .filter(({ sealed }) => masters.findById(getMasterKeyId(sealed)))
    .map(({ id, sealed }): [string, Buffer] => [id, Buffer.from(open(sealed, toAssociatedData(id)), 'hex')])
  return new Map([...retained, ...masters.all.map((master): [string, Buffer] => [master.id, toAuditKey(master).key])])
}
