import type { Server } from '#contract/console/servers.ts'
import type { Database } from '../db/database.ts'
import { SERVER_LEASE_MS } from '../db/liveServers.ts'
import type { ServerDescription, ServerStatus } from '../runs/reconciliation/serverStatus.ts'
import type { ComparedServer } from './settingFingerprints.ts'

/** How long a server that stopped without deregistering is shown after its last heartbeat (SQL interval). */
const SHOWN_INTERVAL = '1 hour'

export interface ServerListDeps {
  database: Pick<Database, 'kind' | 'pool'>
  server_id: string
  status: Pick<ServerStatus, 'describe'>
}

type ServerRow = Omit<ServerDescription, 'version' | 'hostname' | 'settings'> &
  ComparedServer & { version: string | null; hostname: string | null; heartbeat_age_ms: number }

/**
 * This server first, then the others that share its database, by start time. With the embedded database other rows
 * are earlier processes.
 */
export async function listServerRows({ database, server_id, status }: ServerListDeps): Promise<ServerRow[]> {
  const own = { id: server_id, ...status.describe(), heartbeat_age_ms: 0 }
  if (database.kind === 'pglite') return [own]
  const { rows } = await database.pool.query<ServerRow>(
    `SELECT *, greatest(0, extract(epoch FROM now() - seen_at) * 1000)::int4 AS heartbeat_age_ms FROM servers
     WHERE id <> $1 AND seen_at > now() - interval '${SHOWN_INTERVAL}' ORDER BY started_at, id`,
    [server_id],
  )
  return [own, ...rows]
}

/** Whether a server responds; a dead one keeps its last settings. */
export const isLive = ({ heartbeat_age_ms }: Pick<ServerRow, 'heartbeat_age_ms'>): boolean =>
  heartbeat_age_ms < SERVER_LEASE_MS

export function toServer(row: ServerRow, server_id: string): Server {
  return {
    id: row.id,
    is_this: row.id === server_id,
    state: isLive(row) ? row.state : 'not_responding',
    version: row.version,
    hostname: row.hostname,
    address: row.address,
    // The default of the column says nothing about a release that does not write it.
    started_at: row.version === null ? null : row.started_at.toISOString(),
    heartbeat_age_ms: row.heartbeat_age_ms,
    active_runs: row.active_runs,
    open_streams: row.open_streams,
    event_loop_delay_ms: row.event_loop_delay_ms,
  }
}
