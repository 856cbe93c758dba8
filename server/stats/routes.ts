import type { FastifyInstance } from 'fastify'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import type { Database } from '../db/database.ts'
import { registerEndpoint } from '../http/endpointRoute.ts'
import { computeAlerts } from './alerts.ts'
import { computeStats } from './computeStats.ts'

/** The data of the home page: the aggregated runs of the last days, and the alerts. */
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

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    // Offsets as names (`+02:00`) have the opposite sign in PostgreSQL.
    return /^[A-Za-z]/.test(zone)
  } catch {
    return false
  }
}
