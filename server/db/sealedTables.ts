import type { PoolClient } from 'pg'

/** The tables that contain text encrypted with the master key. */
export type SealedTableName = 'keys' | 'webhooks' | 'oidc_sessions'

/**
 * Called in a transaction before it encrypts a text for this table: it waits for a running rotation of the master
 * key, and the next rotation waits for it. No text is left encrypted with a deleted master key.
 */
export async function lockForSealing(client: PoolClient, table: SealedTableName): Promise<void> {
  await client.query(`LOCK TABLE ${table} IN ROW EXCLUSIVE MODE`)
}

/** Waits for the transactions that write to these tables, and blocks others until this one ends. */
export async function lockForResealing(client: PoolClient, tables: readonly SealedTableName[]): Promise<void> {
  await client.query(`LOCK TABLE ${tables.join(', ')} IN SHARE ROW EXCLUSIVE MODE`)
}
