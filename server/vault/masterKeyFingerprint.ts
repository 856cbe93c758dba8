import { hkdfSync } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { MasterKey, MasterKeys } from './masterKeys.ts'

const SETTING_NAME = 'master_key'
const FINGERPRINT_BYTES = 32

/** Identifies a master key without revealing anything about it: HKDF-SHA256. */
export const toFingerprint = ({ key }: MasterKey): string =>
  Buffer.from(hkdfSync('sha256', key, '', 'loupe master key fingerprint', FINGERPRINT_BYTES)).toString('hex')

/** The current one first. */
export const listFingerprints = ({ all }: MasterKeys): string[] => all.map(toFingerprint)

/** The fingerprint of the master key that sealed last; null before the first one. */
export async function findStoredFingerprint(client: Pool | PoolClient): Promise<string | null> {
  const { rows } = await client.query<{ value: string }>('SELECT value FROM settings WHERE name = $1', [SETTING_NAME])
  return rows[0]?.value ?? null
}

export async function storeFingerprint(client: Pool | PoolClient, masterKeys: MasterKeys): Promise<void> {
  await client.query(
    'INSERT INTO settings(name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [SETTING_NAME, toFingerprint(masterKeys.getSealingKey())],
  )
}
