import { setTimeout as wait } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { hasTable } from './hasTable.ts'
import { isAsleepSql } from './serverPresence.ts'

/**
 * Milliseconds: the heartbeat interval, and how long a server may miss heartbeats before others take over its runs
 * and batches. The run of a crashed server continues or ends within ten seconds.
 */
export const SERVER_HEARTBEAT_MS = 2_000
export const SERVER_LEASE_MS = 8_000
/**
 * Milliseconds between two heartbeats of any server after which the database may have been unavailable for all. Plus
 * one heartbeat it is shorter than the lease: what was written before the gap is not silent after it.
 */
export const MAX_HEARTBEAT_GAP_MS = 5_000
const POLL_INTERVAL_MS = 500

/** A server whose heartbeat is within its lease, or that is paused. Earlier releases wrote fewer columns. */
export interface LiveServer {
  id: string
  version?: string | null
  hostname?: string | null
  address?: string | null
  /** Fingerprints of its master keys, the current one first. */
  master_keys?: string[]
}

export async function findLiveServers(client: Pool | PoolClient): Promise<LiveServer[]> {
  if (!(await hasTable(client, 'servers'))) return []
  // As JSON: the table may not have all columns before the migrations.
  const { rows } = await client.query<{ server: LiveServer }>(
    `SELECT to_json(found) AS server FROM servers AS found
     WHERE seen_at > now() - $1 * interval '1 millisecond' OR ${isAsleepSql('found.id')} ORDER BY seen_at`,
    [SERVER_LEASE_MS],
  )
  return rows.map(({ server }) => server)
}

/** Calls `find` until it finds none, or until a killed server would no longer look alive. @returns those that remain */
export async function waitWhileLive<T>(find: () => Promise<T[]>): Promise<T[]> {
  for (const startedAt = performance.now(); ; await wait(POLL_INTERVAL_MS)) {
    const found = await find()
    if (found.length === 0 || performance.now() - startedAt > SERVER_LEASE_MS + SERVER_HEARTBEAT_MS) return found
  }
}

/** Host, address and release, for the person who has to find it. */
export function describeServer({ id, hostname, address, version }: LiveServer): string {
  const place = hostname ? `${hostname}${address ? ` (${address})` : ''}` : id
  return `${place}, ${version ? `release ${version}` : 'an earlier release'}`
}
