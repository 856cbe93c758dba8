import type { FastifyInstance } from 'fastify'
import { contract } from '#contract/index.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import { isLive, listServerRows, type ServerListDeps, toServer } from './listServers.ts'
import { findSettingDifferences } from './settingFingerprints.ts'

export function registerServerRoutes(app: FastifyInstance, deps: ServerListDeps): void {
  registerEndpoint(app, contract.console.listServers, async () => {
    const { kind } = deps.database
    const rows = await listServerRows(deps)
    return {
      database: kind === 'pglite' ? ('embedded' as const) : kind,
      data: rows.map((row) => toServer(row, deps.server_id)),
      setting_differences: findSettingDifferences(rows.filter(isLive)),
    }
  })
}
