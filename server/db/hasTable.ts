import type { Pool, PoolClient } from 'pg'

/** Whether the database has this table, whose name may have a schema. */
export async function hasTable(client: Pool | PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query<{ known: boolean }>('SELECT to_regclass($1) IS NOT NULL AS known', [name])
  return rows[0]?.known ?? false
}
