import { hkdfSync } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { AuditKey } from '../access/audit.ts'
import type { Master, Masters } from './masters.ts'
import { masterOf, seal } from './seal.ts'

/** What the rows of the audit log are keyed with while this master key seals: HKDF-SHA256, so that it tells nothing of the master key. */
export const toAuditKey = ({ id, key }: Master): AuditKey => ({
  id,
  key: Buffer.from(hkdfSync('sha256', key, '', 'loupe audit chain', 32)),
})

interface RetainedKey {
  id: string
  sealed: string
}
const RETAINED = 'SELECT id, sealed FROM audit_keys'
const bond = (id: string) => `audit ${id}`

/**
 * Before an older master key is forgotten: its audit key is sealed with the one that seals now, and so are the audit keys
 * of those before it. Rows that were keyed with them can be checked as long as the current master key is there.
 */
export async function retainAuditKeys(client: PoolClient, masters: Masters): Promise<void> {
  const { open, close } = seal(masters)
  const { id: current } = masters.current()
  const { rows } = await client.query<RetainedKey>(`${RETAINED} FOR UPDATE`)
  const keys = new Map<string, string>()
  for (const { id, sealed } of rows)
    if (masterOf(sealed) !== current && masters.find(masterOf(sealed))) keys.set(id, open(sealed, bond(id)))
  for (const master of masters.all)
    if (master.id !== current && !rows.some(({ id }) => id === master.id))
      keys.set(master.id, toAuditKey(master).key.toString('hex'))
  for (const [id, key] of keys)
    await client.query(
      'INSERT INTO audit_keys(id, sealed) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed',
      [id, close(key, bond(id))],
    )
}

/** The audit keys that this server has, by the id of the master key that each belongs to. */
export async function findAuditKeys(pool: Pool, masters: Masters): Promise<Map<string, Buffer>> {
  const { open } = seal(masters)
  const { rows } = await pool.query<RetainedKey>(RETAINED)
  const retained = rows
    .filter(({ sealed }) => masters.find(masterOf(sealed)))
    .map(({ id, sealed }): [string, Buffer] => [id, Buffer.from(open(sealed, bond(id)), 'hex')])
  return new Map([...retained, ...masters.all.map((master): [string, Buffer] => [master.id, toAuditKey(master).key])])
}
