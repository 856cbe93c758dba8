import type { Pool, PoolClient } from 'pg'

export const ADVISORY_LOCKS = {
  /** Serializes the migrations of servers that start together. */
  migration: 7_308_332,
  /** Serializes audit entries: each contains the hash of the entry before it. */
  audit: 7_308_333,
  /** Serializes changes of people: otherwise two admins could remove each other as the last one. */
  people: 7_308_334,
  /** Serializes provisioning: two concurrent sign-ins create one person. */
  provisioning: 7_308_335,
  builtInWorkspace: 7_308_336,
  /** Every built-in platform takes it in shared mode for its lifetime. */
  platform: 7_308_337,
  /** Keeps the runs of a day unchanged while its rollup is computed. */
  dailyRollups: 7_308_338,
  /** One server at a time upgrades the terms of passages. */
  termUpgrade: 7_308_339,
  /** An index for vectors of a new length is created once. */
  vectorIndex: 7_308_340,
  /** Servers that start compare their master keys one after the other. */
  serverStart: 7_308_341,
} as const

/**
 * Runs work on a connection that holds the lock. The pool must be `unboundedPool`, since the usual timeouts are too
 * short for the work and for waiting.
 */
export async function withAdvisoryLock<T>(
  pool: Pool,
  lock: number,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lock])
    try {
      return await work(client)
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [lock])
    }
  } finally {
    client.release()
  }
}
