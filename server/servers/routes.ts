import type { FastifyInstance } from 'fastify'
import { contract } from '#contract/index.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import type { Database } from '../db/database.ts'
import { isLive, listServerRows, type ServerListDeps, toServer } from './listServers.ts'
import { findSettingDifferences } from './settingFingerprints.ts'

/** The servers that share the database, as each of them described itself in its last heartbeat. */
export function registerServerRoutes(
  app: FastifyInstance,
  { database, ...deps }: Omit<ServerListDeps, 'pool'> & { database: Pick<Database, 'kind' | 'pool'> },
): void {
  registerEndpoint(app, contract.console.listServers, async () => {
    const rows = await listServerRows({ ...deps, pool: database.pool })
    return {
      database: database.kind === 'pglite' ? ('embedded' as const) : database.kind,
      data: rows.map((row) => toServer(row, deps.server_id)),
      setting_differences: findSettingDifferences(rows.filter(isLive)),
    }
  })
}
