import { hkdfSync } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { AuditKey } from '../auth/audit/auditLog.ts'
import type { MasterKey, MasterKeys } from './masterKeys.ts'
import { getMasterKeyId, createKeyEnvelope } from './keyEnvelope.ts'

/** What the rows of the audit log are keyed with while this master key seals: HKDF-SHA256, so that it tells nothing of the master key. */
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
 * Before an older master key is forgotten: its audit key is sealed with the one that seals now, and so are the audit keys
 * of those before it. Rows that were keyed with them can be checked as long as the current master key is there.
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

/** The audit keys that this server has, by the id of the master key that each belongs to. */
export async function findAuditKeys(pool: Pool, masters: MasterKeys): Promise<Map<string, Buffer>> {
  const { open } = createKeyEnvelope(masters)
  const { rows } = await pool.query<RetainedKey>(SELECT_RETAINED_KEYS)
  const retained = rows
    .filter(({ sealed }) => masters.findById(getMasterKeyId(sealed)))
    .map(({ id, sealed }): [string, Buffer] => [id, Buffer.from(open(sealed, toAssociatedData(id)), 'hex')])
  return new Map([...retained, ...masters.all.map((master): [string, Buffer] => [master.id, toAuditKey(master).key])])
}
