import type { FastifyInstance } from 'fastify'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import type { Database } from '../db/database.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import { isTimeZone } from '../http/timeZone.ts'
import { computeAlerts } from './alerts.ts'
import { computeStats } from './computeStats.ts'

export function registerStatsRoutes(app: FastifyInstance, database: Database): void {
  const { readStats, readAlerts } = contract.console
  registerEndpoint(app, readStats, ({ query }, { accessScope }) => {
    if (!isTimeZone(query.zone))
      throw new ProblemError({
        kind: 'invalid',
        status: 400,
        message: `query.zone “${query.zone}” is not a time zone`,
        fields: [{ path: 'query.zone', message: 'must be the name of a time zone, as Europe/Zurich' }],
      })
    return computeStats(database, query, accessScope)
  })
  registerEndpoint(app, readAlerts, ({ query }, { accessScope }) =>
    computeAlerts(database.pool, query.workspace, accessScope),
  )
}
